/** What can be taken and left near an end, as an answer of /v1/nearby states it. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { NearbyBodyValue } from "#api/nearby.ts";
import { listLeavings, listTakings } from "#core/plan/ends.ts";
import { LIMITS } from "#api/limits.ts";
import { leaveRuleOf } from "#core/plan/leave.ts";
import { indexReturns, returnOf } from "#core/plan/returns.ts";
import type { VehicleType } from "#stations/entities.ts";

type Results = NearbyBodyValue["results"];
type Station = Results["stations"][number];
type Vehicle = Results["vehicles"][number];
type Zones = NonNullable<Results["zones"]>;

const PLACE = { lat: 48.85, lon: 2.35 };
const MODES = ["bicycle", "scooter", "moped", "car"];

type Counted = Partial<Station["availability"]> & { pickup?: string; return?: string };

function aStation({
  pickup = "available_now",
  return: back = "available_now",
  ...counts
}: Counted) {
  return {
    ...{ id: "svc_station_1", name: "Dock", network: { id: "velo", name: "Vélo" } },
    ...{ location: PLACE, distance_meters: 120, mode: "bicycle" },
    provenance: [{ network_id: "velo" }, { network_id: "citybikes-velo" }],
    action_state: { pickup, return: back },
    availability: { vehicles: 3, docks: 4, by_mode: null, observed_at: null, ...counts },
  } as unknown as Station;
}

function aVehicle(pickup: string, more: object = {}): Vehicle {
  const source = { mode: "scooter", location: PLACE, distance_meters: 9, ...more };
  return {
    ...{ source_id: "zig:1", network_id: "zig" },
    source: { ...source, action_state: { pickup } },
  } as unknown as Vehicle;
}

const NONE = new Map<string, string>();
const take = (station: Station, modes = MODES) =>
  listTakings({ stations: [station], vehicles: [] }, modes, NONE);

test("a station is taken from unless it is known to have nothing, and what is unknown stays unknown", () => {
  const [entry] = take(aStation({}));
  assert.deepEqual([entry!.vehicles, entry!.known], [3, true]);
  assert.deepEqual(entry!.network_ids, ["velo", "citybikes-velo"]);
  const [unknown] = take(aStation({ vehicles: null, pickup: "unknown" }));
  assert.deepEqual([unknown!.vehicles, unknown!.known], [null, false]);
  assert.deepEqual(take(aStation({ vehicles: 0, pickup: "unavailable_now" })), []);
  // The count is old.
  assert.deepEqual(take(aStation({ vehicles: 0, pickup: "unknown" })), []);
});

test("a station is listed by each asked mode that it has vehicles of", () => {
  const mixed = aStation({ vehicles: 5, by_mode: { bicycle: 4, scooter: 1, car: 0 } });
  assert.deepEqual(
    take(mixed).map(({ mode, vehicles }) => [mode, vehicles]),
    [
      ["bicycle", 4],
      ["scooter", 1],
    ],
  );
  assert.deepEqual(
    take(mixed, ["scooter"]).map(({ mode }) => mode),
    ["scooter"],
  );
  assert.deepEqual(take(mixed, ["moped"]), []);
});

test("a vehicle is taken only where it is known to be available", () => {
  const vehicles = ["available_now", "unknown", "unavailable_now"].map((each) => aVehicle(each));
  const lost = aVehicle("available_now", { location: undefined });
  const taken = listTakings({ stations: [], vehicles: [...vehicles, lost] }, MODES, NONE);
  assert.deepEqual(
    taken.map(({ kind, id, known }) => [kind, id, known]),
    [["vehicle", "zig:1", true]],
  );
});

test("a station takes vehicles back unless it is known not to", () => {
  const leave = (counted: Counted) => listLeavings({ stations: [aStation(counted)] });
  assert.deepEqual(
    leave({}).map(({ docks, known }) => [docks, known]),
    [[4, true]],
  );
  assert.deepEqual(
    leave({ docks: null, return: "unknown" }).map(({ docks, known }) => [docks, known]),
    [[null, false]],
  );
  assert.deepEqual(leave({ return: "unavailable_now" }), []);
  assert.deepEqual(leave({ docks: 0, return: "unknown" }), []);
});

test("a rule of leaving is of the network and the kind of vehicle, and no permission is made up", () => {
  const type = { form_factor: "scooter", propulsion: "electric" } as const;
  const bike = { form_factor: "bicycle" } as const;
  const ruleIn = (rules: object[], of: object | null = type, network = "zig") => {
    const zones = [{ network: { id: "zig", name: "Zig" }, rules, zones: [], total: 0 }];
    return leaveRuleOf(zones as unknown as Zones, [network], of);
  };
  const scope = "zone";
  assert.equal(ruleIn([]), "unknown");
  assert.equal(ruleIn([{ scope, maximum_speed_kph: 5 }]), "unknown");
  assert.equal(ruleIn([{ scope, ride_end_allowed: true }]), "ends_permitted");
  assert.equal(ruleIn([{ scope, ride_end_allowed: true }], type, "other"), "unknown");
  assert.equal(ruleIn([{ scope, ride_end_allowed: false }]), "forbidden");
  assert.equal(ruleIn([{ scope, ride_end_allowed: true, station_parking: true }]), "stations_only");
  const typed = { scope, ride_end_allowed: false, vehicle_types: [bike] };
  assert.equal(ruleIn([typed]), "unknown");
  assert.equal(ruleIn([typed], bike), "forbidden");
  assert.equal(ruleIn([typed, { scope, ride_end_allowed: true }], null), "unknown");
  const differing = [typed, { scope, ride_end_allowed: true, vehicle_types: [bike] }];
  assert.equal(ruleIn(differing, bike), "unknown");
  // As many kinds as are stated at most: the vehicle's may be one more.
  const kinds = Array.from({ length: LIMITS.nearby.zone_types_max }, (_, i) => ({ name: `K${i}` }));
  const allowed = { scope, ride_end_allowed: true };
  const cut = { scope, ride_end_allowed: false, vehicle_types: kinds };
  assert.equal(ruleIn([cut, allowed]), "unknown");
  assert.equal(ruleIn([{ ...cut, vehicle_types: kinds.slice(1) }, allowed]), "ends_permitted");
});

test("a constraint of returning is known where all types of the mode state the same", () => {
  const type = (mode: string, return_constraint: string | null) =>
    ({ mode, return_constraint }) as VehicleType;
  const returns = indexReturns([
    { network: { id: "car" }, types: [type("car", "roundtrip_station")] },
    { network: { id: "mix" }, types: [type("bicycle", "hybrid"), type("bicycle", null)] },
  ]);
  assert.equal(returnOf(returns, "car", "car"), "roundtrip_station");
  assert.equal(returnOf(returns, "car", "bicycle"), null);
  assert.equal(returnOf(returns, "mix", "bicycle"), null);
  const [taken] = listTakings(
    { stations: [], vehicles: [aVehicle("available_now")] },
    MODES,
    indexReturns([{ network: { id: "zig" }, types: [type("scooter", "any_station")] }]),
  );
  assert.equal(taken!.returns, "any_station");
});
