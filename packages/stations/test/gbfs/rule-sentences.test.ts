/**
 * R1, R2, R4 and R5, from the bytes of a feed to its packs. docs/sentences.md says which sentence each
 * test holds.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { getField, modesOf } from "../../shard/bits.ts";
import { readText } from "#kit/bytes.ts";
import { openStatics } from "../../shard/shard-statics.ts";
import { openStatus, UNKNOWN_COUNT } from "../../shard/shard-status.ts";
import { openVehicles } from "../../shard/shard-vehicles.ts";
import type { FeedFile } from "../../feed.ts";
import { ingest } from "#providers/protocols.ts";

const NOW_S = 1_790_000_000;
const at = { lat: 48.1, lon: 11.5 };

type System = Partial<Record<FeedFile, object>>;

function read(files: System, version = "2.3") {
  const toBody = (data: object) => ({
    bytes: new TextEncoder().encode(
      JSON.stringify({ last_updated: NOW_S - 5, ttl: 60, version, data }),
    ),
    fetched_at_ms: NOW_S * 1000,
  });
  const result = ingest({
    protocol: "gbfs",
    url: "https://feed.example/gbfs.json",
    system_id: "town",
    mode_hint: null,
    name: null,
    network: null,
    has_vehicle_feed: files.vehicle_status !== undefined,
    now_ms: NOW_S * 1000,
    statics: null,
    bodies: Object.fromEntries(
      Object.entries(files).map(([file, data]) => [file, toBody(data)]),
    ) as never,
  });
  const statics = openStatics(result.statics!);
  const status = result.status && openStatus(result.status);
  const vehicles = result.vehicles && openVehicles(result.vehicles);
  const ids = Array.from({ length: statics.count }, (_, row) => readText(statics.ids, row));
  return { result, statics, status, vehicles, ids };
}

const typed = (...forms: [id: string, form_factor: unknown][]) => ({
  vehicle_types: forms.map(([vehicle_type_id, form_factor]) => ({
    vehicle_type_id,
    form_factor,
    propulsion_type: "electric",
  })),
});
const stations = (...rows: object[]) => ({
  stations: rows.map((row, n) => ({
    station_id: `s${n}`,
    name: `Station ${n}`,
    lat: at.lat + n / 1000,
    lon: at.lon,
    ...row,
  })),
});
const FLAGS = { is_installed: true, is_renting: true, is_returning: true, last_reported: NOW_S };
const statuses = (...rows: object[]) => ({
  stations: rows.map((row, n) => ({ station_id: `s${n}`, ...FLAGS, ...row })),
});
const bikes = (...rows: object[]) => ({
  bikes: rows.map((row, n) => ({
    bike_id: `v${n}`,
    is_reserved: false,
    is_disabled: false,
    ...at,
    ...row,
  })),
});

/** The mode of the one vehicle; `other`: it is in none that can be listed. */
function modeOfVehicle(row: object, types: object | null): string {
  const files = { ...(types && { vehicle_types: types }), vehicle_status: bikes(row) };
  const { vehicles } = read({ ...files, station_information: stations({}) });
  return modesOf(getField(vehicles!.state[0]!, "modes"))[0] ?? "other";
}

/** The modes of the first station. */
function modesOfStation(info: object, status: object, types: object | null): string[] {
  const { status: packed } = read({
    ...(types && { vehicle_types: types }),
    station_information: stations(info),
    station_status: statuses(status),
  });
  return modesOf(getField(packed!.state[0]!, "modes"));
}

const FORMS: readonly [form: unknown, mode: string][] = [
  ["bicycle", "bicycle"],
  ["cargo_bicycle", "bicycle"],
  ["bike", "bicycle"],
  ["BICYCLE", "bicycle"],
  ["scooter", "scooter"],
  ["scooter_standing", "scooter"],
  ["scooter_seated", "scooter"],
  ["moped", "moped"],
  ["car", "car"],
  ["other", "other"],
  ["rocket", "other"],
  [null, "other"],
  ["", "other"],
];

for (const [form, mode] of FORMS)
  test(`R1: the form ${JSON.stringify(form)} is ${mode}`, () => {
    // Next to a second one, so that nothing follows from there being one mode.
    const types = typed(["x", form], ["other", form === "car" ? "moped" : "car"]);
    assert.equal(modeOfVehicle({ vehicle_type_id: "x" }, types), mode);
  });

test("R1: without a file of types there are bicycles; an unknown type is of the only mode, or other", () => {
  assert.equal(modeOfVehicle({}, null), "bicycle");
  assert.equal(modeOfVehicle({ vehicle_type_id: "?" }, typed(["a", "moped"])), "moped");
  const several = typed(["a", "moped"], ["b", "car"]);
  assert.equal(modeOfVehicle({ vehicle_type_id: "?" }, several), "other");
});

