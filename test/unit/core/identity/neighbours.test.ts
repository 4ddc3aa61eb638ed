/** Blocking finds exactly the pairs that a comparison of all with all finds. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { visitNeighbours } from "#core/identity/neighbours.ts";
import type { Feed, Observation } from "#core/identity/observation.ts";
import { prepare, separation_m } from "#core/identity/prepare.ts";
import type { Prepared } from "#core/identity/prepare.ts";
import { TUNING } from "#core/identity/weights.ts";
import { feedOf, observe } from "./world.ts";

const FEED: readonly Feed[] = [feedOf("g", "gbfs", [])];
const REACH_M = 150;

function pairsOf(prepared: Prepared): string[] {
  const pairs: string[] = [];
  visitNeighbours(prepared, REACH_M, (a, b) => {
    if (separation_m(prepared, a, b) <= REACH_M) pairs.push([a, b].sort((x, y) => x - y).join("~"));
  });
  return pairs.sort();
}

function allPairs(prepared: Prepared): string[] {
  const pairs: string[] = [];
  for (let a = 0; a < prepared.lat.length; a++)
    for (let b = a + 1; b < prepared.lat.length; b++)
      if (separation_m(prepared, a, b) <= REACH_M) pairs.push(`${a}~${b}`);
  return pairs.sort();
}

function at(places: readonly (readonly [number, number])[]): Prepared {
  const rows: Observation[] = places.map(([lat, lon], i) =>
    observe(0, String(i), {}, { lat, lon }),
  );
  return prepare(FEED, rows, TUNING);
}

test("every pair within reach, once, in cities, at the poles and across the antimeridian", () => {
  const step = 1 / 2_000;
  const centre = fc.constantFrom(
    [0, 0],
    [45, 5],
    [-60, 179.9995],
    [71, -179.9995],
    [89.9, 100],
    [0, 180],
  );
  const places = centre.chain(([lat, lon]) =>
    fc.array(
      fc.tuple(fc.integer({ min: -8, max: 8 }), fc.integer({ min: -40, max: 40 })).map(([y, x]) => {
        const east = lon + x * step;
        const wrapped = east > 180 ? east - 360 : east < -180 ? east + 360 : east;
        return [lat + y * step, wrapped] as const;
      }),
      { maxLength: 25 },
    ),
  );
  fc.assert(
    fc.property(places, (some) => {
      const prepared = at(some);
      assert.deepEqual(pairsOf(prepared), allPairs(prepared));
    }),
    { numRuns: 500 },
  );
});

test("pairs across the antimeridian are found from either side", () => {
  assert.deepEqual(
    pairsOf(
      at([
        [10, 179.9999],
        [10, -179.9999],
      ]),
    ),
    ["0~1"],
  );
  assert.deepEqual(
    pairsOf(
      at([
        [10, -179.9999],
        [10.0005, 179.9999],
      ]),
    ),
    ["0~1"],
  );
});

test("no observations, no pairs", () => {
  assert.deepEqual(pairsOf(at([])), []);
});
