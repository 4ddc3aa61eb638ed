/** How Navitia is asked; its regions, its stop points; that nothing it sends throws. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import fc from "fast-check";
import { createTrail } from "#kit/trail.ts";
import type { WireAnswer } from "#providers/lookup.ts";
import type { NavitiaSettings } from "#providers/navitia/navitia-asking.ts";
import descriptor from "#providers/navitia/index.ts";
import * as stationReaders from "#providers/navitia/navitia-stations.ts";
import * as stopPoints from "#providers/navitia/stop-points.ts";
import { toLookup } from "#providers/source.ts";
import { damaged, oddJson } from "../../../support/odd-json.ts";
import { toWire } from "../../../support/place-fixtures.ts";
import { checkFailure, checkPage } from "../../../support/transit-checks.ts";
import { QUERY, read, SETTINGS } from "./readers.ts";
import { tries } from "../../../support/size.ts";

const navitiaStations = toLookup(descriptor, stationReaders.navitiaStations);
const navitiaRegion = toLookup(descriptor, stationReaders.navitiaRegion);
const navitiaStopPoints = toLookup(descriptor, stopPoints.navitiaStopPoints);
const { withWheelchair } = stopPoints;

const FIXTURES = new URL("../../../fixtures/providers/navitia/", import.meta.url);
const WHOLE = (
  JSON.parse(readFileSync(new URL("whole.wire.json", FIXTURES), "utf8")) as { body: unknown }
).body;

const wireOf = (body: unknown, status = 200): WireAnswer => toWire(JSON.stringify(body), status);
const options = () => ({ settings: SETTINGS, trail: createTrail() });

function partsOf(url: string): [base: string, parameters: Record<string, string>] {
  const { origin, pathname, searchParams } = new URL(url);
  return [origin + pathname, Object.fromEntries(searchParams)];
}

test("longitude comes first, metres and pages are whole", () => {
  const request = navitiaStations.request(QUERY, SETTINGS);
  const base = "https://navitia.example/v1/coord/2.295;48.874/places_nearby";
  const parameters = {
    "type[]": "stop_area",
    distance: "1000",
    count: "200",
    start_page: "0",
    depth: "3",
    disable_geojson: "true",
    disable_disruption: "true",
  };
  assert.deepEqual(partsOf(request.url), [base, parameters]);
  assert.equal(request.timeout_ms, 2_500);
  assert.ok(request.refusal_bytes! > 0 && request.max_bytes! > 0);
  const third = navitiaStations.request({ ...QUERY, page: "2" }, SETTINGS);
  assert.deepEqual(partsOf(third.url)[1], { ...parameters, start_page: "2" });
  const points = navitiaStopPoints.request(QUERY, SETTINGS);
  assert.deepEqual(partsOf(points.url), [
    base,
    { ...parameters, "type[]": "stop_point", depth: "1" },
  ]);
});

test("the equator and the prime meridian are written slightly off zero, never with an exponent", () => {
  const pathOf = (lat: number, lon: number) =>
    new URL(navitiaRegion.request({ lat, lon }, SETTINGS).url).pathname;
  assert.equal(pathOf(0, -0), "/v1/coverage/0.000001;0.000001");
  assert.equal(pathOf(1e-9, 5), "/v1/coverage/5;0.000001");
  assert.equal(pathOf(-33.5, 151.25), "/v1/coverage/151.25;-33.5");
});

test("the token is in a header of each kind and in no address", () => {
  const ask = (auth: NavitiaSettings["auth"]) => {
    const settings = { ...SETTINGS, auth };
    return [
      navitiaStations.request(QUERY, settings),
      navitiaStopPoints.request(QUERY, settings),
      navitiaRegion.request(QUERY, settings),
    ];
  };
  const { token } = SETTINGS;
  const expected = {
    header: { kind: "headers", headers: { Authorization: token } },
    apikey: { kind: "headers", headers: { apikey: token } },
    basic: { kind: "basic", username: token, password: "" },
  } as const;
  for (const kind of ["header", "apikey", "basic"] as const)
    for (const request of ask(kind)) {
      assert.deepEqual(request.auth, expected[kind]);
      assert.doesNotMatch(decodeURIComponent(request.url), /s3cret/);
      assert.doesNotMatch(JSON.stringify(request.headers), /s3cret/);
    }
});

test("language makes no other question, all else does", () => {
  for (const { keyOf } of [navitiaStations, navitiaStopPoints]) {
    assert.equal(keyOf(QUERY), keyOf({ ...QUERY, language: null }));
    for (const other of [{ lat: 1 }, { lon: 1 }, { radius_m: 1 }, { page: "1" }])
      assert.notEqual(keyOf(QUERY), keyOf({ ...QUERY, ...other }));
  }
  assert.deepEqual([descriptor.terms.attribution, descriptor.terms.store], ["navitia.io", "all"]);
});

const MODES: Readonly<Record<string, readonly string[]>> = {
  bus: ["Bus", "BusRapidTransit", "Shuttle"],
  coach: ["Coach"],
  tram: ["Tramway"],
  metro: ["Metro"],
  rapid_transit: ["RapidTransit"],
  rail: ["LocalTrain", "LongDistanceTrain", "Train", "RailShuttle"],
  ferry: ["Ferry", "Boat"],
  cable_transport: ["Funicular", "SuspendedCableCar"],
  taxi: ["Taxi"],
  other: ["Air", "Bike"],
};

test("each physical mode is one of ours", () => {
  for (const [mode, names] of Object.entries(MODES))
    for (const name of names) {
      const physical_modes = [{ id: `physical_mode:${name}` }];
      const stop_area = { name, coord: { lat: "48.1", lon: "2.1" }, physical_modes };
      const match = read(wireOf({ places_nearby: [{ id: "stop_area:1", stop_area }] }));
      assert.ok(match.ok);
      assert.deepEqual(match.value.stations[0]!.modes, [mode], name);
    }
});

test("pages go on until all were sent", () => {
  const next = (pagination: unknown) => {
    const match = read(wireOf({ places_nearby: [], pagination }));
    assert.ok(match.ok);
    return match.value.next;
  };
  const page = (start_page: number, total_result: number, items_on_page = 200) => ({
    start_page,
    items_on_page,
    items_per_page: 200,
    total_result,
  });
  assert.equal(next(page(0, 201)), "1");
  assert.equal(next(page(0, 200)), null);
  assert.equal(next(page(3, 900)), "4");
  assert.equal(next(page(4, 900, 100)), null);
  assert.equal(next(page(0, 900, 0)), null);
  assert.equal(next(undefined), null);
});

test("the region of a point is one that runs; none is no failure, a refusal is one", () => {
  const regionOf = (wire: WireAnswer) => navitiaRegion.read(wire, QUERY, options());
  const regions = [
    { id: "old", status: "no_data" },
    { id: "fr-lun", status: "running" },
  ];
  assert.deepEqual(regionOf(wireOf({ regions })), { ok: true, value: "fr-lun", raw: 2 });
  const idle = regionOf(wireOf({ regions: regions.slice(0, 1) }));
  assert.deepEqual(idle, { ok: true, value: "old", raw: 1 });
  const nowhere = wireOf({ error: { id: "unknown_object", message: "No region" } }, 404);
  assert.deepEqual(regionOf(nowhere), { ok: true, value: null, raw: 0 });
  const failure = (status: string, reason: string) => ({ ok: false, status, reason });
  assert.deepEqual(regionOf(wireOf({}, 404)), failure("unavailable", "http_404"));
  assert.deepEqual(regionOf(wireOf({}, 401)), failure("unauthorized", "http_401"));
  assert.deepEqual(regionOf(wireOf({ region: [] })), failure("error", "wrong_shape"));
  assert.deepEqual(regionOf(toWire("<html>")), failure("error", "not_json"));
});

const point = (id: string, stop_area_id: string | null, equipments?: unknown) => ({
  id,
  embedded_type: "stop_point",
  distance: "3",
  stop_point: { id, equipments, ...(stop_area_id !== null && { stop_area: { id: stop_area_id } }) },
});

test("one stop point with boarding is a yes; its absence is never a no", () => {
  const trail = createTrail();
  const body = {
    places_nearby: [
      point("p1", "stop_area:LUN:1", ["has_elevator"]),
      point("p2", "stop_area:LUN:1", ["has_shelter", "has_wheelchair_boarding"]),
      point("p3", "stop_area:LUN:2", []),
      point("p4", "stop_area:ELSEWHERE", "has_wheelchair_boarding"),
      point("p5", null, ["has_wheelchair_boarding"]),
    ],
    pagination: { start_page: 0, items_on_page: 5, items_per_page: 5, total_result: 6 },
  };
  const points = navitiaStopPoints.read(wireOf(body), QUERY, { settings: SETTINGS, trail });
  assert.ok(points.ok);
  assert.deepEqual([points.value.points.length, points.raw, points.value.next], [4, 5, "1"]);
  assert.deepEqual(trail.toTrail().dropped, [
    { reason: "stop_area_missing", count: 1, examples: ["p5"] },
  ]);
  const stations = read(wireOf(WHOLE));
  assert.ok(stations.ok);
  const completed = withWheelchair(stations.value.stations, points.value.points);
  assert.deepEqual(
    completed.map(({ wheelchair }) => wheelchair),
    ["yes", "unknown"],
  );
  assert.deepEqual(withWheelchair(stations.value.stations, []), stations.value.stations);
});

test("any JSON is a typed failure or stations", () => {
  const members = [
    ...["places_nearby", "pagination", "start_page", "items_per_page", "total_result", "id"],
    ...["stop_area", "coord", "lat", "lon", "name", "label", "physical_modes", "lines", "network"],
    ...["code", "color", "text_color", "stop_point", "equipments", "regions", "status", "error"],
  ];
  const points = { places_nearby: [point("p1", "a", ["has_wheelchair_boarding"])] };
  const any = fc.oneof(oddJson(members), damaged(WHOLE), damaged(points));
  let stations = 0;
  fc.assert(
    fc.property(any, fc.constantFrom(200, 200, 200, 404, 500), (json, status) => {
      const wire = wireOf(json, status);
      stations += checkPage(read(wire));
      checkFailure(navitiaStopPoints.read(wire, QUERY, options()));
      checkFailure(navitiaRegion.read(wire, QUERY, options()));
    }),
    { numRuns: tries(1_000) },
  );
  assert.ok(stations > 50, `${stations} stations`);
});