test("R1: the publisher's own word on a vehicle goes before its type", () => {
  const types = typed(["a", "bicycle"], ["b", "scooter"]);
  const cases = [
    [{ type: "electric_scooter", vehicle_type_id: "a" }, "scooter"],
    [{ type: "electric_bike", vehicle_type_id: "b" }, "bicycle"],
    [{ type: "something", vehicle_type_id: "b" }, "scooter"],
  ] as const;
  for (const [row, mode] of cases) assert.equal(modeOfVehicle(row, types), mode);
});

const TYPES = typed(["bike", "bicycle"], ["step", "scooter"], ["van", "car"], ["vespa", "moped"]);
const NAMED: readonly [what: string, info: object, status: object, modes: string[]][] = [
  [
    "available vehicles",
    {},
    { vehicle_types_available: [{ vehicle_type_id: "step", count: 2 }] },
    ["scooter"],
  ],
  [
    "a count of 0",
    {},
    { vehicle_types_available: [{ vehicle_type_id: "van", count: 0 }] },
    ["car"],
  ],
  [
    "docks",
    {},
    { vehicle_docks_available: [{ vehicle_type_ids: ["vespa"], count: 1 }] },
    ["moped"],
  ],
  ["the capacity for vehicles", { vehicle_type_capacity: { van: 2 } }, {}, ["car"]],
  [
    "the capacity of docks",
    { vehicle_docks_capacity: [{ vehicle_type_ids: ["bike"], count: 4 }] },
    {},
    ["bicycle"],
  ],
  [
    "several of them",
    { vehicle_type_capacity: { van: 2 } },
    { vehicle_types_available: [{ vehicle_type_id: "bike", count: 0 }] },
    ["bicycle", "car"],
  ],
  ["nothing", {}, {}, ["bicycle", "scooter", "moped", "car"]],
];

for (const [what, info, status, modes] of NAMED)
  test(`R2: modes of a station that names types by ${what}`, () => {
    assert.deepEqual(modesOfStation(info, status, TYPES), modes);
  });

test("R2: without types a station has bicycles, and no live count changes a mode", () => {
  assert.deepEqual(modesOfStation({}, {}, null), ["bicycle"]);
  for (const count of [0, 1, 50, null])
    assert.deepEqual(
      modesOfStation({}, { vehicle_types_available: [{ vehicle_type_id: "van", count }] }, TYPES),
      ["car"],
    );
});

function countsOf(
  row: object,
  { version = "2.3", info = {} }: { version?: string; info?: object } = {},
) {
  const files = {
    vehicle_types: TYPES,
    station_information: stations(info, {}),
    station_status: statuses(row, {}),
  };
  const { status, statics } = read(files, version);
  const known = (value: number | undefined) => (value === UNKNOWN_COUNT ? null : value);
  return {
    vehicles: known(status!.vehicles[0]),
    docks: known(status!.docks[0]),
    free: getField(status!.state[0]!, "docks"),
    capacity: statics.capacity[0] === -1 ? null : statics.capacity[0],
  };
}

const kinds = (...counts: [string, number | null][]) => ({
  vehicle_types_available: counts.map(([vehicle_type_id, count]) => ({ vehicle_type_id, count })),
});
const TOTALS: readonly [row: object, vehicles: number | null][] = [
  [{ num_bikes_available: 7 }, 7],
  [{ num_vehicles_available: 7 }, 7],
  [{ num_vehicles_available: 7, num_bikes_available: 3 }, 7],
  [{ num_bikes_available: 3, ...kinds(["bike", 4], ["step", 2]) }, 6],
  [{ num_bikes_available: 9, ...kinds(["bike", 4], ["step", 2]) }, 9],
  [{ num_bikes_available: 5, ...kinds(["bike", 0], ["step", 0]) }, 5],
  [{ num_bikes_available: 5, ...kinds(["unheard of", 2]) }, 5],
  [{ num_bikes_available: 3.9 }, 3],
  [{ num_bikes_available: -1 }, null],
  [{ num_bikes_available: 99_998 }, 99_998],
  [{ num_bikes_available: 99_999 }, null],
  [{}, null],
  [{ num_bikes_available: 0 }, 0],
];

for (const [row, vehicles] of TOTALS)
  test(`R4: vehicles of ${JSON.stringify(row)}: ${vehicles}`, () => {
    assert.equal(countsOf(row).vehicles, vehicles);
  });

const NO_LIMIT = -2;
const DOCKS: readonly [version: string, row: object, info: object, docks: number | null][] = [
  ["2.3", { num_docks_available: 4 }, {}, 4],
  ["2.3", { num_docks_available: 4.7 }, {}, 4],
  ["2.3", { num_docks_available: -2 }, {}, null],
  ["2.3", {}, {}, NO_LIMIT],
  ["3.0", {}, {}, NO_LIMIT],
  ["1.1", {}, {}, null],
  ["2.3", { num_docks_available: 0 }, {}, 0],
];

