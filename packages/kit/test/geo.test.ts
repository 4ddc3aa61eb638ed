/** The sphere (decisions, Conventions): great-circle metres, windows and boxes, poles and seam. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { Box, Location } from "../geo.ts";
import {
  aimAt,
  bearing_deg,
  boxOf,
  boxTouchesCircle,
  distance_m,
  distanceFrom,
  EARTH_RADIUS_M,
  reachOf,
  unionBox,
  wrapLon,
} from "../geo.ts";
import { anyPoint, forAll, moved, pointWithin } from "../../../test/support/domain.ts";
import { tries } from "../../../test/support/size.ts";

const HALF_TURN_M = Math.PI * EARTH_RADIUS_M;
const between = (a: Location, b: Location) => distance_m(a.lat, a.lon, b.lat, b.lon);

// Proves §1 distances
test("distances of known pairs on the sphere of 6 371 008.8 m", () => {
  const pairs: [string, Location, Location, number][] = [
    ["one degree of latitude", { lat: 0, lon: 0 }, { lat: 1, lon: 0 }, 111_195.08],
    ["one degree along the equator", { lat: 0, lon: 179.5 }, { lat: 0, lon: -179.5 }, 111_195.08],
    ["pole to pole", { lat: 90, lon: 12 }, { lat: -90, lon: 77 }, HALF_TURN_M],
    ["antipodes", { lat: 10, lon: 20 }, { lat: -10, lon: -160 }, HALF_TURN_M],
    ["a pole is one point", { lat: 90, lon: 0 }, { lat: 90, lon: 135 }, 0],
    // cos(60°) = 1/2, so a parallel is half an equator; the great circle cuts the corner a little.
    ["one degree at 60° north", { lat: 60, lon: 0 }, { lat: 60, lon: 1 }, 55_597.01],
    ["Paris to London", { lat: 48.8566, lon: 2.3522 }, { lat: 51.5074, lon: -0.1278 }, 343_556.53],
  ];
  for (const [name, a, b, metres] of pairs) {
    const match = between(a, b);
    assert.ok(Math.abs(match - metres) < 0.5, `${name}: ${match}, not ${metres}`);
  }
});

test("a distance is symmetric, at most half a turn, zero to itself, and no detour is shorter", () => {
  forAll(
    fc.property(anyPoint, anyPoint, anyPoint, (a, b, c) => {
      assert.equal(between(a, b), between(b, a));
      assert.equal(between(a, a), 0);
      assert.ok(between(a, b) <= HALF_TURN_M + 1e-6);
      assert.ok(between(a, c) <= between(a, b) + between(b, c) + 1e-2);
    }),
  );
});

test("from an aim, distances are the same to ten nanometres, wherever it is", () => {
  let near = 0;
  const pair = anyPoint.chain((from) =>
    fc.tuple(fc.constant(from), fc.oneof(pointWithin(from, 50_000), anyPoint)),
  );
  forAll(
    fc.property(pair, ([from, to]) => {
      const measured = distanceFrom(aimAt(from, 400), to.lat, to.lon);
      const metres = between(from, to);
      if (metres < 50_000) near++;
      assert.ok(Math.abs(measured - metres) <= 1e-8 + metres * 1e-13, `${measured}, not ${metres}`);
    }),
    5000,
  );
  assert.ok(near > tries(1_000), `${near} pairs were near`);
});

test("half a metre is still measured to a millimetre", () => {
  const here = { lat: 48.85, lon: 2.35 };
  assert.ok(Math.abs(between(here, moved(here, 0.5)) - 0.5) < 1e-3);
  assert.ok(Math.abs(between(here, moved(here, 0, 0.5)) - 0.5) < 1e-3);
});

/** The point that lies the given metres from another on a bearing. */
function destination(from: Location, metres: number, bearing: number): Location {
  const rad = Math.PI / 180;
  const r = metres / EARTH_RADIUS_M;
  const lat1 = from.lat * rad;
  const lat2 = Math.asin(
    Math.sin(lat1) * Math.cos(r) + Math.cos(lat1) * Math.sin(r) * Math.cos(bearing),
  );
  const dlon = Math.atan2(
    Math.sin(bearing) * Math.sin(r) * Math.cos(lat1),
    Math.cos(r) - Math.sin(lat1) * Math.sin(lat2),
  );
  return { lat: lat2 / rad, lon: wrapLon(from.lon + dlon / rad) };
}

