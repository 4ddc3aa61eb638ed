/** A heap within one metre is cut, and what lies a metre apart is not, wherever on Earth. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Crowd } from "#core/places/crowd.ts";
import { moved } from "../../../support/domain.ts";

const MOST = 64;
const POINTS = [
  { lat: 0.000_003, lon: 0.000_003 },
  { lat: 48.85, lon: 2.35 },
  { lat: -54.8, lon: -179.9 },
  { lat: 71.2, lon: 179.9 },
];

for (const at of POINTS)
  test(`at ${at.lat}, ${at.lon}: ${MOST} of a heap, and each of those that lie apart`, () => {
    const crowd = new Crowd();
    const admitted = Array.from({ length: MOST + 3 }, () => crowd.admits(at));
    assert.deepEqual(admitted, [...Array<boolean>(MOST).fill(true), false, false, false]);
    for (const apart of [moved(at, 3), moved(at, -3), moved(at, 0, 3), moved(at, 0, -3)])
      assert.ok(crowd.admits(apart));
    // In a row along a parallel there are more than that, and all of them pass.
    const row = new Crowd();
    for (let east_m = 0; east_m < 600; east_m += 3)
      assert.ok(row.admits(moved(at, 0, east_m)), `${east_m} m`);
  });

test("a pole is a point as any other", () => {
  const crowd = new Crowd();
  for (let n = 0; n < MOST; n++) assert.ok(crowd.admits({ lat: -90, lon: n }));
  assert.equal(crowd.admits({ lat: -90, lon: 100 }), false);
});
