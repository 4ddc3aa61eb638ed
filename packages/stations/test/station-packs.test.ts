/** Stations from the publisher's rows to the pack (R2 to R5, R8): what is kept and reported. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { StationInfo, StationStatus, VehicleInfo, VehicleType } from "../entities.ts";
import { aimAt, distance_m } from "#kit/geo.ts";
import { CLASS, getField, modesOf, withField } from "../shard/bits.ts";
import { describeState } from "#core/nearby/action-state.ts";
import { readText } from "#kit/bytes.ts";
import { repeatsText } from "../shard/shard-repeats.ts";
import { readStatic } from "../identity/case-text.ts";
import { searchBands, createHitSink } from "../shard/band-index.ts";
import { openStatics, packStatics, type Statics } from "../shard/shard-statics.ts";
import { openStatus, packStatus, rentsOf } from "../shard/shard-status.ts";
import { createTrail } from "#kit/trail.ts";
import {
  anyId,
  anyPoint,
  aShard,
  aStation,
  aStatics,
  aStatus,
  aType,
  aVehicle,
  forAll,
  NOW_S,
} from "../../../test/support/domain.ts";

type Sketch = {
  info?: Partial<StationInfo>;
  status?: Partial<StationStatus> | null;
  types?: VehicleType[];
  vehicles?: VehicleInfo[];
};

/** One station through both packs: its state, availability and columns. */
function pack({ info, status, types, vehicles }: Sketch) {
  const shard = aShard({
    stations: [aStation("s", info)],
    statuses: status === null ? [] : [aStatus("s", status)],
    types: types ?? [],
    vehicles: vehicles ?? null,
  });
  const data = shard.status!.data!;
  const middle = readText(data.middle, 0);
  const open = middle.indexOf("{");
  const text = middle.slice(open, middle.indexOf(',"provenance"'));
  return {
    state: withField(data.state[0]!, "data_class", CLASS.realtime),
    availability: middle ? (JSON.parse(text) as Record<string, unknown>) : null,
    vehicles: data.vehicles[0]!,
    docks: data.docks[0]!,
  };
}

const BIKE = aType("bike");
const EBIKE = aType("ebike", { electric: true });
const SCOOTER = aType("scooter", { mode: "scooter", electric: true, reservable: true });
const MYSTERY = aType("mystery", { electric: null });
const counts = (...pairs: [string, number][]) =>
  pairs.map(([type_id, count]) => ({ type_id, count }));

test("R4: null stays null, 0 stays 0, and every count of the row is reported", () => {
  const unknown = pack({
    status: { vehicles: null, docks: null, disabled_vehicles: null, disabled_docks: null },
  }).availability!;
  const zero = pack({
    status: { vehicles: 0, docks: 0, disabled_vehicles: 0, disabled_docks: 0 },
  }).availability!;
  for (const key of ["vehicles", "docks", "disabled_vehicles", "disabled_docks"]) {
    assert.equal(unknown[key], null, key);
    assert.equal(zero[key], 0, key);
  }
  assert.equal(unknown["by_mode"], null);
  assert.deepEqual(zero["by_mode"], { bicycle: 0 });
});

test("R4: flags and times of the row; unknown is null", () => {
  const availability = pack({
    status: { is_installed: null, is_renting: false, is_returning: null, last_reported_s: null },
  }).availability!;
  const { is_installed, is_renting, is_returning, last_reported, observed_at } = availability;
  assert.deepEqual([is_installed, is_renting, is_returning], [null, false, null]);
  assert.equal(last_reported, null);
  assert.equal(Date.parse(observed_at as string) / 1000, NOW_S - 5);
});

test("R4, R9: no dock limit is reported as null and acts as free docks; unknown docks do not", () => {
  const table: [string, Sketch, string][] = [
    ["unlimited (2.0+)", { status: { docks: null, docks_unlimited: true } }, "available_now"],
    ["unknown (1.x)", { status: { docks: null } }, "unknown"],
    ["virtual", { info: { is_virtual: true }, status: { docks: null } }, "available_now"],
    ["an area", { info: { has_area: true }, status: { docks: null } }, "available_now"],
    ["virtual, but full", { info: { is_virtual: true }, status: { docks: 0 } }, "unavailable_now"],
  ];
  for (const [name, sketch, value] of table) {
    const { state, availability } = pack(sketch);
    assert.equal(describeState(state).action_state.return, value, name);
    assert.equal(availability!["docks"], sketch.status!.docks, name);
  }
});

