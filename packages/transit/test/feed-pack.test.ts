/** The snapshot of a feed: what goes in comes out, circles are exact, and nothing else is opened. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { distance_m } from "#kit/geo.ts";
import { openFeed } from "../schedule/feed-pack.ts";
import { packFeed } from "../../../test/support/transit.ts";
import type { TransitRoute } from "../schedule/station.ts";
import {
  meanOf,
  stationLocation,
  wheelchairOf,
  type TransitFeed,
} from "../schedule/schedule-stations.ts";

const route = (id: string, operator_id: string | null): TransitRoute => ({
  id,
  short_name: id,
  long_name: null,
  mode: id === "R1" ? "metro" : "bus",
  operator_id,
});

const ROUTES = [route("R0", "B"), route("R1", "A"), route("R2", null), route("R3", "B")];
const EMPTY: TransitFeed = {
  feed_id: "f",
  region: "fr-idf",
  fetched_at_ms: 7,
  licence: null,
  attribution: "Städte",
  realtime: null,
  alerts: false,
  operators: [
    { id: "A", name: "Ä" },
    { id: "B", name: "B", url: "https://b.example/" },
  ],
  routes: ROUTES,
  stations: [],
  timetable: null,
};

const arbStation = fc.record({
  id: fc.string({ minLength: 1, unit: "grapheme" }),
  name: fc.string({ minLength: 1, unit: "grapheme" }),
  lat: fc.double({ min: -90, max: 90, noNaN: true }),
  lon: fc.double({ min: -180, max: 180, noNaN: true }),
  wheelchair: fc.constantFrom("yes" as const, "no" as const, "unknown" as const),
  routes: fc.subarray([0, 1, 2, 3], { minLength: 1 }),
});

test("every station comes back as it went in", () => {
  fc.assert(
    fc.property(fc.array(arbStation, { maxLength: 40 }), (stations) => {
      const open = openFeed(packFeed({ ...EMPTY, stations }));
      assert.ok(open);
      assert.equal(open.count, stations.length);
      const key = (lat: number, lon: number, id: string): string => `${lat} ${lon} ${id}`;
      const back = Array.from({ length: open.count }, (_, row) => open.station(row));
      assert.deepEqual(
        back.map((one) => key(one.lat, one.lon, one.source.source_id)).sort(),
        stations.map((one) => key(one.lat, one.lon, one.id)).sort(),
      );
      for (const one of back) {
        const input = stations.filter(
          ({ id, lat, lon, name }) =>
            id === one.source.source_id && lat === one.lat && lon === one.lon && name === one.name,
        );
        assert.ok(
          input.some(
            ({ routes, wheelchair }) =>
              wheelchair === one.wheelchair &&
              routes.map((i) => ROUTES[i]!.id).join() === one.routes.map(({ id }) => id).join(),
          ),
        );
      }
    }),
    { numRuns: 60 },
  );
});

test("a station names its modes in order, its operators once, its feed and its source", () => {
  const stations = [
    { id: "s", name: "S", lat: 1, lon: 2, wheelchair: "yes" as const, routes: [0, 1, 2, 3] },
  ];
  const open = openFeed(packFeed({ ...EMPTY, stations }))!;
  assert.deepEqual(open.station(0), {
    lat: 1,
    lon: 2,
    name: "S",
    modes: ["bus", "metro"],
    routes: ROUTES,
    wheelchair: "yes",
    operators: [EMPTY.operators[1], EMPTY.operators[0]],
    realtime: null,
    alerts: false,
    fetched_at_ms: 7,
    source: {
      provider: "gtfs",
      region: "fr-idf",
      source_id: "s",
      operator_id: "B",
      feed_id: "f",
    },
  });
  assert.deepEqual(open.meta.counts, { stations: 1, routes: 4, operators: 2 });
  assert.equal(open.meta.attribution, "Städte");
});

test("a circle holds what brute force says, also at the poles and over the antimeridian", () => {
  const near = (centre: number, spread: number): fc.Arbitrary<number> =>
    fc.double({ min: centre - spread, max: centre + spread, noNaN: true });
  const places = [
    [48.85, 2.35],
    [89.99, 0],
    [-16.8, 179.99],
    [0, -180],
  ] as const;
  for (const [lat, lon] of places) {
    const wrapped = near(lon, 0.2).map((x) => (x > 180 ? x - 360 : x < -180 ? x + 360 : x));
    const arbPoint = fc.record({ lat: near(Math.min(lat, 89.9), 0.1), lon: wrapped });
    fc.assert(
      fc.property(
        fc.array(arbPoint, { maxLength: 60 }),
        arbPoint,
        fc.double({ min: 0, max: 30_000, noNaN: true }),
        (points, centre, radius_m) => {
          const stations = points.map((point, i) => ({
            ...point,
            id: `${i}`,
            name: "n",
            wheelchair: "unknown" as const,
            routes: [0],
          }));
          const open = openFeed(packFeed({ ...EMPTY, stations }))!;
          const match = open.search(centre.lat, centre.lon, radius_m);
          const expected = stations.filter(
            (one) => distance_m(centre.lat, centre.lon, one.lat, one.lon) <= radius_m,
          );
          assert.deepEqual(
            match.map(({ row }) => open.station(row).source.source_id).sort(),
            expected.map(({ id }) => id).sort(),
          );
          const metres = match.map((hit) => hit.distance_m);
          assert.deepEqual(
            metres,
            metres.toSorted((a, b) => a - b),
          );
        },
      ),
      { numRuns: 40 },
    );
  }
});

test("a circle holds what lies on its edge, and is sorted by distance, then by row", () => {
  const at = (id: string, lat: number): TransitFeed["stations"][number] => ({
    id,
    name: id,
    lat,
    lon: 2,
    wheelchair: "unknown",
    routes: [0],
  });
  const stations = [at("far", 1.02), at("edge", 1.01), at("twin", 1.005), at("twin2", 1.005)];
  const open = openFeed(packFeed({ ...EMPTY, stations }))!;
  const metres = distance_m(1, 2, 1.01, 2);
  const names = (radius_m: number): string[] =>
    open.search(1, 2, radius_m).map(({ row }) => open.station(row).name);
  assert.deepEqual(names(metres), ["twin", "twin2", "edge"]);
  assert.deepEqual(names(metres - 0.001), ["twin", "twin2"]);
  assert.deepEqual(names(0), []);
  assert.deepEqual(names(1e7).length, 4, "the whole world");
});

test("an incomplete snapshot is not opened", () => {
  const stations = Array.from({ length: 9 }, (_, i) => ({
    id: `s${i}`,
    name: "Ünter",
    lat: i,
    lon: i,
    wheelchair: "no" as const,
    routes: [i % 4],
  }));
  const pack = packFeed({ ...EMPTY, stations });
  assert.ok(openFeed(pack));
  for (let length = 0; length < pack.length; length++)
    assert.equal(openFeed(pack.slice(0, length)), null, `cut at ${length}`);
  for (let at = 0; at < pack.length; at++) {
    const flipped = pack.slice();
    flipped[at]! ^= 1 << (at % 8);
    assert.equal(openFeed(flipped), null, `bit of byte ${at}`);
  }
  assert.equal(openFeed(new Uint8Array(64)), null);
  assert.equal(openFeed(new TextEncoder().encode('{"feed":"json"}         ')), null);
  assert.equal(openFeed(new Uint8Array([...pack, ...new Uint8Array(8)])), null, "longer");
});

test("a snapshot may lie anywhere in a buffer, as drivers hand them over", () => {
  const stations = [
    { id: "s", name: "S", lat: 1, lon: 2, wheelchair: "yes" as const, routes: [0] },
  ];
  const pack = packFeed({ ...EMPTY, stations });
  for (let shift = 0; shift < 9; shift++) {
    const buffer = Buffer.alloc(pack.length + shift);
    buffer.set(pack, shift);
    assert.equal(openFeed(buffer.subarray(shift))?.station(0).name, "S", `shift ${shift}`);
  }
});

test("a station is as accessible as it says, else as its platforms", () => {
  assert.equal(wheelchairOf("no", ["yes"]), "no");
  assert.equal(wheelchairOf("yes", ["no"]), "yes");
  assert.equal(wheelchairOf("unknown", ["no", "yes", "unknown"]), "yes");
  assert.equal(wheelchairOf("unknown", ["no", "no"]), "no");
  assert.equal(wheelchairOf("unknown", ["no", "unknown"]), "unknown");
  assert.equal(wheelchairOf("unknown", []), "unknown");
});

test("a point is on the globe and not zero; a middle may lie on the antimeridian", () => {
  assert.deepEqual(stationLocation(0, 5), { lat: 0, lon: 5 });
  for (const [lat, lon] of [
    [0, 0],
    [90.1, 0],
    [0, 181],
    [null, 1],
    [1, null],
    [NaN, 1],
  ] as const)
    assert.equal(stationLocation(lat, lon), null);
  assert.equal(meanOf([]), null);
  assert.deepEqual(
    meanOf([
      { lat: 1, lon: 2 },
      { lat: 3, lon: 4 },
    ]),
    { lat: 2, lon: 3 },
  );
  assert.equal(
    meanOf([
      { lat: 0, lon: 179 },
      { lat: 0, lon: -179 },
    ])!.lon,
    -180,
  );
});
