/** The spatial index against the rule taken literally: every row within the radius, once. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { Box, Location } from "#kit/geo.ts";
import { aimAt, distance_m, wrapLon } from "#kit/geo.ts";
import {
  type BandIndex,
  bandOrder,
  bandStarts,
  createHitSink,
  searchBands,
  searchBox,
} from "../shard/band-index.ts";
import { anyPoint, forAll, pointWithin } from "../../../test/support/domain.ts";

function indexOf(points: readonly Location[]): { index: BandIndex; order: Uint32Array } {
  const lats = Float64Array.from(points, ({ lat }) => lat);
  const lons = Float64Array.from(points, ({ lon }) => wrapLon(lon));
  const order = bandOrder(lats, lons);
  const lat = lats.map((_, row) => lats[order[row]!]!);
  const lon = lons.map((_, row) => lons[order[row]!]!);
  return { index: { lat, lon, ...bandStarts(lat) }, order };
}

function search(points: readonly Location[], centre: Location, radius: number): number[] {
  const { index, order } = indexOf(points);
  const sink = createHitSink(2);
  searchBands(index, aimAt(centre, radius), sink);
  const matches = Array.from(sink.rows.subarray(0, sink.count), (row) => order[row]!);
  return matches.sort((a, b) => a - b);
}

function literally(points: readonly Location[], centre: Location, radius: number): number[] {
  const within = ({ lat, lon }: Location) =>
    distance_m(centre.lat, centre.lon, lat, wrapLon(lon)) <= radius;
  return points.flatMap((point, i) => (within(point) ? [i] : []));
}

const radius = fc.oneof(
  fc.constant(400),
  fc.double({ min: 1, max: 400, noNaN: true }),
  fc.double({ min: 400, max: 20_000, noNaN: true }),
);

test("a circle finds what brute force finds: poles, seam, duplicates, radii to 20 km", () => {
  const scene = fc.tuple(anyPoint, radius).chain(([centre, metres]) => {
    const near = pointWithin(centre, metres * 1.3).map(({ lat, lon }) => ({
      lat: Math.max(-90, Math.min(90, lat)),
      lon,
    }));
    const points = fc.array(fc.oneof({ weight: 4, arbitrary: near }, anyPoint), { maxLength: 40 });
    return fc.tuple(fc.constant(centre), fc.constant(metres), points);
  });
  forAll(
    fc.property(scene, ([centre, metres, points]) => {
      const twice = [...points, ...points.slice(0, 5)];
      assert.deepEqual(search(twice, centre, metres), literally(twice, centre, metres));
    }),
    2000,
  );
});

test("everywhere at once: a circle of half the globe on an index of the whole", () => {
  const points = fc.array(anyPoint, { maxLength: 60 });
  forAll(
    fc.property(points, anyPoint, fc.integer({ min: 1, max: 20_037 }), (all, centre, km) => {
      assert.deepEqual(search(all, centre, km * 1000), literally(all, centre, km * 1000));
    }),
  );
});

test("an empty index finds nothing", () => {
  assert.deepEqual(search([], { lat: 0, lon: 0 }, 20_000), []);
});

test("longitude 180 is longitude -180", () => {
  const seam = [
    { lat: 5, lon: 180 },
    { lat: 5, lon: -180 },
    { lat: 5, lon: 179.999 },
    { lat: 5, lon: -179.999 },
  ];
  for (const lon of [180, -180, 179.9995, -179.9995])
    assert.deepEqual(search(seam, { lat: 5, lon }, 400), [0, 1, 2, 3]);
});

test("at a pole every longitude is near", () => {
  const ring = Array.from({ length: 36 }, (_, i) => ({ lat: 89.999, lon: i * 10 - 180 }));
  assert.equal(search(ring, { lat: 90, lon: 77 }, 400).length, 36);
  assert.equal(search(ring, { lat: 89.999, lon: -180 }, 400).length, 36);
});

function searchIn(points: readonly Location[], box: Box): number[] {
  const { index, order } = indexOf(points);
  const sink = createHitSink(2);
  searchBox(index, box, sink);
  assert.ok(sink.metres.subarray(0, sink.count).every((metres) => metres === 0));
  const matches = Array.from(sink.rows.subarray(0, sink.count), (row) => order[row]!);
  return matches.sort((a, b) => a - b);
}

/** Longitudes 180 and -180 are one. */
function lies({ south, north, west, east }: Box, { lat, lon }: Location): boolean {
  const isBetween = (x: number): boolean =>
    west <= east ? x >= west && x <= east : x >= west || x <= east;
  const same = Math.abs(lon) === 180 ? [180, -180] : [lon];
  return lat >= south && lat <= north && same.some(isBetween);
}

test("a box finds what a loop over everything finds: edges, poles, seam, empty bands", () => {
  const corners = fc.tuple(anyPoint, anyPoint, fc.double({ min: 0, max: 1, noNaN: true }));
  const box = corners.map(([a, b, shrink]): Box => {
    const south = Math.min(a.lat, b.lat);
    const north = south + (Math.max(a.lat, b.lat) - south) * (shrink < 0.5 ? 1 : shrink ** 8);
    return { south, north, west: a.lon, east: b.lon };
  });
  const onEdge = (each: Box) =>
    fc.record({
      lat: fc.constantFrom(each.south, each.north, (each.south + each.north) / 2),
      lon: fc.constantFrom(each.west, each.east, -180, 180),
    });
  const scene = box.chain((each) =>
    fc.tuple(fc.constant(each), fc.array(fc.oneof(anyPoint, onEdge(each)), { maxLength: 40 })),
  );
  let matches = 0;
  let seam = 0;
  forAll(
    fc.property(scene, ([each, points]) => {
      const twice = [...points, ...points.slice(0, 5)];
      const expected = twice.flatMap((point, i) => (lies(each, point) ? [i] : []));
      assert.deepEqual(searchIn(twice, each), expected, JSON.stringify([each, points]));
      matches += expected.length;
      if (each.west > each.east) seam += expected.length;
    }),
    2000,
  );
  assert.ok(matches > 2_000 && seam > 500);
});

test("a box between the bands, and a box in an empty index, find nothing", () => {
  const points = [
    { lat: 10, lon: 5 },
    { lat: 12, lon: 5 },
  ];
  assert.deepEqual(searchIn(points, { south: 10.5, north: 11.5, west: -180, east: 180 }), []);
  assert.deepEqual(searchIn([], { south: -90, north: 90, west: -180, east: 180 }), []);
});