test("R4: by_mode sums the types of each mode when they add up to the total", () => {
  const types = [BIKE, EBIKE, SCOOTER];
  const table: [string, Sketch, unknown][] = [
    [
      "two modes",
      {
        types,
        status: { vehicles: 6, by_type: counts(["bike", 1], ["ebike", 2], ["scooter", 3]) },
      },
      { bicycle: 3, scooter: 3 },
    ],
    ["no types named, two modes", { types, status: { vehicles: 6 } }, null],
    ["no types named, one mode", { types: [BIKE, EBIKE], status: { vehicles: 6 } }, { bicycle: 6 }],
    [
      "the types do not add up (violation 7), two modes",
      { types, status: { vehicles: 6, by_type: counts(["bike", 0], ["scooter", 0]) } },
      null,
    ],
    [
      "the types do not add up, one mode is all there is",
      { types: [BIKE], status: { vehicles: 6, by_type: counts(["bike", 0]) } },
      { bicycle: 6 },
    ],
    ["count unknown", { types: [BIKE], status: { vehicles: null } }, null],
  ];
  for (const [name, sketch, by_mode] of table)
    assert.deepEqual(pack(sketch).availability!["by_mode"], by_mode, name);
});

test("R4: electric is the publisher's count, else the sum of electric types, else null", () => {
  const types = [BIKE, EBIKE, MYSTERY];
  const table: [string, Partial<StationStatus>, number | null][] = [
    ["said outright", { electric: 4 }, 4],
    ["summed", { vehicles: 5, by_type: counts(["bike", 3], ["ebike", 2]) }, 2],
    ["none is electric", { vehicles: 3, by_type: counts(["bike", 3]) }, 0],
    [
      "one propulsion unknown",
      { vehicles: 5, by_type: counts(["ebike", 2], ["mystery", 3]) },
      null,
    ],
    ["one type unknown", { vehicles: 5, by_type: counts(["ebike", 2], ["?", 3]) }, null],
    ["they do not add up", { vehicles: 9, by_type: counts(["ebike", 2]) }, null],
    ["no types named", { vehicles: 9 }, null],
  ];
  for (const [name, status, electric] of table)
    assert.equal(pack({ types, status }).availability!["electric"], electric, name);
});

test("R2: modes of a station from both its files", () => {
  const types = [BIKE, SCOOTER, aType("sled", { mode: "other" })];
  const capacity = (id: string) => ({ vehicle_capacity: [{ type_ids: [id], count: 4 }] });
  const table: [string, Sketch, string[]][] = [
    ["no station names a type", { types }, ["bicycle", "scooter"]],
    ["no types at all", {}, ["bicycle"]],
    [
      "the status names one, count 0",
      { types, status: { by_type: counts(["scooter", 0]) } },
      ["scooter"],
    ],
    ["the docks name one", { types, status: { dock_type_ids: ["scooter"] } }, ["scooter"]],
    [
      "the static file names one, the status another",
      { types, info: capacity("bike"), status: { by_type: counts(["scooter", 1]) } },
      ["bicycle", "scooter"],
    ],
    ["only the static file names one", { types, info: capacity("scooter") }, ["scooter"]],
    ["without a live row", { types, info: capacity("scooter"), status: null }, ["scooter"]],
    ["only things of other modes", { types, status: { by_type: counts(["sled", 2]) } }, []],
  ];
  for (const [name, sketch, modes] of table)
    assert.deepEqual(modesOf(getField(pack(sketch).state, "modes")), modes, name);
});

