/** Vehicles from the publisher's rows to the pack (R1, R5, R11). */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { VehicleInfo } from "#core/entities.ts";
import { CLASS, getField, modesOf, withField } from "#core/nearby/bits.ts";
import { describeState } from "#core/nearby/state.ts";
import { readText } from "#core/shard/bytes.ts";
import { openVehicles, packVehicles, vehicleExtras, type Vehicles } from "#core/shard/vehicles.ts";
import { createTrail } from "#core/trail.ts";
import {
  anyId,
  aStation,
  aStatics,
  aType,
  aVehicle,
  forAll,
  HERE,
  moved,
  NOW_S,
} from "../../support/domain.ts";

const DOCK = aStation("dock");
const ZONE_AT = moved(HERE, 100, 50);
const ZONE = aStation("zone", { is_virtual: true, ...ZONE_AT });
const TYPES = [aType("bike"), aType("scooter", { mode: "scooter", reservable: true })];

function pack(vehicles: VehicleInfo[], doc_s = NOW_S) {
  const trail = createTrail();
  const statics = aStatics({ stations: [DOCK, ZONE], vehicles, types: TYPES });
  const packed = packVehicles(vehicles, statics, { doc_s, trail });
  const opened = openVehicles(packed.buffer);
  return { vehicles: opened, accepted: packed.accepted, dropped: trail.toTrail().dropped };
}

function headOf(vehicles: Vehicles, row: number) {
  return JSON.parse(`${readText(vehicles.head, row)}0}}`) as {
    source_id: string;
    svc_id: string;
    source: { id: string; name?: string; location: { lat: number; lon: number } };
  };
}

test("R5: a vehicle docked at a station is the station's to count; one in a virtual zone is ours", () => {
  const { vehicles, accepted, dropped } = pack([
    aVehicle("docked", { station_id: "dock" }),
    aVehicle("docked-elsewhere", { station_id: "dock", location: ZONE_AT }),
    aVehicle("parked", { station_id: "zone", location: HERE }),
    aVehicle("parked-without-place", { station_id: "zone", location: null }),
    aVehicle("lost", { station_id: "gone", location: null }),
    aVehicle("of-unknown-station", { station_id: "gone" }),
  ]);
  assert.equal(accepted, 3);
  assert.deepEqual(dropped, [
    { reason: "vehicle_docked_at_station", count: 2, examples: ["docked", "docked-elsewhere"] },
    { reason: "vehicle_without_position", count: 1, examples: ["lost"] },
  ]);
  const places = new Map<string, unknown>();
  for (let row = 0; row < vehicles.count; row++) {
    const { id, location } = headOf(vehicles, row).source;
    places.set(id, location);
    assert.deepEqual(location, { lat: vehicles.index.lat[row], lon: vehicles.index.lon[row] });
  }
  assert.deepEqual(places.get("parked"), HERE, "its own place leads");
  assert.deepEqual(places.get("parked-without-place"), ZONE_AT);
  assert.deepEqual(places.get("of-unknown-station"), HERE);
});

test("R1: the mode of a vehicle is its own, else its type's; unknown among several is other", () => {
  const mode = (change: Partial<VehicleInfo>) => {
    const { vehicles } = pack([aVehicle("v", change)]);
    return modesOf(getField(vehicles.state[0]!, "modes"));
  };
  assert.deepEqual(mode({ type_id: "scooter" }), ["scooter"]);
  assert.deepEqual(mode({ type_id: "scooter", own_mode: "moped" }), ["moped"]);
  assert.deepEqual(mode({ type_id: "?" }), []);
  assert.deepEqual(mode({ type_id: null }), []);
});

test("R8, R9: reserved, disabled and reservable come from the row and its type", () => {
  const item = (change: Partial<VehicleInfo>) => {
    const { vehicles } = pack([aVehicle("v", { type_id: "scooter", ...change })]);
    return describeState(withField(vehicles.state[0]!, "data_class", CLASS.realtime));
  };
  assert.equal(item({}).service_status.state, "operational");
  assert.equal(item({}).capabilities.reserve, true);
  assert.equal(item({ type_id: "bike" }).capabilities.reserve, false);
  assert.equal(item({ is_reserved: true }).service_status.state, "unavailable");
  assert.equal(item({ is_disabled: true }).service_status.state, "maintenance");
  assert.equal(item({ is_disabled: null }).action_state.pickup, "unknown");
  assert.equal(item({ is_reserved: null }).action_state.pickup, "unknown");
});

test("R11: source_id is system and vehicle; the id of ours changes with the hour", () => {
  const idAt = (doc_s: number) => headOf(pack([aVehicle("v")], doc_s).vehicles, 0).svc_id;
  assert.equal(headOf(pack([aVehicle("v")]).vehicles, 0).source_id, "sys:v");
  const hour = Math.floor(NOW_S / 3600) * 3600;
  assert.equal(idAt(hour), idAt(hour + 3599));
  assert.notEqual(idAt(hour), idAt(hour + 3600));
});

test("unknown range, charge, type and times are distinguished from zero", () => {
  const { vehicles } = pack([
    aVehicle("known", {
      range_m: 0,
      charge: 0,
      type_id: "bike",
      last_reported_s: 7,
      available_until_s: 9,
      location: moved(HERE, -10_000),
    }),
    aVehicle("unknown"),
  ]);
  assert.deepEqual(Array.from(vehicles.range_m), [0, Number.NaN]);
  assert.deepEqual(Array.from(vehicles.charge), [0, Number.NaN]);
  assert.deepEqual(Array.from(vehicles.type), [0, 0xffff]);
  assert.deepEqual(Array.from(vehicles.last_reported), [7, 0]);
  assert.deepEqual(Array.from(vehicles.until), [9, 0]);
});

test("deep links are kept once but come back with the id of each vehicle, whatever the id holds", () => {
  const sketch = fc.uniqueArray(anyId, { minLength: 1, maxLength: 10 });
  forAll(
    fc.property(sketch, anyId, (ids, part) => {
      const given = ids.map((id) =>
        aVehicle(id, {
          equipment: [part],
          rental_uris: { android: `https://x.example/?v=${id}&again=${id}`, web: "app:open" },
        }),
      );
      const { vehicles } = pack(given);
      assert.equal(vehicles.count, ids.length);
      for (let row = 0; row < vehicles.count; row++) {
        const { id } = headOf(vehicles, row).source;
        const { equipment, rental_uris } = given[ids.indexOf(id)]!;
        assert.deepEqual(vehicleExtras(vehicles, row, id), {
          equipment,
          rental_uris,
        });
      }
    }),
    500,
  );
});

test("deep links that differ by the id alone take one place", () => {
  const { vehicles } = pack(
    ["a1", "b2", "c3"].map((id) =>
      aVehicle(id, { rental_uris: { web: `https://x.example/${id}` } }),
    ),
  );
  assert.equal(vehicles.extras.offsets.length - 1, 1);
});

test("an empty file is a pack of nothing", () => {
  const { vehicles } = pack([]);
  assert.deepEqual([vehicles.count, vehicles.meta.box, vehicles.meta.has_expiry], [0, null, false]);
});
