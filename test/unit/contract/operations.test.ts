import assert from "node:assert/strict";
import { documentedStatuses } from "../../support/documented.ts";
import { test } from "node:test";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { ERRORS, errorRow, type ErrorCode } from "#api/errors.ts";
import { NEARBY_EXAMPLE } from "#api/examples.ts";
import { LIMITS } from "#api/limits.ts";
import { listRoutes } from "#api/mcp-operation.ts";
import { NEARBY_FILTERS } from "#api/nearby-filters.ts";
import { NEARBY_PARAMETERS, NearbyBody } from "#api/nearby.ts";
import { WALK_PARAMETERS } from "#api/walk.ts";
import { listOperations, OPERATIONS, statusOf, type OperationId } from "#api/operations.ts";
import { STATUSES } from "../../support/by-hand.ts";

// Proves §7 statuses
test("each operation documents the statuses of §7", () => {
  for (const { id } of OPERATIONS) {
    const operation = listOperations().find((one) => one.id === id);
    assert.ok(operation);
    assert.deepEqual(documentedStatuses(operation), STATUSES[id], id);
  }
});

test("a code appears only under its own status", () => {
  for (const operation of listOperations()) {
    for (const [status, codes] of Object.entries(operation.errors)) {
      for (const code of codes) {
        assert.ok(errorRow(code).statuses.includes(Number(status)), `${operation.id} ${code}`);
      }
    }
  }
});

test("no operation promises to be kept for longer than answers are", () => {
  for (const { id, caching } of listOperations()) {
    const [, seconds = 0] = /^Anonymous: .*?(\d+) s\b/.exec(caching) ?? [];
    assert.ok(Number(seconds) <= LIMITS.cache_max_age_s, `${id}: ${caching}`);
  }
});

test("every code is emitted by a route, or precedes matching", () => {
  const emitted = new Set<string>(
    listRoutes().flatMap(({ errors }) => Object.values(errors).flat()),
  );
  const before = ["method_not_allowed", "request_timeout", "uri_too_long", "internal"];
  const codes = Object.keys(ERRORS);
  assert.deepEqual(
    codes.filter((code) => !emitted.has(code)),
    before,
  );
});

test("429 stands in for 503 on /v1/nearby", () => {
  const find = (id: OperationId) => listOperations().find((one) => one.id === id);
  const [nearby, sources] = [find("getNearby"), find("listSources")];
  assert.ok(nearby && sources);
  assert.equal(statusOf(nearby, "overloaded"), 429);
  assert.equal(statusOf(sources, "overloaded"), 503);
  assert.equal(statusOf(nearby, "not_found" satisfies ErrorCode), undefined);
});

// Proves §8 nearby
test("limits of /v1/nearby are those of §8", () => {
  const { radius_default, radius_max, limit_default, offset_default } = LIMITS.nearby;
  assert.deepEqual([radius_default, radius_max, limit_default, offset_default], [400, 400, 100, 0]);
  assert.deepEqual(Object.keys(NEARBY_PARAMETERS), [
    ...["lat", "lon", "radius", "modes", "include", "limit", "offset"],
    ...["ride_minutes", "format"],
    ...Object.keys(NEARBY_FILTERS),
    ...Object.keys(WALK_PARAMETERS),
    ...["debug", "token"],
  ]);
});

// Proves §8 geocoding; §8 services; §8 parking and charging; §8 transport
test("limits of the searches are those of §8", () => {
  const { geocode, services, facilities, transport } = LIMITS;
  assert.deepEqual(geocode, { q_min: 1, q_max: 200, results_max: 5, country_length: 2 });
  assert.deepEqual(services, {
    radius_default: 1500,
    radius_max: 10_000,
    limit_default: 50,
    limit_max: 200,
    maps_category_max: 20,
    locker_max: 100,
    results_max: 200,
  });
  assert.deepEqual(facilities, {
    radius_default: 1500,
    radius_max: 10_000,
    limit_default: 20,
    limit_max: 20,
  });
  assert.deepEqual(transport, {
    radius_default: 1000,
    radius_max: 5000,
    limit_default: 50,
    limit_max: 200,
    stations_max: 200,
    routes_max: 200,
  });
});

test("the schema of /v1/nearby refuses what the contract does not list", () => {
  const ajv = addFormats.default(new Ajv2020({ strict: false }));
  const validate = ajv.compile(NearbyBody);
  const station = NEARBY_EXAMPLE.results.stations[0];
  assert.ok(station);
  const withStation = (change: object) => ({
    ...NEARBY_EXAMPLE,
    results: { ...NEARBY_EXAMPLE.results, stations: [{ ...station, ...change }] },
  });
  assert.ok(validate(withStation({})));
  assert.ok(validate(withStation({ resolution_status: "merged", resolution_confidence: 0.9 })));
  for (const change of [
    { id: "station_1" },
    { extra: 1 },
    { entity_type: "bus" },
    { capacity: -1 },
    { capacity: 1.5 },
    { service_status: { state: "odd" } },
    { availability: { ...station.availability, vehicles: -1 } },
    { availability: {} },
    { location: { lat: 91, lon: 0 } },
    { location: { lat: null, lon: 0 } },
    { distance_meters: -1 },
    { context_actions: [{ id: "x", intent: "fly", mode: "bicycle" }] },
    { resolution_confidence: 2 },
  ]) {
    assert.equal(validate(withStation(change)), false, JSON.stringify(change));
  }
  for (const change of [{ radius: 401 }, { warnings: [] }, { status: "ok" }, { total: -1 }]) {
    assert.equal(validate({ ...NEARBY_EXAMPLE, ...change }), false, JSON.stringify(change));
  }
});
