/** The implausibility rule (decisions, Global nearby): far from the median, and no neighbour. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { Location } from "#kit/geo.ts";
import { distance_m, wrapLon } from "#kit/geo.ts";
import { implausible, medianOf } from "../plausible.ts";
import { tries } from "../../../test/support/size.ts";

/** A block of 4 x 5 points some 200 m apart. */
function town(lat: number, lon: number): Location[] {
  return Array.from({ length: 20 }, (_, n) => ({
    lat: lat + (n % 4) * 0.002,
    lon: wrapLon(lon + Math.floor(n / 4) * 0.003),
  }));
}

test("a stray far away is found, a distant part with neighbours is kept", () => {
  const oslo = town(59.9, 10.7);
  const bergen = town(60.39, 5.3).slice(0, 2);
  const strays = [
    { lat: 71.17, lon: 25.78 },
    { lat: -33.9, lon: 151.2 },
  ];
  assert.deepEqual(implausible([...oslo, ...bergen]), new Set());
  assert.deepEqual(implausible([...oslo, ...strays, ...bergen]), new Set([20, 21]));
});

test("points on one spot are no neighbours of one another", () => {
  const spot = { lat: 71.17, lon: 25.78 };
  const near = { lat: 71.1702, lon: 25.78 };
  assert.deepEqual(implausible([...town(48.5, 7.7), spot, spot, near]), new Set([20, 21, 22]));
});

test("within 200 km a lonely point is plausible", () => {
  const lonely = { lat: 60.6, lon: 11.9 };
  assert.deepEqual(implausible([...town(59.9, 10.7), lonely]), new Set());
});

test("a neighbour counts from 50 m to 50 km", () => {
  const far = { lat: 63.43, lon: 10.4 };
  const north = (metres: number) => ({ lat: far.lat + metres / 111_195, lon: far.lon });
  const alone = (metres: number) => implausible([...town(59.9, 10.7), far, north(metres)]).has(20);
  assert.deepEqual([30, 70, 49_900, 50_100].map(alone), [true, false, false, true]);
});

test("fewer than three points say nothing", () => {
  assert.deepEqual(implausible([]), new Set());
  assert.deepEqual(implausible([{ lat: 0, lon: 0 }]), new Set());
  assert.deepEqual(implausible([town(59, 10)[0]!, town(-30, 150)[0]!]), new Set());
});

test("a system across the antimeridian is one system", () => {
  const fiji = town(-16.8, 179.994);
  assert.ok(fiji.some(({ lon }) => lon < 0) && fiji.some(({ lon }) => lon > 0));
  assert.deepEqual(implausible([...fiji, { lat: -16.8, lon: 0 }]), new Set([20]));
  assert.ok(Math.abs(medianOf(fiji).lon) > 179.9);
  const atZero = Array.from({ length: 8 }, () => ({ lat: -16.8, lon: 0 }));
  assert.ok(Math.abs(medianOf([...fiji, ...atZero]).lon) > 179.9);
});

test("neighbours across the antimeridian and near the poles are seen", () => {
  const pair = (lat: number, lon: number, apart: number) => [
    { lat, lon: wrapLon(lon) },
    { lat, lon: wrapLon(lon + apart) },
  ];
  for (const [lat, lon, apart] of [
    [10, 179.995, 0.01],
    [-45.5, 0, 0.01],
    [80, -180, 0.01],
    [89.9, 179.5, 170],
  ] as const) {
    const lone = { lat: -lat, lon };
    assert.deepEqual(
      implausible([...town(30, 100), ...pair(lat, lon, apart), lone]),
      new Set([22]),
    );
  }
});

test("same verdict as the rule taken literally", () => {
  // Hundredths of a degree: two points share a cell only when they are the same point.
  const degree = (min: number, max: number) =>
    fc.integer({ min: min * 100, max: max * 100 }).map((n) => n / 100);
  const point = fc.oneof(
    fc.record({ lat: degree(40, 41), lon: degree(-1, 1) }),
    fc.record({ lat: degree(38, 44), lon: degree(-4, 4) }),
    fc.record({ lat: degree(-90, 90), lon: degree(-180, 180) }),
    fc.record({ lat: degree(-90, -85), lon: degree(-180, 180) }),
    fc.record({ lat: degree(84, 86), lon: degree(-180, 180) }),
    fc.record({ lat: degree(-1, 1), lon: degree(179, 181).map(wrapLon) }),
  );
  fc.assert(
    fc.property(fc.array(point, { minLength: 3, maxLength: 60 }), (points) => {
      assert.deepEqual(implausible(points), literally(points));
    }),
    { numRuns: tries(2_000) },
  );
});

test("a country of 20,000 points has no stray, a heap of 9,000 strays is one", () => {
  const spread = Array.from({ length: 20_000 }, (_, n) => ({
    lat: 40 + (n % 200) * 0.05,
    lon: -5 + Math.floor(n / 200) * 0.1,
  }));
  const heap = Array.from({ length: 9_000 }, (_, n) => ({
    lat: 71.17 + (n % 90) * 1e-6,
    lon: 25.78 + Math.floor(n / 90) * 1e-6,
  }));
  assert.deepEqual(implausible(spread), new Set());
  assert.equal(implausible([...town(50, 5), ...spread.slice(0, 10_000), ...heap]).size, 9_000);
});

function literally(points: readonly Location[]): Set<number> {
  const median = medianOf(points);
  const metres = (a: Location, b: Location) => distance_m(a.lat, a.lon, b.lat, b.lon);
  const strays = points.flatMap((point, index) => {
    const near = points.some((other) => {
      const d = metres(point, other);
      return d >= 50 && d <= 50_000;
    });
    return metres(point, median) > 200_000 && !near ? [index] : [];
  });
  return new Set(strays);
}