for (const [version, row, info, docks] of DOCKS)
  test(`R4: docks of ${version} with ${JSON.stringify(row)}: ${docks}`, () => {
    assert.equal(countsOf(row, { version, info }).docks, docks);
  });

test("R4: docks of a virtual station of 1.x without a count are without limit", () => {
  const { free } = countsOf({}, { version: "1.1", info: { is_virtual_station: true } });
  const { free: unknown } = countsOf({}, { version: "1.1" });
  assert.notEqual(free, unknown);
});

const CAPACITIES: readonly [info: object, capacity: number | null][] = [
  [{ capacity: 12, vehicle_type_capacity: { bike: 3 } }, 12],
  [{ capacity: 0, vehicle_type_capacity: { bike: 3, step: 2 } }, 5],
  [{ vehicle_docks_capacity: [{ vehicle_type_ids: ["bike"], count: 6 }] }, 6],
  [{ capacity: -1 }, null],
  [{ capacity: 0 }, null],
  [{}, null],
];

for (const [info, capacity] of CAPACITIES)
  test(`R4: capacity of ${JSON.stringify(info)}: ${capacity}, whatever is counted there`, () => {
    const counts = { num_bikes_available: 3, num_docks_available: 4 };
    assert.equal(countsOf(counts, { info }).capacity, capacity);
  });

const DROPPED: readonly [what: string, row: object, ids: string[]][] = [
  ["no id", { station_id: null }, ["s1"]],
  ["no coordinates", { lat: null }, ["s1"]],
  ["coordinates out of range", { lat: 91 }, ["s1"]],
  ["coordinates at 0,0", { lat: 0, lon: 0 }, ["s1"]],
  ["the id of another row", { station_id: "s1", name: "first" }, ["s1"]],
  ["nothing wrong", {}, ["s0", "s1"]],
];

for (const [what, row, ids] of DROPPED)
  test(`R5: a station with ${what} leaves ${ids.join(" and ")}`, () => {
    assert.deepEqual(read({ station_information: stations(row, {}) }).ids, ids);
  });

test("R5: of two rows of an id the first is read", () => {
  const { statics } = read({
    station_information: stations({ station_id: "a", lat: 48.2 }, { station_id: "a", lat: 48.3 }),
  });
  assert.deepEqual([...statics.index.lat], [48.2]);
});

test("R5: a station that represents a whole city is not listed, whichever of its numbers says so", () => {
  const cases = [
    [{ capacity: 100_000 }, { num_bikes_available: 3, num_docks_available: 100_000 }],
    [{}, { num_bikes_available: 3, num_docks_available: 99_999 }],
    [{}, { num_bikes_available: 2_500, num_docks_available: 5 }],
  ] as const;
  for (const [info, row] of cases) {
    const { ids, status } = read({
      station_information: stations(info),
      station_status: statuses(row),
    });
    assert.ok(ids.length === 0 || getField(status!.state[0]!, "hidden") === 1, JSON.stringify(row));
  }
});

test("R5: a station that is not installed is hidden, and counted", () => {
  const { status } = read({
    station_information: stations({}, {}),
    station_status: statuses({ is_installed: false }, {}),
  });
  assert.deepEqual(
    [...status!.state].map((state) => getField(state, "hidden")),
    [1, 0],
  );
});

const PLACED: readonly [what: string, row: object, listed: boolean][] = [
  ["at a station with docks", { station_id: "s0" }, false],
  ["at a virtual station", { station_id: "s1" }, true],
  ["at a virtual station, without coordinates", { station_id: "s1", lat: null, lon: null }, true],
  ["at an unknown station, without coordinates", { station_id: "?", lat: null, lon: null }, false],
  ["without coordinates", { lat: null, lon: null }, false],
  ["at 0,0", { lat: 0, lon: 0 }, false],
  ["in the street", {}, true],
];

for (const [what, row, listed] of PLACED)
  test(`R5: a vehicle ${what} is ${listed ? "listed" : "not listed"}`, () => {
    const { vehicles } = read({
      station_information: stations({ capacity: 9 }, { is_virtual_station: true }),
      vehicle_status: bikes(row),
    });
    assert.equal(vehicles!.count, listed ? 1 : 0);
  });

test("R11: of two vehicles of one id in a file the first wins", () => {
  const { vehicles } = read({
    station_information: stations({}),
    vehicle_status: bikes({ bike_id: "a", lat: 48.2 }, { bike_id: "a", lat: 48.3 }),
  });
  assert.deepEqual([...vehicles!.index.lat], [48.2]);
});
