/**
 * A whole system published -1 for every count, which is how its operator says "not known". The
 * reader made 0 of it, and 382 stations in a city of bicycles were answered as working and empty.
 */
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { gunzipSync } from "node:zlib";
import { createTrail } from "#kit/trail.ts";
import { readCityBikes, readCityBikesStatus, readNetworkDoc } from "#stations/readers.ts";
import { readStations, readStatus } from "#stations/readers.ts";

const CAPTURED = new URL("../../../shared/data/gbfs/vrnnextbike-2021-05/", import.meta.url);
const present = existsSync(CAPTURED);

test(
  "no station of the captured system has a number of bicycles, and each keeps its flags",
  { skip: present ? false : "no captured feeds in ../shared/data" },
  () => {
    const bytes = gunzipSync(readFileSync(new URL("station_status.json.gz", CAPTURED)));
    const wire: unknown = JSON.parse(bytes.toString());
    const status = readStatus(wire, { version: null, doc_time_s: 1.65e9 }, createTrail());
    assert.equal(status?.size, 382);
    for (const { id, vehicles, is_renting } of status?.values() ?? [])
      assert.deepEqual({ vehicles, is_renting }, { vehicles: null, is_renting: true }, id);
  },
);

test("a negative count is unknown in every member that counts", () => {
  const row = {
    station_id: "a",
    name: "A",
    lat: 48,
    lon: 11,
    capacity: -1,
    num_bikes_available: -1,
    num_bikes_disabled: -1,
    num_docks_available: -1,
    num_docks_disabled: -1,
    num_ebikes_available: -2,
    is_renting: true,
    vehicle_types_available: [{ vehicle_type_id: "t", count: -1 }],
    vehicle_capacity: { t: -1 },
  };
  const wire = { data: { stations: [row] } };
  const options = { version: "2.3", doc_time_s: 1.65e9 };
  const status = readStatus(wire, options, createTrail())!.get("a")!;
  const { vehicles, disabled_vehicles, docks, docks_unlimited, disabled_docks } = status;
  assert.deepEqual([vehicles, disabled_vehicles, docks, disabled_docks], [null, null, null, null]);
  assert.deepEqual([docks_unlimited, status.electric, status.by_type], [false, null, []]);
  const [station] = readStations(wire, { languages: [], version: "2.3" }, createTrail())!;
  assert.deepEqual([station!.capacity, station!.vehicle_capacity], [null, []]);
});

test("CityBikes counts below zero are unknown as well", () => {
  const trail = createTrail();
  const station = { id: "a", name: "A", latitude: 48, longitude: 11, free_bikes: -1 };
  const more = { empty_slots: -1, extra: { slots: -1, ebikes: -1 } };
  const wire = { network: { id: "n", name: "N", stations: [{ ...station, ...more }] } };
  const doc = readNetworkDoc(wire, trail)!;
  const status = readCityBikesStatus(doc, 1.65e9, trail).get("a")!;
  assert.deepEqual([status.vehicles, status.docks, status.electric], [null, null, null]);
  assert.equal(readCityBikes(doc, trail)[0]!.capacity, null);
});