test("R3: a virtual station without rentable types in a free-floating system is parking", () => {
  const virtual = { is_virtual: true };
  const types = [BIKE, SCOOTER];
  const vehicles = [aVehicle("v", { type_id: "bike" })];
  const table: [string, Sketch, string | null][] = [
    ["virtual, free-floating", { info: virtual, types, vehicles }, "parking"],
    ["an area", { info: { has_area: true }, types, vehicles }, "parking"],
    ["no vehicle feed", { info: virtual, types }, "bicycle_station"],
    ["no virtual station", { types, vehicles }, "bicycle_station"],
    [
      "rentable types are named",
      { info: virtual, types, vehicles, status: { by_type: counts(["bike", 0]) } },
      "bicycle_station",
    ],
    [
      "only what may be parked is named",
      { info: virtual, types, vehicles, status: { dock_type_ids: ["bike"] } },
      "parking",
    ],
  ];
  for (const [name, sketch, entity_type] of table)
    assert.equal(describeState(pack(sketch).state).entity_type, entity_type, name);
});

test("R3: one station with docks makes the system more than free-floating", () => {
  const shard = aShard({
    stations: [aStation("dock"), aStation("zone", { is_virtual: true })],
    vehicles: [],
  });
  assert.equal(shard.statics.meta.free_floating_only, false);
});

test("R8: park, charge and reserve by what the files say", () => {
  const table: [string, Sketch, Record<string, boolean>][] = [
    ["docks known", { info: { capacity: null } }, { park: true }],
    ["capacity known", { status: { docks: null } }, { park: true }],
    ["neither", { info: { capacity: null }, status: { docks: null } }, { park: false }],
    [
      "neither, but virtual",
      { info: { capacity: null, is_virtual: true }, status: { docks: null } },
      { park: true },
    ],
    ["is_charging_station", { info: { is_charging: true } }, { charge: true }],
    ["not said", {}, { charge: false }],
    [
      "a reservable type",
      { types: [SCOOTER], status: { by_type: counts(["scooter", 0]) } },
      { reserve: true },
    ],
    [
      "none reservable",
      { types: [BIKE], status: { by_type: counts(["bike", 1]) } },
      { reserve: false },
    ],
  ];
  for (const [name, sketch, expected] of table) {
    const { capabilities } = describeState(pack(sketch).state);
    for (const [key, value] of Object.entries(expected))
      assert.equal(capabilities[key as "park"], value, `${name}: ${key}`);
  }
});

test("R5: a status without a station is left out and listed in the trail; a station may lack one", () => {
  const trail = createTrail();
  const shard = aShard({
    stations: [aStation("known"), aStation("silent")],
    statuses: [aStatus("known"), aStatus("orphan")],
    trail,
  });
  assert.equal(shard.status!.data!.meta.rows, 1);
  assert.deepEqual(trail.toTrail().dropped, [
    { reason: "status_without_station", count: 1, examples: ["orphan"] },
  ]);
});

test("installed=false is marked hidden, unknown is not", () => {
  const hidden = (is_installed: boolean | null) =>
    getField(pack({ status: { is_installed } }).state, "hidden");
  assert.deepEqual([true, false, null].map(hidden), [0, 1, 0]);
});

test("a pack of any stations: each findable at its place, with its own id, counts and extras", () => {
  const ids = fc.uniqueArray(anyId, { minLength: 1, maxLength: 12 });
  const scene = ids.chain((each) =>
    fc.tuple(
      fc.constant(each),
      fc.array(anyPoint, { minLength: each.length, maxLength: each.length }),
    ),
  );
  forAll(
    fc.property(scene, ([each, points]) => {
      const stations = each.map((id, i) =>
        aStation(id, { ...points[i]!, short_name: `${id} road` }),
      );
      const statuses = new Map(each.map((id, i) => [id, aStatus(id, { vehicles: i })]));
      const statics = aStatics({ stations });
      const packed = packStatus(statuses, statics, { doc_s: NOW_S, trail: createTrail() });
      const status = openStatus(packed);
      assert.equal(statics.count, each.length);
      for (let row = 0; row < statics.count; row++) {
        const i = each.indexOf(readText(statics.ids, row));
        assert.equal(status.vehicles[row], i);
        assert.match(readText(status.middle, row), new RegExp(`"vehicles":${i},`));
        assert.deepEqual(extrasOf(statics, row), { short_name: `${each[i]!} road` });
        const head = JSON.parse(`${readText(statics.head, row)}0}`) as Record<string, unknown>;
        assert.deepEqual(head["location"], { lat: points[i]!.lat + 0, lon: points[i]!.lon + 0 });
        assert.ok(findsRow(statics, row, points[i]!));
      }
    }),
    200,
  );
});

