/** Lambert-93: IGN's own constants, points others have published, and what any such projection keeps. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { distance_m } from "#kit/geo.ts";
import { CONE, toLambert93 } from "#core/legacy/lambert93.ts";

test("the cone is that of IGN's note NT/G 71, to the last digit that it prints", () => {
  assert.equal(CONE.n.toFixed(10), "0.7256077651");
  assert.equal(CONE.c.toFixed(4), "11754255.4261");
  assert.equal(CONE.ys.toFixed(4), "12655612.0499");
});

const POINTS: readonly [lat: number, lon: number, x: number, y: number][] = [
  // The origin, by definition.
  [46.5, 3, 700_000, 6_600_000],
  // The point that proj4php's readme and tests convert: 652709.401, 6859290.946.
  [48.831938054369, 2.3557811127971, 652_709.4, 6_859_290.9],
];

test("published points come out, to a decimetre", () => {
  for (const [lat, lon, x, y] of POINTS) assert.deepEqual(toLambert93({ lat, lon }), { x, y });
});

test("outside of its area of use there are no numbers", () => {
  for (const [lat, lon] of [
    [41.14, 3],
    [51.57, 3],
    [46, -9.87],
    [46, 10.39],
    [35.68, 139.69],
    [-33.9, 18.4],
  ] as const)
    assert.equal(toLambert93({ lat, lon }), null, `${lat},${lon}`);
  for (const [lat, lon] of [
    [41.15, -9.86],
    [51.56, 10.38],
  ] as const)
    assert.notEqual(toLambert93({ lat, lon }), null, `${lat},${lon}`);
});

test("short ways keep their length, to the scale of the cone, and their direction", () => {
  const degrees = (min: number, max: number) =>
    fc.integer({ min: min * 1e4, max: max * 1e4 }).map((part) => part / 1e4);
  fc.assert(
    fc.property(degrees(42, 51), degrees(-4, 9), (lat, lon) => {
      const here = toLambert93({ lat, lon })!;
      const east = toLambert93({ lat, lon: lon + 0.01 })!;
      const north = toLambert93({ lat: lat + 0.01, lon })!;
      const [dx, dy] = [east.x - here.x, east.y - here.y];
      const [ux, uy] = [north.x - here.x, north.y - here.y];
      // Within 1 % on land: 0.4 % of the cone, the rest of the sphere that distances are measured on.
      const across_m = distance_m(lat, lon, lat, lon + 0.01);
      assert.ok(Math.abs(Math.hypot(dx, dy) / across_m - 1) < 0.01);
      assert.ok(Math.abs(Math.hypot(ux, uy) / distance_m(lat, lon, lat + 0.01, lon) - 1) < 0.01);
      // Conformal: what is perpendicular stays so.
      assert.ok(Math.abs(dx * ux + dy * uy) / (Math.hypot(dx, dy) * Math.hypot(ux, uy)) < 1e-3);
      assert.ok(dx > 0 && uy > 0);
      assert.equal(Math.sign(ux), lon === 3 ? 0 : Math.sign(3 - lon) * Math.sign(Math.abs(ux)));
    }),
  );
});
