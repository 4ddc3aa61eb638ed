/** The bars of `npm run trials -- gate` on the cost of a request: by what, for whom, and the median alone. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { barOf, isDearer, type Pair } from "../multiples.ts";

const pair = (floor_us: number, service_us: number): Pair => ({
  floor: { rps: 1, cpu_us: floor_us, bytes: 1 },
  service: { rps: 1, cpu_us: service_us, bytes: 1 },
});

test("bars are of requests without a key: 1.3 without results, 2 with 20 and with 100", () => {
  const bands = ["none", "about_20", "about_100", "20_of_many"] as const;
  assert.deepEqual(
    bands.map((band) => barOf(band, "anonymous")),
    [1.3, 2, 2, null],
  );
  assert.deepEqual(new Set(bands.map((band) => barOf(band, "keyed"))), new Set([null]));
});

test("the median turn decides, as a multiple of the floor of the same turn", () => {
  // A slow machine is slow for both.
  assert.equal(isDearer([pair(10, 13), pair(100, 129), pair(10, 90)], 1.3), false);
  assert.equal(isDearer([pair(10, 14), pair(100, 131), pair(10, 5)], 1.3), true);
  assert.equal(isDearer([pair(10, 90)], null), false);
});