function extrasOf(statics: Statics, row: number): unknown {
  return JSON.parse(readText(statics.extras, statics.extras_of[row]!));
}

function findsRow(statics: Statics, row: number, { lat, lon }: { lat: number; lon: number }) {
  const sink = createHitSink(4);
  searchBands(statics.index, aimAt({ lat, lon }, 1), sink);
  const at = distance_m(lat, lon, statics.index.lat[row]!, statics.index.lon[row]!);
  return at < 0.01 && sink.rows.subarray(0, sink.count).includes(row);
}

test("keys of identity and virtual survive in the extras", () => {
  const info = { short_name: "12", external_id: "x-12", is_virtual: false };
  const statics = aStatics({ stations: [aStation("s", info)] });
  assert.deepEqual(extrasOf(statics, 0), info);
});

test("address, hours, links and accepted types are stated where they are published", () => {
  const types = [
    aType("b", { form_factor: "bike", name: "Classic" }),
    aType("c", { form_factor: "cargo_bicycle", propulsion: "electric_assist" }),
    aType("same", { form_factor: "bicycle" }),
    aType("odd", { form_factor: "hovercraft", propulsion: "steam" }),
  ];
  const info = {
    address: '5 "Quay" Street',
    opening_hours: "Mo-Su 06:00-23:00",
    rental_uris: { web: "https://x.example/stations/s" },
    dock_capacity: [{ type_ids: ["c", "b", "same", "odd", "unknown"], count: 4 }],
  };
  const statics = aStatics({ stations: [aStation("s", info)], types });
  assert.equal(readStatic({ statics, row: 0 }).address, info.address);
  assert.deepEqual(JSON.parse(`{${repeatsText(statics.repeats, 0, "s").slice(1)}}`), {
    opening_hours: info.opening_hours,
    rental_uris: info.rental_uris,
    vehicle_types: [
      { form_factor: "bicycle", propulsion: "human" },
      { form_factor: "cargo_bicycle", propulsion: "electric_assist" },
    ],
  });
  const bare = aStatics({ stations: [aStation("s")] });
  assert.equal(repeatsText(bare.repeats, 0, "s"), "");
  assert.ok(!("address" in readStatic({ statics: bare, row: 0 })));
});

test("a status pack belongs to its statics: a snapshot of another kind is refused", () => {
  const statics = aStatics({ stations: [aStation("s")] });
  assert.throws(() => openStatus(statics.buffer), /statics\/2, not status\/2/);
  const empty = openStatics(packStatics([], { ...statics.meta, has_vehicle_feed: false }));
  assert.deepEqual([empty.count, empty.meta.box], [0, null]);
});

test("a system rents where a dock has a vehicle; few empty docks, or one that does not say, prove nothing", () => {
  const rents = (...statuses: (Partial<StationStatus> | null)[]): boolean | null => {
    const ids = statuses.map((_, i) => `s${i}`);
    const rows = statuses.flatMap((status, i) => (status ? [aStatus(ids[i]!, status)] : []));
    const shard = aShard({ stations: ids.map((id) => aStation(id)), statuses: rows });
    return rentsOf(shard.status!.data);
  };
  const full = { vehicles: 2, is_installed: true, is_renting: true };
  const empty = { ...full, vehicles: 0 };
  const closed = { ...full, is_renting: false };
  const silent = { ...full, vehicles: null };
  assert.equal(rents(empty, empty, full), true);
  assert.equal(rents(empty, empty, empty, empty), null, "few");
  assert.equal(rents(empty, empty, empty, empty, empty), false, "many");
  assert.equal(rents(empty, empty, empty, empty, silent), null, "one does not say");
  assert.equal(rents(closed, closed), false, "none rents");
  assert.equal(rents(closed, { ...full, is_installed: false }, empty), null, "one of few does");
  assert.equal(rents(null, null), null, "no row");
  assert.equal(rentsOf(null), null);
});
