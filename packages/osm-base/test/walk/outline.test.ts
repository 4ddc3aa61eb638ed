/** Rims of marked squares: valid polygons wherever on Earth, of no more points than are allowed. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { toEnd } from "#kit/steps.ts";
import { MOST_POINTS, type Outline, Raster, SQUARE_M } from "../../walk/raster.ts";

type Mark = { north: number; east: number };
const MARKS = fc.array(
  fc.record({ north: fc.integer({ min: -30, max: 30 }), east: fc.integer({ min: -30, max: 30 }) }),
  { minLength: 1, maxLength: 120 },
);
/** Squares away from a place: on land, at the antimeridian on either side and on it, near the poles. */
const ORIGINS = fc.constantFrom(
  { lat7: 480_000_000, lon7: 90_000_000 },
  { lat7: -179_000_000, lon7: 1_799_990_000 },
  { lat7: -179_000_000, lon7: -1_799_990_000 },
  { lat7: 650_000_000, lon7: 1_800_000_000 },
  { lat7: 650_000_000, lon7: -1_800_000_000 },
  { lat7: 650_000_000, lon7: 1_799_999_999 },
  { lat7: 899_990_000, lon7: 0 },
  { lat7: -899_999_999, lon7: 1_799_000_000 },
);
const UNIT = SQUARE_M / (111_195.0797 / 1e7);

function draw({ lat7, lon7 }: { lat7: number; lon7: number }, marks: readonly Mark[]) {
  const scale = Math.max(1e-3, Math.cos((lat7 / 1e7) * (Math.PI / 180)));
  const raster = new Raster({ lat7, lon7 }, 800);
  const points = marks.map(({ north, east }) => {
    const lon = lon7 + ((east + 0.5) * UNIT) / scale;
    const wrapped = lon > 1.8e9 ? lon - 3.6e9 : lon < -1.8e9 ? lon + 3.6e9 : lon;
    return [lat7 + (north + 0.5) * UNIT, wrapped] as const;
  });
  for (const [lat, lon] of points) raster.mark(lat, lon);
  return { outline: toEnd(raster.outlineSteps()), points };
}

test("polygons are valid, hold every mark, and none crosses the antimeridian", () => {
  fc.assert(
    fc.property(ORIGINS, MARKS, (origin, marks) => {
      const { outline, points } = draw(origin, marks);
      checkValid(outline);
      for (const [lat7, lon7] of points)
        if (Math.abs(lat7) < 9e8 - UNIT)
          assert.ok(isIn(outline, [lon7 / 1e7, lat7 / 1e7]), `${lat7} ${lon7}`);
      for (const [lon, lat] of outline.flat(2)) {
        assert.ok(Math.abs(lon) <= 180 && Math.abs(lat) <= 90);
      }
      const wide = outline.map(([outer]) => outer!.map(([lon]) => lon));
      for (const lons of wide) assert.ok(Math.max(...lons) - Math.min(...lons) < 180);
    }),
  );
});

test("a ring of streets around a park is a polygon with a hole, which turns the other way", () => {
  const marks = [-10, 10].flatMap((side) =>
    Array.from({ length: 21 }, (_, i) => [
      { north: side, east: i - 10 },
      { north: i - 10, east: side },
    ]).flat(),
  );
  const { outline } = draw({ lat7: 480_000_000, lon7: 90_000_000 }, marks);
  assert.deepEqual(
    outline.map((rings) => rings.map((ring) => [ring.length, areaOf(ring) > 0])),
    [
      [
        [5, true],
        [5, false],
      ],
    ],
  );
});

test("what touches at a corner alone is one polygon that does not touch itself", () => {
  const marks = [
    { north: 0, east: 0 },
    { north: 3, east: 3 },
    { north: 6, east: 0 },
    { north: 3, east: -3 },
  ];
  const { outline } = draw({ lat7: 480_000_000, lon7: 90_000_000 }, marks);
  assert.equal(outline.length, 1);
  checkValid(outline);
});

test("however much is marked, there are no more points than are allowed", () => {
  const raster = new Raster({ lat7: 480_000_000, lon7: 90_000_000 }, 4_500);
  for (let north = -170; north < 170; north += 4)
    for (let east = -170; east < 170; east += 4)
      raster.mark(480_000_000 + north * UNIT, 90_000_000 + (east * UNIT) / Math.cos(0.8378));
  const outline = toEnd(raster.outlineSteps());
  assert.ok(outline.flat(2).length <= MOST_POINTS, String(outline.flat(2).length));
  checkValid(outline);
});

test("nothing is marked beyond the bound, nor outside of the raster", () => {
  const raster = new Raster({ lat7: 0, lon7: 0 }, 100);
  for (const far of [1e5, 1e6, 1e8]) {
    raster.mark(far, 0);
    raster.mark(0, -far);
  }
  assert.deepEqual(toEnd(raster.outlineSteps()), []);
});

type Ring = Outline[number][number];

/** RFC 7946 and the rules of simple features: closed, simple, turned, apart, holes in their polygon. */
function checkValid(outline: Outline): void {
  const corners = new Set<string>();
  for (const rings of outline)
    rings.forEach((ring, i) => {
      assert.deepEqual(ring[0], ring.at(-1));
      assert.ok(ring.length >= 5);
      assert.equal(areaOf(ring) > 0, i === 0);
      for (const corner of ring.slice(1)) {
        const key = corner.join();
        assert.ok(!corners.has(key), `${key} comes up twice`);
        corners.add(key);
      }
      if (i > 0) assert.ok(isIn([[rings[0]!]], ring[0]!), "a hole outside of its polygon");
    });
  checkApart(outline.flat());
}

/** Sides run along rows and columns, so that two meet only where one lies across the other. */
function checkApart(rings: readonly Ring[]): void {
  const sides = rings.flatMap((ring) =>
    ring.slice(1).map((end, i) => [...ring[i]!, ...end] as [number, number, number, number]),
  );
  const level = sides.filter(([, a, , b]) => a === b);
  const upright = sides.filter(([a, , b]) => a === b);
  assert.equal(level.length + upright.length, sides.length);
  for (const [ax, y, bx] of level)
    for (const [x, ay, , by] of upright) {
      const [west, east] = [Math.min(ax, bx), Math.max(ax, bx)];
      const [south, north] = [Math.min(ay, by), Math.max(ay, by)];
      const isAcross = x > west && x < east && y >= south && y <= north;
      const isAlong = y > south && y < north && x >= west && x <= east;
      assert.ok(!isAcross && !isAlong, `${x} ${y}`);
    }
}

function areaOf(ring: Ring): number {
  const [[x, y]] = ring as [Ring[number]];
  let sum = 0;
  for (let i = 1; i < ring.length; i++)
    sum += (ring[i - 1]![0] - x) * (ring[i]![1] - y) - (ring[i]![0] - x) * (ring[i - 1]![1] - y);
  return sum;
}

function isIn(outline: Outline, [x, y]: readonly [number, number]): boolean {
  let inside = false;
  for (const ring of outline.flat())
    for (let i = 1; i < ring.length; i++) {
      const [[ax, ay], [bx, by]] = [ring[i - 1]!, ring[i]!];
      if (ay > y !== by > y && x < ax + ((bx - ax) * (y - ay)) / (by - ay)) inside = !inside;
    }
  return inside;
}
