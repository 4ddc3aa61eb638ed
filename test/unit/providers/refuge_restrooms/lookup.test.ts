/** How Refuge Restrooms is asked; that nothing it sends throws; the project's own sample of rows. */
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { test } from "node:test";
import fc from "fast-check";
import source, { refugeRestrooms as reader } from "#providers/refuge_restrooms.ts";
import { toLookup } from "#providers/source.ts";
import { damaged, oddJson } from "../../../support/odd-json.ts";
import { checkRead, toWire } from "../../../support/place-fixtures.ts";
import { QUERY, read, SETTINGS } from "./readers.ts";

const refugeRestrooms = toLookup(source, reader);

const DATA = new URL(
  "../../../../../shared/data/services/refuge-restrooms-sample/",
  import.meta.url,
);
const ROW = {
  id: 1,
  name: "Library",
  street: "1 Main",
  city: "Town",
  state: "OR",
  approved: true,
  accessible: true,
  unisex: false,
  changing_table: null,
  directions: "",
  comment: "x",
  latitude: 45.5,
  longitude: -122.6,
  upvote: 1,
  downvote: 0,
  updated_at: "2024-03-04T05:06:07.890Z",
};

test("one page of a hundred around the point, without a radius", () => {
  const request = refugeRestrooms.request({ ...QUERY, lat: 1e-7, lon: -122.6 }, SETTINGS);
  assert.equal(
    request.url,
    "https://refuge.example/api/v1/restrooms/by_location?lat=0&lng=-122.6&page=1&per_page=100",
  );
  assert.equal(request.timeout_ms, 3_000);
  assert.ok(request.refusal_bytes! > 0 && request.max_bytes! > 0);
});

test("neither radius nor limit nor language makes another question", () => {
  const { keyOf } = refugeRestrooms;
  const other = { ...QUERY, radius_m: 5, limit: 1, language: "fr", country: null };
  assert.equal(keyOf(QUERY), keyOf(other));
  assert.equal(keyOf(QUERY), keyOf({ ...QUERY, lat: QUERY.lat + 0.00004 }));
  assert.notEqual(keyOf(QUERY), keyOf({ ...QUERY, lat: QUERY.lat + 0.0001 }));
  assert.notEqual(keyOf(QUERY), keyOf({ ...QUERY, lon: QUERY.lon + 0.0001 }));
});

test("a city that is its own state is in the address once", () => {
  const addressOf = (row: object) => {
    const answer = read(toWire(JSON.stringify([row])));
    return answer.ok ? answer.value.map(({ attributes }) => attributes["address"]) : answer;
  };
  const street = "71 Quai des Bateliers";
  assert.deepEqual(addressOf({ ...ROW, street, city: "Paris", state: "Paris" }), [
    `${street}, Paris`,
  ]);
  assert.deepEqual(addressOf({ ...ROW, street, city: null, state: "Paris" }), [`${street}, Paris`]);
  assert.deepEqual(addressOf({ ...ROW, city: "Town" }), ["1 Main, Town, OR"]);
});

test("any JSON is a typed failure or places", () => {
  const any = fc.oneof(
    oddJson(Object.keys(ROW)),
    fc.jsonValue(),
    damaged([ROW, { ...ROW, id: 2 }]),
  );
  fc.assert(fc.property(any, (json) => void checkRead(read(toWire(JSON.stringify(json))))));
});

test("any bytes and any status are a typed failure or places", () => {
  fc.assert(
    fc.property(fc.uint8Array(), fc.integer({ min: 200, max: 599 }), (bytes, status) => {
      const match = read(toWire(bytes, status));
      assert.equal(checkRead(match), 0);
      assert.ok(!match.ok);
    }),
  );
});

/** The sample is a CSV without line breaks between rows; its columns are those of the API. */
test("the rows of the project's sample become toilets", (t) => {
  if (!existsSync(DATA)) return t.skip("no refuge-restrooms-sample in ../shared/data");
  const text = readFileSync(new URL("export.csv", DATA), "utf8");
  const rows = [...text.matchAll(/,(\d{2}\.\d+),(-\d{2,3}\.\d+),([01]),/g)].map(
    ([, latitude, longitude, accessible], index) => ({
      id: index + 1,
      name: "",
      latitude,
      longitude,
      accessible,
      updated_at: "0000-00-00 00:00:00",
    }),
  );
  assert.ok(rows.length >= 20, `only ${rows.length} rows`);
  const match = read(toWire(JSON.stringify(rows)));
  assert.equal(checkRead(match), rows.length);
  t.diagnostic(`${rows.length} rows`);
  assert.ok(match.ok);
  for (const { attributes } of match.value) {
    assert.ok([undefined, "yes"].includes(attributes["wheelchair"] as undefined));
    assert.ok(!("updated_on" in attributes));
  }
  // The text itself is no answer.
  assert.deepEqual(read(toWire(text)), { ok: false, status: "error", reason: "not_json" });
});