const radius = fc.oneof(
  fc.double({ min: 1, max: 20_000, noNaN: true }),
  fc.double({ min: 1, max: HALF_TURN_M, noNaN: true }),
);

test("the window around a circle is never too small: poles and antimeridian included", () => {
  const bearing = fc.double({ min: 0, max: 2 * Math.PI, noNaN: true });
  const share = fc.double({ min: 0, max: 1, noNaN: true });
  forAll(
    fc.property(anyPoint, radius, bearing, share, (centre, metres, angle, part) => {
      const point = destination(centre, metres * part, angle);
      if (between(centre, point) > metres) return;
      const { dlat, dlon } = reachOf(centre.lat, metres);
      assert.ok(Math.abs(point.lat - centre.lat) <= dlat);
      const apart = Math.abs(wrapLon(point.lon - centre.lon));
      assert.ok(dlon >= 180 || apart <= dlon, `${apart} > ${dlon}`);
    }),
    2000,
  );
});

test("the window is not much too large away from the poles", () => {
  const { dlat, dlon } = reachOf(60, 400);
  assert.ok(Math.abs(dlat - 400 / 111_195.08) < 1e-7);
  assert.ok(Math.abs(dlon - 2 * dlat) < 1e-5);
});

test("a longitude is brought into [-180, 180)", () => {
  const table = [
    [180, -180],
    [-180, -180],
    [181, -179],
    [-181, 179],
    [540, -180],
    [0, 0],
    [179.999, 179.999],
  ] as const;
  for (const [lon, wrapped] of table) assert.equal(wrapLon(lon), wrapped);
  forAll(
    fc.property(fc.double({ min: -1e6, max: 1e6, noNaN: true }), (lon) => {
      const wrapped = wrapLon(lon);
      assert.ok(wrapped >= -180 && wrapped < 180);
    }),
  );
});

const width = ({ west, east }: Box) => (east >= west ? east - west : east - west + 360);
const eastOf = (from: number, lon: number) => (((lon - from) % 360) + 360) % 360;
const SLACK_DEG = 1e-9;

function holds(box: Box, point: Location): boolean {
  const offset = eastOf(box.west, point.lon);
  const inLon = offset <= width(box) + SLACK_DEG || offset >= 360 - SLACK_DEG;
  return inLon && point.lat >= box.south && point.lat <= box.north;
}

function boxAround(points: readonly Location[]): Box | null {
  return boxOf(
    Float64Array.from(points, ({ lat }) => lat),
    Float64Array.from(points, ({ lon }) => lon),
  );
}

const somePoints = fc.array(anyPoint, { minLength: 1, maxLength: 12 });
/** A town's worth of points anywhere, the seam included. */
const town = anyPoint
  .filter(({ lat }) => Math.abs(lat) < 80)
  .chain((centre) => fc.array(pointWithin(centre, 30_000), { minLength: 1, maxLength: 12 }));

test("a box holds its points; one of a town is as small as the town, seam or not", () => {
  assert.equal(boxOf(new Float64Array(), new Float64Array()), null);
  forAll(
    fc.property(somePoints, (points) => {
      const box = boxAround(points)!;
      for (const point of points) assert.ok(holds(box, point));
    }),
  );
  forAll(fc.property(town, (points) => assert.ok(width(boxAround(points)!) < 4)));
});

test("a town on the antimeridian has west > east", () => {
  const box = boxAround([
    { lat: -17, lon: 179.9 },
    { lat: -16, lon: -179.8 },
    { lat: -16.5, lon: 178 },
  ]);
  assert.deepEqual(box, { south: -17, north: -16, west: 178, east: -179.8 });
});

