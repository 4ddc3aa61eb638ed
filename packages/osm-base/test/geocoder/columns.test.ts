import assert from "node:assert/strict";
import { test } from "node:test";
import { createGeocodingBudget } from "../../geocoder/forward.ts";
import fc from "fast-check";
import { errorsBetween } from "#kit/text/typing-errors.ts";
import { createCellFinder } from "../../geocoder/area-cells.ts";
import { openAreas, packAreas } from "../../geocoder/area-index.ts";
import { metresOf } from "../../geocoder/metres.ts";
import { openPoints, packPoints } from "../../geocoder/points.ts";
import { openPostings, packPostings, pairOf } from "../../geocoder/postings.ts";
import { openTerms, packTerms } from "../../geocoder/term-index.ts";

test("lists come out as they went in, ascending and each number once", () => {
  const lists = fc.array(fc.array(fc.nat({ max: 2 ** 26 - 1 }), { maxLength: 20 }), {
    maxLength: 8,
  });
  fc.assert(
    fc.property(lists, (input) => {
      const pairs = input.flatMap((list, i) => list.map((value) => pairOf(i, value)));
      const postings = openPostings("p", packPostings("p", input.length, Float64Array.from(pairs)));
      for (const [i, list] of input.entries()) {
        const read: number[] = [];
        postings.each(i, Infinity, (value) => read.push(value));
        assert.deepEqual(
          read,
          [...new Set(list)].sort((a, b) => a - b),
        );
        assert.equal(postings.count(i), read.length);
      }
    }),
  );
});

const WORD = fc.stringMatching(/^[a-e]{3,12}$/);

test("a word with one letter wrong is found again, a long one with two", () => {
  fc.assert(
    fc.property(WORD, fc.array(WORD, { maxLength: 30 }), fc.nat(), (word, others, seed) => {
      const words = [...new Set([word, ...others])].sort();
      const terms = openTerms(packTerms(words));
      assert.equal(terms.text(terms.find(word)), word);
      const at = seed % word.length;
      const without = word.slice(0, at) + word.slice(at + 1);
      const other = `${word.slice(0, at)}z${word.slice(at + 1)}`;
      for (const wrong of [without, other, `${word}z`]) {
        if (wrong.length < 3 || wrong === word) continue;
        const matches = terms
          .findLike(wrong, 100, createGeocodingBudget())
          .map(({ term }) => terms.text(term));
        assert.ok(matches.includes(word), `${wrong} for ${word}`);
      }
      if (other.length < 9) return;
      const twice = `z${other.slice(1)}`;
      assert.ok(
        terms
          .findLike(twice, 100, createGeocodingBudget())
          .some(({ term }) => terms.text(term) === word),
      );
    }),
  );
});

/** Few letters, so that many words are alike; digits, letters of two scripts, one that is in two bits alike. */
const LIKE = fc.stringMatching(/^[abcq3\u0442]{1,12}$/);

test("words like another one are exactly those within its errors, whatever words there are", () => {
  fc.assert(
    fc.property(
      LIKE,
      fc.array(LIKE, { maxLength: 60 }),
      fc.array(fc.nat(), { maxLength: 6 }),
      (word, others, seeds) => {
        const near = seeds.map((seed) => withErrors(word, seed)).filter(({ length }) => length > 0);
        const words = [
          ...new Set([
            word,
            ...near,
            ...near.flatMap((each) => withErrors(each, 1 + seeds[0]!)),
            ...others,
          ]),
        ]
          .filter(({ length }) => length > 0)
          .sort();
        const terms = openTerms(packTerms(words));
        for (const query of [word, ...near]) {
          const allowed = query.length >= 9 ? 2 : 1;
          const isFuzzy = (text: string): boolean => text.length >= 3 && !text.startsWith("3");
          const expected = words.flatMap((text, term) => {
            const errors = errorsBetween(query, terms.units(term), allowed);
            const isLike = isFuzzy(query) && isFuzzy(text) && errors > 0 && errors <= allowed;
            return isLike ? [{ term, errors }] : [];
          });
          expected.sort((a, b) => a.errors - b.errors || a.term - b.term);
          assert.deepEqual(terms.findLike(query, 100, createGeocodingBudget()), expected, query);
        }
      },
    ),
    { numRuns: 300 },
  );
});

/** A letter left out, put in, replaced, or exchanged with the next one. */
function withErrors(word: string, seed: number): string {
  const at = Math.floor(seed / 4) % word.length;
  const [before, letter, after] = [word.slice(0, at), word[at]!, word.slice(at + 1)];
  return [
    before + after,
    `${before}c${letter}${after}`,
    `${before}q${after}`,
    before + after.slice(0, 1) + letter + after.slice(1),
  ][seed % 4]!;
}

test("the words that begin so are a range", () => {
  fc.assert(
    fc.property(
      fc.array(WORD, { minLength: 1 }),
      fc.stringMatching(/^[a-e]{1,3}$/),
      (input, prefix) => {
        const words = [...new Set(input)].sort();
        const [from, to] = openTerms(packTerms(words)).range(prefix);
        assert.deepEqual(
          words.slice(from, to),
          words.filter((word) => word.startsWith(prefix)),
        );
      },
    ),
  );
});

const COORDINATE = fc.integer({ min: -400_000, max: 400_000 });

test("a point is in the areas that a plain count of crossings says, and cells change nothing", () => {
  const ring = fc.array(fc.tuple(COORDINATE, COORDINATE), { minLength: 3, maxLength: 8 });
  fc.assert(
    fc.property(
      fc.array(ring, { minLength: 1, maxLength: 4 }),
      fc.array(fc.tuple(COORDINATE, COORDINATE)),
      (rings, points) => {
        const areas = rings.map((each) => [Int32Array.from(each.flat())]);
        const index = openAreas(packAreas(areas));
        const cells = createCellFinder(index, areas);
        for (const [lat7, lon7] of points) {
          const expected = areas.flatMap(([own], i) =>
            crossings(own!, lat7, lon7) % 2 === 1 ? [i] : [],
          );
          assert.deepEqual(index.at(lat7, lon7), expected);
          assert.deepEqual(cells.at(lat7, lon7), expected);
        }
      },
    ),
  );
});

function crossings(ring: Int32Array, lat: number, lon: number): number {
  let count = 0;
  for (let i = 0; i < ring.length; i += 2) {
    const [a, x, b, y] = [
      ring[i]!,
      ring[i + 1]!,
      ring[(i + 2) % ring.length]!,
      ring[(i + 3) % ring.length]!,
    ];
    if (a > lat !== b > lat && lon < x + ((y - x) * (lat - a)) / (b - a)) count++;
  }
  return count;
}

test("the nearest point is the nearest of all", () => {
  const points = fc.array(fc.tuple(COORDINATE, COORDINATE), { maxLength: 60 });
  fc.assert(
    fc.property(points, COORDINATE, COORDINATE, (input, lat7, lon7) => {
      const columns = {
        lat7: Int32Array.from(input, ([lat]) => lat),
        lon7: Int32Array.from(input, ([, lon]) => lon),
      };
      const rows = Uint32Array.from(input, (_, row) => row);
      const match = openPoints("p", packPoints("p", rows, columns)).nearest(lat7, lon7, 2_000);
      const distances = input.map(([lat, lon]) => metresOf(lat - lat7, lon - lon7, lat7));
      const least = Math.min(Infinity, ...distances);
      assert.equal(match?.metres ?? Infinity, least <= 2_000 ? least : Infinity);
      if (match) assert.equal(match.row, distances.indexOf(least));
    }),
  );
});
