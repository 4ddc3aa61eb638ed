/** Blocking finds exactly the pairs that a comparison of all with all finds. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { indexPlaces, visitNear } from "../../identity/neighbours.ts";
import type { Feed, Observation } from "../../identity/observed-station.ts";
import { prepare, separation_m } from "../../identity/prepare.ts";
import type { Prepared } from "../../identity/prepare.ts";
import { TUNING } from "../../identity/weights.ts";
import { feedOf, observe } from "./world.ts";
import { tries } from "../../../../test/support/size.ts";

const FEEDS: readonly Feed[] = [feedOf("g", "gbfs", ["Hub"]), feedOf("c", "citybikes", ["Hub"])];
const REACH_M = 150;

type Place = readonly [lat: number, lon: number];

/** The pairs of the two feeds as the index finds them; sorted, so that a pair found twice shows. */
function pairsOf(prepared: Prepared): string[] {
  const [few, many] = prepared.rows as [number[], number[]];
  const index = indexPlaces(prepared, many, REACH_M);
  const pairs: string[] = [];
  for (const a of few)
    visitNear(index, { lat: prepared.lat[a]!, lon: prepared.lon[a]! }, (b) => {
      if (separation_m(prepared, a, b) <= REACH_M) pairs.push(`${a}~${b}`);
      return true;
    });
  return pairs.sort();
}

function allPairs(prepared: Prepared): string[] {
  const [few, many] = prepared.rows as [number[], number[]];
  return few
    .flatMap((a) =>
      many.flatMap((b) => (separation_m(prepared, a, b) <= REACH_M ? [`${a}~${b}`] : [])),
    )
    .sort();
}

function at(places: readonly Place[], others: readonly Place[]): Prepared {
  const rows: Observation[] = [places, others].flatMap((some, feed) =>
    some.map(([lat, lon], i) => observe(feed, `${feed}-${i}`, {}, { lat, lon })),
  );
  return prepare(FEEDS, rows, TUNING);
}

function wrap(lon: number): number {
  return lon > 180 ? lon - 360 : lon < -180 ? lon + 360 : lon;
}

/** On a coarse grid, so that longitudes and whole places are equal; and a hair off it. */
const CENTRES: Place[] = [
  [0, 0],
  [45, 5],
  [-60, 179.9995],
  [71, -179.9995],
  [89.9, 100],
  [89.9995, -20],
  [-90, 0],
  [0, 180],
  [-33, -180],
];
const places = fc.constantFrom(...CENTRES).chain(([lat, lon]) => {
  const spot = fc
    .tuple(
      fc.integer({ min: -8, max: 8 }),
      fc.integer({ min: -40, max: 40 }),
      fc.constantFrom(0, 0, 1e-7, -1e-7, 4e-8, -3e-9),
    )
    .map(([y, x, hair]): Place => [
      Math.max(-90, Math.min(90, lat + y / 2_000 + hair)),
      wrap(lon + x / 2_000 + hair),
    ]);
  return fc.tuple(fc.array(spot, { maxLength: 25 }), fc.array(spot, { maxLength: 25 }));
});

test("every pair within reach, once, in cities, at the poles and across the antimeridian", () => {
  fc.assert(
    fc.property(places, ([some, others]) => {
      const prepared = at(some, others);
      assert.deepEqual(pairsOf(prepared), allPairs(prepared));
    }),
    { numRuns: tries(1_000) },
  );
});

test("every pair of a dense cell, whatever the last digits of its longitudes", () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: -50, max: 50 }), { minLength: 2, maxLength: 60 }),
      fc.integer({ min: 4, max: 8 }),
      (steps, digits) => {
        const exact = steps.map((step): Place => [45.123456789, 5.123456789 + step * 1.7e-9]);
        const copies = exact.map(([lat, lon]): Place => [
          Number(lat.toFixed(digits)),
          Number(lon.toFixed(digits)),
        ]);
        const prepared = at(exact, copies);
        assert.equal(pairsOf(prepared).length, steps.length ** 2);
        assert.deepEqual(pairsOf(prepared), allPairs(prepared));
      },
    ),
  );
});

test("pairs across the antimeridian are found from either side", () => {
  const [east, west]: [Place, Place] = [
    [10, 179.9999],
    [10.0005, -179.9999],
  ];
  assert.deepEqual(pairsOf(at([east], [west])), ["0~1"]);
  assert.deepEqual(pairsOf(at([west], [east])), ["0~1"]);
  assert.deepEqual(pairsOf(at([[10, 180]], [[10, -180]])), ["0~1"]);
});

test("a search ends when its caller has enough", () => {
  const prepared = at(
    [[45, 5]],
    Array.from({ length: 1_000 }, (): Place => [45, 5]),
  );
  let visits = 0;
  visitNear(indexPlaces(prepared, prepared.rows[1]!, REACH_M), { lat: 45, lon: 5 }, () => {
    visits++;
    return visits < 10;
  });
  assert.equal(visits, 10);
});

test("no observations, no pairs", () => {
  assert.deepEqual(pairsOf(at([], [])), []);
});
