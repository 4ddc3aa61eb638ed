import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { askFor, COUNTRY, geocoderOf, shown } from "../../../../test/support/geocoder.ts";

const geocoder = geocoderOf(COUNTRY);
const POINT = fc.record({
  lat: fc.double({ min: -90, max: 90, noNaN: true }),
  lon: fc.double({ min: -180, max: 180, noNaN: true }),
});
const WORDS = [
  "bahnhofstr",
  "oberwil",
  "unterwil",
  "3",
  "12",
  "göttinger",
  "straße",
  "saint",
  "toilets",
  "near",
  "b",
  "215-12",
  "moos",
  "1001",
];
const QUESTION = fc.oneof(
  fc
    .array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 5 })
    .map((words) => words.join(" ")),
  fc.string({ unit: "grapheme", maxLength: 200 }),
);
const ALL = { limit: 100 };

test("any question and any point is answered, twice alike", () => {
  fc.assert(
    fc.property(
      QUESTION,
      fc.option(POINT),
      fc.boolean(),
      fc.string({ maxLength: 6 }),
      (q, near, prefix, language) => {
        const query = askFor(q, { near, prefix, language });
        assert.deepEqual(geocoder.geocode(query), geocoder.geocode(query));
        assert.ok(geocoder.search(query).length <= 5);
        if (near) assert.ok(geocoder.reverse({ ...near, language, limit: 5 }).length <= 5);
      },
    ),
  );
});

test("answers do not depend on the order in which features came", () => {
  fc.assert(
    fc.property(
      fc.shuffledSubarray([...COUNTRY], { minLength: COUNTRY.length }),
      QUESTION,
      (features, q) => {
        const other = geocoderOf(features);
        assert.deepEqual(other.geocode(askFor(q, ALL)), geocoder.geocode(askFor(q, ALL)));
        assert.deepEqual(other.search(askFor(q, ALL)), geocoder.search(askFor(q, ALL)));
      },
    ),
    { numRuns: 25 },
  );
});

test("a point changes the order of the answers and never what they are", () => {
  fc.assert(
    fc.property(QUESTION, POINT, (q, near) => {
      const plain = shown(geocoder.geocode(askFor(q, ALL))).sort();
      assert.deepEqual(shown(geocoder.geocode(askFor(q, { ...ALL, near }))).sort(), plain);
    }),
  );
});

test("what a question finds, it finds as the beginning of one, or something better", () => {
  fc.assert(
    fc.property(QUESTION, (q) => {
      const [best] = geocoder.geocode(askFor(q, ALL));
      const begun = geocoder.geocode(askFor(q, { ...ALL, prefix: true }));
      if (best)
        assert.ok(
          begun.some(({ label, score }) => label === best.label || score > best.score),
          best.label,
        );
    }),
  );
});
