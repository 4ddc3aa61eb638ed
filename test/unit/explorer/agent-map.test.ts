/** The map of agents: metres around a point, what is seen of them, and the things of a stored search. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { distance_m } from "#kit/geo.ts";

type Place = { east: number; north: number };
type Sight = Place & { scale: number };
type Size = { width: number; height: number };
type At = { x: number; y: number };
type Within = { size: Size; radius_m: number };
type Point = { lat: number; lon: number };
type Thing = {
  id: string;
  layer: string;
  usable: string;
  free: number | null;
  docks: number | null;
  battery: number | null;
  sources: string[];
  operator: string | null;
  name: string;
  walk: { meters: number; seconds: number } | null;
  distance: number;
  observed_at: string | null;
};
type Match = { things: Thing[]; unplaced: number };
type Plane = {
  toPlace(origin: Point, point: Point): Place;
  fit(radius_m: number, size: Size): Sight;
  toPixels(sight: Sight, size: Size, place: Place): At;
  toMetres(sight: Sight, size: Size, at: At): Place;
  zoom(sight: Sight, factor: number, at: At, within: Within): Sight;
  move(sight: Sight, by: At, within: Within): Sight;
  gather(places: readonly Place[], within: Within): Sight;
  toRings(radius_m: number): number[];
};
type Things = {
  readShown(answer: object): Match;
  readStored(body: object, about: { intent: string | null; credited: string[] }): Match;
};
type Marks = {
  group(things: readonly Thing[], placeOf: (thing: Thing) => Place, step: number): Group[];
};
type Group = Place & { members: Thing[] };

const FOLDER = new URL("../../../explorer/agent-map/", import.meta.url);
const load = (name: string): Promise<unknown> => import(new URL(name, FOLDER).href);
const { toPlace, fit, toPixels, toMetres, zoom, move, gather, toRings } = (await load(
  "plane.js",
)) as Plane;
const { readShown, readStored } = (await load("things.js")) as Things;
const { onFoot } = (await load("words.js")) as { onFoot(walk: Thing["walk"]): string | null };
const { group } = (await load("marks.js")) as Marks;

const size = { width: 360, height: 320 };
const within = { size, radius_m: 400 };

describe("the plane around a point", () => {
  test("a place is as far away as it is on the ground, across the antimeridian too", () => {
    const any = fc.record({
      lat: fc.double({ min: -80, max: 80, noNaN: true }),
      lon: fc.double({ min: -180, max: 180, noNaN: true }),
      up: fc.double({ min: -0.004, max: 0.004, noNaN: true }),
      right: fc.double({ min: -0.004, max: 0.004, noNaN: true }),
    });
    fc.assert(
      fc.property(any, ({ lat, lon, up, right }) => {
        const far = { lat: lat + up, lon: ((lon + right + 540) % 360) - 180 };
        const { east, north } = toPlace({ lat, lon }, far);
        const metres = distance_m(lat, lon, far.lat, far.lon);
        assert.ok(Math.abs(Math.hypot(east, north) - metres) <= 0.01 + metres * 0.001);
        assert.ok(east * right >= -1e-6 && north * up >= 0);
      }),
    );
  });

  test("the whole circle fits, and a place in pixels is the same place in metres", () => {
    const sight = fit(400, size);
    for (const place of [
      { east: 400, north: 0 },
      { east: 0, north: -400 },
    ]) {
      const at = toPixels(sight, size, place);
      assert.ok(at.x >= 0 && at.x <= size.width && at.y >= 0 && at.y <= size.height);
      const back = toMetres(sight, size, at);
      assert.ok(Math.hypot(back.east - place.east, back.north - place.north) < 1e-9);
    }
  });

  test("a zoom leaves what lies under the pointer there, and ends at the circle and close by", () => {
    const at = { x: 200, y: 150 };
    const sight = fit(400, size);
    const fixed = toMetres(sight, size, at);
    const closer = zoom(sight, 3, at, within);
    const now = toPixels(closer, size, fixed);
    assert.ok(Math.hypot(now.x - at.x, now.y - at.y) < 1e-6);
    assert.equal(closer.scale, sight.scale * 3);
    assert.deepEqual(zoom(closer, 1e-9, at, within), sight);
    assert.equal(zoom(sight, 1e9, at, within).scale, 20);
  });

  test("the middle stays in the circle, however far it is dragged", () => {
    const closer = zoom(fit(400, size), 4, { x: 180, y: 160 }, within);
    const { east, north } = move(closer, { x: 1e7, y: 1e6 }, within);
    assert.ok(Math.hypot(east, north) <= 400.001);
    assert.ok(east < 0 && north > 0);
    // The whole circle is in the middle.
    assert.deepEqual(move(fit(400, size), { x: 50, y: 0 }, within), fit(400, size));
  });

  test("places are shown together, and one point as close as it gets", () => {
    const places = [
      { east: 100, north: 100 },
      { east: 140, north: 130 },
    ];
    const sight = gather(places, within);
    for (const place of places) {
      const { x, y } = toPixels(sight, size, place);
      assert.ok(x > 0 && x < size.width && y > 0 && y < size.height);
    }
    assert.ok(sight.scale > 3 * fit(400, size).scale);
    assert.equal(gather([places[0]!], within).scale, 20);
  });

  test("rings are round numbers up to the circle itself", () => {
    assert.deepEqual(toRings(400), [100, 200, 300, 400]);
    assert.deepEqual(toRings(250), [50, 100, 150, 200, 250]);
    assert.deepEqual(toRings(37), [10, 20, 30, 37]);
  });
});

const at = { location: { lat: 48.85, lon: 2.35 }, distance_meters: 5 };
const state = { service_status: { state: "operational" } };
const AVAILABILITY = {
  vehicles: null,
  docks: 0,
  last_reported: null,
  observed_at: "2026-11-23T14:42:00Z",
};
const BODY = {
  results: {
    stations: [
      {
        ...at,
        ...state,
        id: "svc_station_a",
        name: "A",
        mode: "bicycle",
        capacity: 0,
        network: { id: "n", name: "Net" },
        availability: AVAILABILITY,
        action_state: { pickup: "unknown", return: "unavailable_now" },
        provenance: [
          { source_id: "citybikes:net:1:2" },
          { source_id: "net:1" },
          { source_id: "other:7" },
        ],
      },
      // Kept as its id alone.
      { id: "svc_station_b" },
    ],
    vehicles: [
      {
        source_id: "sys:v1",
        source: {
          ...at,
          ...state,
          distance_meters: 1,
          mode: "scooter",
          battery: 0,
          action_state: { pickup: "available_now" },
        },
        provenance: [{ provider: "Maker" }],
      },
      { source_id: "sys:v2" },
    ],
    places: [
      {
        ...at,
        id: "p",
        service_type: "aed",
        name: "AED",
        source_id: "geodae",
        attributes: { usable: { state: "closed", until: null } },
      },
    ],
  },
};

describe("the things of a stored search", () => {
  test("a dataset is read whole: unknown is null, and what has no position is counted", () => {
    const credited = ["citybikes:net", "net", "sys"];
    const { things, unplaced } = readStored(BODY, { intent: null, credited });
    assert.equal(unplaced, 2);
    assert.deepEqual(
      things.map(({ id, layer, usable }) => [id, layer, usable]),
      [
        ["sys:v1", "vehicle", "yes"],
        ["p", "service", "no"],
        ["svc_station_a", "station", "unknown"],
      ],
    );
    const [vehicle, , station] = things as [Thing, Thing, Thing];
    assert.deepEqual([vehicle.battery, vehicle.operator, vehicle.sources], [0, "Maker", ["sys"]]);
    assert.deepEqual([station.free, station.docks, station.operator], [null, 0, "Net"]);
    assert.deepEqual(station.sources, ["citybikes:net", "net", "other"]);
    assert.equal(station.observed_at, "2026-11-23T14:42:00Z");
    const returning = readStored(BODY, { intent: "return", credited });
    assert.equal(returning.things.find(({ layer }) => layer === "station")?.usable, "no");
  });

  test("the nearest on foot lead, what has no known way comes last, and no way is made of the beeline", () => {
    const service = (id: string, distance_meters: number, foot: object): object => ({
      ...{ id, service_type: "aed", name: id, location: { lat: 1, lon: 1 }, distance_meters },
      ...foot,
    });
    const { things } = readShown({
      results: [
        service("near", 10, { walk_minutes: 7.1, walk_meters: 560 }),
        service("unknown", 5, { walk_minutes: null }),
        service("far", 90, { walk: { meters: 120, seconds: 91, step_free: null } }),
        service("silent", 4, {}),
      ],
    });
    assert.deepEqual(
      things.map(({ id, walk }) => [id, onFoot(walk)]),
      [
        ["far", "2 min · 120 m"],
        ["near", "8 min · 560 m"],
        ["silent", null],
        ["unknown", null],
      ],
    );
  });

  test("a brief answer says the same of a thing as its dataset", () => {
    const { mode, battery } = BODY.results.vehicles[0]!.source!;
    const results = [
      {
        ...at,
        kind: "vehicle",
        id: "sys:v1",
        distance_meters: 1,
        mode,
        battery,
        brand: "Maker",
        state: "operational",
        pickup: "available_now",
        sources: ["sys"],
      },
      {
        ...at,
        kind: "station",
        id: "svc_station_a",
        name: "A",
        network: "Net",
        mode: "bicycle",
        state: "operational",
        availability: AVAILABILITY,
        sources: ["citybikes:net", "net", "other"],
      },
      {
        ...at,
        kind: "service",
        id: "p",
        service_type: "aed",
        name: "AED",
        attributes: { usable: { state: "closed", until: null } },
        sources: ["geodae"],
      },
    ];
    const stored = readStored(BODY, { intent: null, credited: ["citybikes:net", "net", "sys"] });
    assert.deepEqual(readShown({ results }).things, stored.things);
  });

  test("what is none of this is nothing, and is no fault", () => {
    for (const strange of [{}, { results: null }, { results: { stations: [null, 1, "x", {}] } }])
      assert.deepEqual(readStored(strange, { intent: null, credited: [] }).things, []);
    assert.deepEqual(readShown({}).things, []);
    assert.deepEqual(readShown({ results: [null, { kind: "vehicle" }] }).things, []);
  });

  test("texts of sources are cut", () => {
    const [station] = BODY.results.stations;
    const body = { results: { stations: [{ ...station, name: "😀".repeat(5_000) }] } };
    const { things } = readStored(body, { intent: null, credited: [] });
    assert.ok(Array.from(things[0]!.name).length < 170);
    assert.ok(things[0]!.name.isWellFormed());
  });

  test("groups have every thing once, and fewer of them the farther it is", () => {
    const origin = { lat: 48.85, lon: 2.35 };
    const many = Array.from({ length: 60 }, (_, n) => ({
      source_id: `sys:${n}`,
      source: {
        ...BODY.results.vehicles[0]!.source,
        location: { lat: 48.85 + n * 3e-5, lon: 2.35 },
      },
    }));
    const { things } = readStored({ results: { vehicles: many } }, { intent: null, credited: [] });
    const placeOf = (thing: Thing): Place => toPlace(origin, thing as unknown as Point);
    const [near, far] = [20, 14].map((step) => group(things, placeOf, step)) as [Group[], Group[]];
    assert.equal(near.length, 60);
    assert.ok(far.length < 15, String(far.length));
    for (const groups of [near, far])
      assert.deepEqual(
        groups.flatMap(({ members }) => members.map(({ id }) => id)).sort(),
        things.map(({ id }) => id).sort(),
      );
    const apart = near.map(({ east, north, members }) => {
      const place = placeOf(members[0]!);
      return Math.hypot(place.east - east, place.north - north);
    });
    assert.ok(Math.max(...apart) < 1e-6);
  });
});
