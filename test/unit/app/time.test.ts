/** What the passing of time does to an answer (R6, R7, R9). */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { StationStatus, SystemAlert, VehicleInfo } from "#stations/entities.ts";
import { ask, deploy, type Station, type Vehicle } from "../../support/answers.ts";
import {
  anAlert,
  aShard,
  aStation,
  aStatus,
  aVehicle,
  NOW_S,
  type SystemSketch,
} from "../../support/domain.ts";

const HOUR = 3600;
const DAY = 24 * HOUR;

async function stationOf(sketch: SystemSketch): Promise<Station> {
  const stations = sketch.stations ?? [aStation("s")];
  const body = await ask(deploy({ shards: [aShard({ fetched_age_s: 5, ...sketch, stations })] }));
  assert.equal(body.results.stations.length, 1);
  return body.results.stations[0]!;
}

async function vehicleOf(
  change: Partial<VehicleInfo>,
  sketch: SystemSketch = {},
): Promise<Vehicle | undefined> {
  const vehicles = [aVehicle("v", change)];
  const body = await ask(deploy({ shards: [aShard({ fetched_age_s: 5, ...sketch, vehicles })] }));
  return body.results.vehicles[0];
}

const stateOf = (item: Station | Vehicle["source"]) =>
  [item.data_class, item.service_status?.state, item.action_state?.["pickup"]].join(" ");

test("R6, R7: a station by the age of its document and the publisher's time to live", async () => {
  const table: [number, number, string][] = [
    [0, 60, "realtime operational available_now"],
    [300, 60, "realtime operational available_now"],
    [301, 60, "semi_static operational available_now"],
    [301, 200, "realtime operational available_now"],
    [400, 200, "realtime operational available_now"],
    [401, 200, "semi_static operational available_now"],
    [HOUR, 60, "semi_static operational available_now"],
    [HOUR + 1, 60, "semi_static unknown unknown"],
    [HOUR + 1, 1801, "realtime unknown unknown"],
  ];
  for (const [doc_age_s, ttl_s, expected] of table)
    assert.equal(
      stateOf(await stationOf({ doc_age_s, ttl_s })),
      expected,
      `${doc_age_s} s, ${ttl_s}`,
    );
});

test("R6: what CityBikes alone knows is as young as the station's own word", async () => {
  const table: readonly [source: string, reported_ago_s: number | null, data_class: string][] = [
    ["citybikes", 60, "realtime"],
    ["citybikes", 900, "realtime"],
    ["citybikes", 901, "semi_static"],
    ["citybikes", HOUR, "semi_static"],
    ["citybikes", null, "realtime"],
    ["gbfs", 901, "realtime"],
    ["gbfs", HOUR, "realtime"],
  ];
  for (const [source, ago_s, expected] of table) {
    const statuses = [aStatus("s", { last_reported_s: ago_s === null ? null : NOW_S - ago_s })];
    const { data_class } = await stationOf({ source, statuses });
    assert.equal(data_class, expected, `${source} ${ago_s}`);
  }
});

test("R6, R7: without a live row a station is static and unknown, and so are its counts", async () => {
  for (const statuses of [null, []]) {
    const station = await stationOf({ statuses });
    assert.equal(stateOf(station), "static unknown unknown");
    for (const value of Object.values(station.availability)) assert.equal(value, null);
    assert.deepEqual(station.provenance?.[0]?.fields, ["name", "location", "capacity"]);
  }
});

test("R7: a station that has been silent for a day is unknown, though its document is new", async () => {
  const reported = async (last_reported_s: number | null, change: Partial<StationStatus> = {}) =>
    stateOf(await stationOf({ statuses: [aStatus("s", { last_reported_s, ...change })] }));
  assert.equal(await reported(NOW_S - DAY), "realtime operational available_now");
  assert.equal(await reported(NOW_S - DAY - 1), "realtime unknown unknown");
  assert.equal(await reported(NOW_S - DAY - 1, { is_renting: false }), "realtime unknown unknown");
  assert.equal(await reported(null), "realtime operational available_now");
});

test("R6, R7: a vehicle is unknown after 15 minutes and gone after an hour", async () => {
  const table: [number, string | undefined][] = [
    [0, "realtime operational available_now"],
    [301, "semi_static operational available_now"],
    [900, "semi_static operational available_now"],
    [901, "semi_static unknown unknown"],
    [HOUR, "semi_static unknown unknown"],
    [HOUR + 1, undefined],
  ];
  for (const [doc_age_s, expected] of table) {
    const vehicle = await vehicleOf({}, { doc_age_s });
    assert.equal(vehicle && stateOf(vehicle.source), expected, `${doc_age_s} s`);
  }
});

test("R9: a vehicle is not to be had once its available_until has come", async () => {
  const pickup = async (available_until_s: number | null) =>
    (await vehicleOf({ available_until_s }))?.source.action_state?.["pickup"];
  assert.equal(await pickup(NOW_S + 1), "available_now");
  assert.equal(await pickup(NOW_S), "unavailable_now");
  assert.equal(await pickup(null), "available_now");
});

test("R9: available_until passes between two questions to the same snapshot", async () => {
  const vehicles = [aVehicle("v", { available_until_s: NOW_S + 10 })];
  const deployment = deploy({ shards: [aShard({ vehicles })] });
  const pickup = async () =>
    (await ask(deployment)).results.vehicles[0]?.source.action_state?.["pickup"];
  assert.equal(await pickup(), "available_now");
  await deployment.clock.advance(10_000);
  assert.equal(await pickup(), "unavailable_now");
});

test("R7: a closure alert closes while it is in force, and no longer", async () => {
  const times = [{ start_s: NOW_S + 10, end_s: NOW_S + 20 }];
  const shard = aShard({
    stations: [aStation("s")],
    vehicles: [aVehicle("v")],
    alerts: [anAlert("x", { type: "system_closure", times })],
  });
  const deployment = deploy({ shards: [shard] });
  const states = async () => {
    const { stations, vehicles } = (await ask(deployment)).results;
    return [stations[0]?.service_status?.state, vehicles[0]?.source.service_status.state];
  };
  assert.deepEqual(await states(), ["operational", "operational"]);
  await deployment.clock.advance(10_000);
  assert.deepEqual(await states(), ["unavailable", "unavailable"]);
  await deployment.clock.advance(10_000);
  assert.deepEqual(await states(), ["operational", "operational"]);
});

test("R7: which alert closes a station", async () => {
  const closed = async (change: Partial<SystemAlert>) =>
    (await stationOf({ alerts: [anAlert("x", change)] })).service_status?.state === "unavailable";
  const closure = { type: "station_closure" };
  assert.equal(await closed({ ...closure, station_ids: ["s"] }), true);
  assert.equal(await closed({ ...closure, station_ids: ["other"] }), false);
  assert.equal(await closed({ type: "station_move", station_ids: ["s"] }), false);
  assert.equal(await closed({ type: "system_closure" }), true);
  const over = [{ start_s: null, end_s: NOW_S - 1 }];
  assert.equal(await closed({ ...closure, station_ids: ["s"], times: over }), false);
});

test("R7: a closed station offers nothing but to be looked at", async () => {
  const station = await stationOf({ alerts: [anAlert("x", { type: "system_closure" })] });
  assert.deepEqual(station.context_actions, [
    { id: "explore:bicycle", intent: "explore", mode: "bicycle" },
  ]);
});