const tenth = (min: number, max: number) =>
  fc.integer({ min: min * 10, max: max * 10 }).map((n) => n / 10);
const anyBox: fc.Arbitrary<Box> = fc
  .tuple(tenth(-90, 90), tenth(-90, 90), tenth(-180, 180), fc.oneof(tenth(0, 3), tenth(0, 359)))
  .map(([a, b, west, wide]) => {
    const east = west + wide;
    return {
      south: Math.min(a, b),
      north: Math.max(a, b),
      west,
      east: east > 180 ? Math.round((east - 360) * 10) / 10 : east,
    };
  });

test("the union of two boxes holds both, whichever way round the globe", () => {
  assert.equal(unionBox(null, null), null);
  forAll(
    fc.property(anyBox, anyBox, fc.double({ min: 0, max: 1, noNaN: true }), (a, b, share) => {
      const union = unionBox(a, b)!;
      assert.deepEqual(unionBox(a, null), a);
      assert.deepEqual(unionBox(null, b), b);
      for (const box of [a, b]) {
        const point = { lat: box.south, lon: wrapLon(box.west + share * width(box)) };
        assert.ok(holds(union, point), JSON.stringify({ a, b, union }));
        assert.ok(holds(union, { lat: box.north, lon: box.east }));
      }
    }),
    3000,
  );
});

test("vehicles across the antimeridian do not make the stations next to it disappear", () => {
  const stations = { south: -18, north: -17, west: 177, east: 178 };
  const vehicles = { south: -17, north: -16, west: 179, east: -179.9 };
  const both = { south: -18, north: -16, west: 177, east: -179.9 };
  assert.deepEqual(unionBox(stations, vehicles), both);
  assert.deepEqual(unionBox(vehicles, stations), both);
});

test("R14: a box that holds a point within the radius is touched by the circle", () => {
  forAll(
    fc.property(somePoints, anyPoint, radius, (points, centre, metres) => {
      const box = boxAround(points)!;
      if (points.some((point) => between(point, centre) <= metres))
        assert.ok(boxTouchesCircle(box, centre, reachOf(centre.lat, metres)));
    }),
    1000,
  );
  forAll(
    fc.property(
      town.chain((points) => fc.tuple(fc.constant(points), pointWithin(points[0]!, 500))),
      ([points, centre]) => {
        if (points.some((point) => between(point, centre) <= 400))
          assert.ok(boxTouchesCircle(boxAround(points)!, centre, reachOf(centre.lat, 400)));
      },
    ),
  );
});

test("R14: a box far away is not touched", () => {
  const paris = { south: 48.8, north: 48.9, west: 2.2, east: 2.5 };
  const fiji = { south: -18, north: -16, west: 177, east: -179 };
  const table: [Box, Location, boolean][] = [
    [paris, { lat: 48.85, lon: 2.35 }, true],
    [paris, { lat: 48.9 + 0.0035, lon: 2.35 }, true],
    [paris, { lat: 48.9 + 0.004, lon: 2.35 }, false],
    [paris, { lat: 48.85, lon: 2.51 }, false],
    [fiji, { lat: -17, lon: 180 }, true],
    [fiji, { lat: -17, lon: -180 }, true],
    [fiji, { lat: -17, lon: -178.99 }, false],
    [fiji, { lat: -17, lon: 0 }, false],
  ];
  for (const [box, point, touched] of table)
    assert.equal(
      boxTouchesCircle(box, point, reachOf(point.lat, 400)),
      touched,
      JSON.stringify(point),
    );
});

test("bearings are those of the compass at the first point, over the antimeridian too", () => {
  const at = { lat: 48, lon: 2 };
  for (const [lat, lon, degrees] of [
    [49, 2, 0],
    [48, 2.1, 90],
    [47, 2, 180],
    [48, 1.9, 270],
    [48.01, 2.01494, 45],
  ] as const)
    assert.equal(bearing_deg(at, { lat, lon }), degrees, `${lat}, ${lon}`);
  assert.equal(bearing_deg({ lat: 0, lon: 179.9 }, { lat: 0, lon: -179.9 }), 90);
});
