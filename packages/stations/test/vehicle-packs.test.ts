/** Vehicles from the publisher's rows to the pack (R1, R5, R11). */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { VehicleInfo } from "../entities.ts";
import { CLASS, getField, modesOf, withField } from "../shard/bits.ts";
import { describeState } from "#core/nearby/action-state.ts";
import { readText } from "#kit/bytes.ts";
import { repeatsText } from "../shard/shard-repeats.ts";
import { openVehicles, packVehicles, equipmentOf, type Vehicles } from "../shard/shard-vehicles.ts";
import { createTrail } from "#kit/trail.ts";
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
} from "../../../test/support/domain.ts";

const DOCK = aStation("dock");
const ZONE_AT = moved(HERE, 100, 50);
const ZONE = aStation("zone", { is_virtual: true, ...ZONE_AT });
const TYPES = [
  aType("bike"),
  aType("scooter", {
    mode: "scooter",
    reservable: true,
    form_factor: "scooter_standing",
    propulsion: "electric",
    electric: true,
    pricing_plan_id: "by-type",
  }),
];

function pack(vehicles: VehicleInfo[], doc_s = NOW_S) {
  const trail = createTrail();
  const statics = aStatics({ stations: [DOCK, ZONE], vehicles, types: TYPES });
  const packed = packVehicles(vehicles, statics, { doc_s, trail });
  const opened = openVehicles(packed.buffer);
  return { vehicles: opened, statics, accepted: packed.accepted, dropped: trail.toTrail().dropped };
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

/** The members that a vehicle shares with its like, filled in. */
function membersOf(vehicles: Vehicles, row: number, id: string): Record<string, unknown> {
  return JSON.parse(`{${repeatsText(vehicles.repeats, row, id).slice(1)}}`);
}

test("deep links come back with the id of each vehicle, whatever the id holds", () => {
  const sketch = fc.uniqueArray(anyId, { minLength: 1, maxLength: 10 });
  forAll(
    fc.property(sketch, anyId, (ids, part) => {
      const input = ids.map((id) =>
        aVehicle(id, {
          equipment: [part],
          rental_uris: { android: `https://x.example/?v=${id}&again=${id}`, web: "app:open" },
        }),
      );
      const { vehicles } = pack(input);
      assert.equal(vehicles.count, ids.length);
      for (let row = 0; row < vehicles.count; row++) {
        const { id } = headOf(vehicles, row).source;
        const { equipment, rental_uris } = input[ids.indexOf(id)]!;
        assert.deepEqual(equipmentOf(vehicles, row), equipment);
        assert.deepEqual(membersOf(vehicles, row, id)["rental_uris"], rental_uris);
      }
    }),
    500,
  );
});

test("members that differ by the id alone take one place for ids of one length", () => {
  const { vehicles } = pack(
    ["a1", "b2", "c3", "d45"].map((id) =>
      aVehicle(id, { rental_uris: { web: `https://x.example/${id}` } }),
    ),
  );
  assert.equal(vehicles.repeats.texts.offsets.length - 1, 2);
});

test("a vehicle is named by brand and type, by its own name, or by the word for its kind", () => {
  const membersIn = (change: Partial<VehicleInfo>) =>
    membersOf(pack([aVehicle("v", change)]).vehicles, 0, "v");
  const { brand } = membersIn({});
  assert.equal(typeof brand, "string");
  const scooter = { form_factor: "scooter_standing", propulsion: "electric" };
  assert.deepEqual(membersIn({ type_id: "scooter" }), {
    name: `${String(brand)} electric scooter`,
    brand,
    vehicle_type: scooter,
    pricing_plan_id: "by-type",
  });
  assert.equal(membersIn({ type_id: "scooter", name: "Rocket" })["name"], "Rocket");
  const own = membersIn({ type_id: "scooter", pricing_plan_id: "own" });
  assert.equal(own["pricing_plan_id"], "own");
  const unknown = membersIn({ type_id: "?", own_mode: "moped" });
  assert.deepEqual(unknown, { name: `${String(brand)} moped`, brand });
});

test("battery and range are stated where the publisher states them, zero included", () => {
  const sourceOf = (change: Partial<VehicleInfo>) =>
    headOf(pack([aVehicle("v", change)]).vehicles, 0).source as Record<string, unknown>;
  const { battery, range_m } = sourceOf({ charge: 0.456, range_m: 1200.4 });
  assert.deepEqual([battery, range_m], [46, 1200]);
  const empty = sourceOf({ charge: 0, range_m: 0 });
  assert.deepEqual([empty["battery"], empty["range_m"]], [0, 0]);
  const none = sourceOf({});
  assert.ok(!("battery" in none) && !("range_m" in none));
});

test("a vehicle at a virtual station is linked to it, and the station knows", () => {
  const { vehicles, statics } = pack([
    aVehicle("loose"),
    aVehicle("parked", { station_id: "zone", location: moved(HERE, 30) }),
  ]);
  const stationAt = (row: number) => vehicles.station[row];
  const rows = [0, 1].map((row) => [headOf(vehicles, row).source.id, stationAt(row)]);
  const zone = vehicles.holds.indexOf(1);
  assert.equal(readText(statics.ids, zone), "zone");
  assert.deepEqual(
    new Map(rows as [string, number][]),
    new Map([
      ["loose", -1],
      ["parked", zone],
    ]),
  );
  assert.equal(pack([aVehicle("loose")]).vehicles.holds.length, 0, "none is parked anywhere");
});

test("an empty file is a pack of nothing", () => {
  const { vehicles } = pack([]);
  assert.deepEqual([vehicles.count, vehicles.meta.box, vehicles.meta.has_expiry], [0, null, false]);
});
