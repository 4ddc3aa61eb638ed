/** A stored search as one side of a comparison: its reach, its reliable sources, what reports each object. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { NearbyBodyValue } from "#api/nearby.ts";
import { type ProvidedSource, toSide } from "#core/changes/side.ts";

const RECEIVED = "2026-11-23T12:00:00.500Z";
const LOCATION = { lat: 48.8566, lon: 2.3522 };

function station(id: string, input: { distance_m?: number; data_class?: string } = {}): object {
  const { distance_m = 10, data_class = "realtime" } = input;
  return {
    ...{
      id,
      type: "station",
      name: id,
      location: LOCATION,
      distance_meters: distance_m,
      data_class,
    },
    network: { id: "n", name: "N" },
    availability: { vehicles: 1, docks: null, is_renting: true, is_returning: true },
    service_status: { state: "operational" },
    action_state: { pickup: "available_now" },
    provenance: [
      { source_id: `citybikes:n:${id}`, fields: [] },
      { source_id: `n:${id}`, fields: ["name", "availability"] },
    ],
  };
}

const NOTHING = { places: [], lines: [], stations: [], vehicles: [], alerts: [] };

function body(results: object, more: object = {}): NearbyBodyValue {
  const head = { status: "success", query_origin: LOCATION, radius: 400, total: 1, limit: 200 };
  return { ...head, ...more, results: { ...NOTHING, ...results } } as unknown as NearbyBodyValue;
}

function source(source_id: string, provided_source: Partial<ProvidedSource> = {}): ProvidedSource {
  return {
    source_id,
    status: "ok",
    fetched_at: "2026-11-23T11:59:30Z",
    ttl_s: 60,
    ...provided_source,
  };
}

function side(input: { body: NearbyBodyValue; provided?: ProvidedSource[] }) {
  return toSide({ provided: [source("n")], received_at: RECEIVED, ...input });
}

test("a merged station is known by the source that counts for it, and what has no counts by all", () => {
  const none = { ...station("y"), provenance: [{ source_id: "osm:n:y", fields: ["name"] }] };
  const provided = [source("n"), source("citybikes:n"), source("osm:n")];
  const { objects } = side({ body: body({ stations: [station("x"), none] }), provided });
  assert.deepEqual(
    objects.map(({ sources }) => sources),
    [["n"], ["osm:n"]],
  );
  assert.deepEqual(objects[0]!.members, {
    ...{ vehicles: 1, docks: null, is_renting: true, is_returning: true },
    ...{ state: "operational", pickup: "available_now" },
  });
});

test("a source is reliable that answered in time with data within their time to live", () => {
  const cases: [Partial<ProvidedSource>, boolean][] = [
    [{}, true],
    [{ status: "timeout" }, false],
    [{ status: "error" }, false],
    [{ fetched_at: "2026-11-23T11:59:00Z" }, true],
    [{ fetched_at: "2026-11-23T11:58:58Z" }, false],
    // What was just fetched is valid, whatever its time to live.
    [{ fetched_at: "2026-11-23T11:59:57Z", ttl_s: 0 }, true],
    [{ fetched_at: "2026-11-23T11:59:50Z", ttl_s: 0 }, false],
    // Data that do not change have no time to live.
    [{ fetched_at: null, ttl_s: null }, true],
  ];
  for (const [input, expected] of cases) {
    const { reliable } = side({ body: body({}), provided: [source("n", input)] });
    assert.equal(reliable.has("n"), expected, JSON.stringify(input));
  }
});

test("a source whose publisher has stopped renewing it is not reliable", () => {
  const outdated = station("x", { data_class: "semi_static" });
  assert.equal(side({ body: body({ stations: [outdated] }) }).reliable.has("n"), false);
});

test("it reaches to its radius, and where its limit cut it to the farthest that it kept", () => {
  const stations = [station("x"), station("y", { distance_m: 120.5 })];
  assert.deepEqual(side({ body: body({ stations }, { total: 2 }) }).reach, {
    radius_m: 400,
    isCut: false,
  });
  assert.deepEqual(side({ body: body({ stations }, { total: 3, limit: 2 }) }).reach, {
    radius_m: 120.5,
    isCut: true,
  });
  assert.deepEqual(side({ body: body({}, { total: 3, limit: 2 }) }).reach, {
    radius_m: 0,
    isCut: true,
  });
});

test("what is kept as ids alone has no place and no members", () => {
  const results = {
    stations: [{ id: "svc_station_x" }],
    vehicles: [{ source_id: "n:v" }],
    places: [{ id: "svc_place_p" }],
  };
  for (const each of side({ body: body(results) }).objects)
    assert.deepEqual([each.distance_m, each.location, each.members], [null, null, {}]);
});

test("a place is compared by whether it can be used, where that is known", () => {
  const place = (state: string | null) => ({
    ...{ id: "p", service_type: "toilets", name: "P", location: LOCATION, distance_meters: 5 },
    ...{ source_id: "osm", attributes: state === null ? {} : { usable: { state } } },
  });
  for (const [state, expected] of [
    ["open", "open"],
    ["unknown", null],
    [null, null],
  ] as const) {
    const [one] = side({ body: body({ places: [place(state)] }) }).objects;
    assert.deepEqual(one!.members, { usable: expected });
    assert.deepEqual(one!.sources, ["osm"]);
  }
});
