/** Settlements around a point do not depend on the order in which a tree lists them. */
import assert from "node:assert/strict";
import test from "node:test";
import type Flatbush from "flatbush";
import { nearestPlaces, type Settlements } from "../../geocoder/locality.ts";
import { SETTLEMENT_KINDS } from "../../geocoder/settlements.ts";

const HAMLET = SETTLEMENT_KINDS.indexOf("hamlet");

function settlements(points: readonly [number, number][], listed: readonly number[]): Settlements {
  const tree: Pick<Flatbush, "search"> = { search: () => [...listed] };
  return {
    lat7: Int32Array.from(points, ([lat7]) => lat7),
    lon7: Int32Array.from(points, ([, lon7]) => lon7),
    kinds: new Uint8Array(points.length).fill(HAMLET),
    bounded: new Uint8Array(points.length),
    tree: tree as Flatbush,
  };
}

test("of two that are as near the lower number is taken, whichever is listed first", () => {
  const points: [number, number][] = [
    [0, 9000],
    [0, 2000],
    [0, -2000],
  ];
  for (const listed of [
    [0, 1, 2],
    [2, 1, 0],
    [1, 0, 2],
  ]) {
    const [nearest, ...more] = nearestPlaces(
      settlements(points, listed),
      { lat7: 0, lon7: 0 },
      1_000,
    );
    assert.equal(nearest?.doc, 1, `listed ${listed.join()}`);
    assert.deepEqual(more, []);
  }
});

test("of more than are looked at those of the lowest numbers count", () => {
  const count = 5_000;
  const points = Array.from({ length: count }, (_, i): [number, number] => [0, 20_000 - 4 * i]);
  const listed = Array.from(points, (_, i) => count - 1 - i);
  const [nearest] = nearestPlaces(settlements(points, listed), { lat7: 0, lon7: 0 }, 1_000);
  assert.equal(nearest?.doc, 4_095);
});
