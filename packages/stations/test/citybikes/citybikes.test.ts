/** CityBikes documents as they are served, and what is made of them (mobility.md 2.1, 2.2). */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { feedOf, observationsOf } from "../../shard/observations.ts";
import { openStatics, type Statics } from "../../shard/shard-statics.ts";
import { openStatus, UNKNOWN_COUNT } from "../../shard/shard-status.ts";
import { CLASS, getField, TRI, withField } from "../../shard/bits.ts";
import { describeState } from "#core/nearby/action-state.ts";
import { openVehicles } from "../../shard/shard-vehicles.ts";
import { ingest } from "../../citybikes/citybikes-ingest.ts";
import { readNetworks } from "../../citybikes/networks.ts";
import type { FeedFile, IngestResult } from "../../feed.ts";
import { tries } from "../../../../test/support/size.ts";

const NOW_S = 1_790_000_000;
const ISO = new Date((NOW_S - 90) * 1000).toISOString();

const STATION = {
  id: "0f1e2d3c4b5a69788796a5b4c3d2e1f0",
  name: "Place de l'Étoile",
  latitude: 43.6,
  longitude: 1.44,
  timestamp: ISO,
  free_bikes: 7,
  empty_slots: 11,
  extra: { uid: 12, slots: 18, renting: 1, returning: true, ebikes: 2, last_updated: NOW_S - 300 },
};
const NETWORK = {
  id: "velotest",
  name: "VélôTest",
  company: ["Cycles SA", "Ville"],
  href: "/v2/networks/velotest",
  gbfs_href: "https://feeds.example/gbfs/2.3/gbfs.json",
  location: { latitude: 43.6, longitude: 1.44, city: "Testville", country: "FRA" },
};
const ALL: FeedFile[] = ["station_information", "station_status", "vehicle_status"];

function read(network: unknown, files: readonly FeedFile[] = ALL): IngestResult {
  return readText(JSON.stringify({ network }), files);
}

function readText(text: string, files: readonly FeedFile[] = ALL): IngestResult {
  const bytes = new TextEncoder().encode(text);
  return ingest({
    protocol: "citybikes",
    url: "https://api.example/v2/networks/velotest",
    system_id: "citybikes:velotest",
    mode_hint: null,
    name: null,
    network: null,
    has_vehicle_feed: true,
    now_ms: NOW_S * 1000,
    statics: null,
    bodies: Object.fromEntries(files.map((file) => [file, { bytes, fetched_at_ms: NOW_S * 1000 }])),
  });
}

const withStation = (change: object, extra: object = {}): object => ({
  ...NETWORK,
  stations: [{ ...STATION, ...change, extra: { ...STATION.extra, ...extra } }],
});
const staticsOf = (result: IngestResult): Statics => openStatics(result.statics!);

test("the list of networks: id, company in either form, country in two letters or three", () => {
  const networks = readNetworks({
    networks: [
      NETWORK,
      { ...NETWORK, id: "b", company: "Cycles SA", gbfs_href: null, location: { country: "de" } },
      { ...NETWORK, id: "b", name: "again" },
      { ...NETWORK, id: "../etc" },
      { name: "no id" },
      "nonsense",
    ],
  })!;
  assert.deepEqual(
    networks.map(({ id, companies, country, centre, gbfs_url }) => ({
      id,
      companies,
      country,
      centre,
      gbfs_url,
    })),
    [
      {
        id: "velotest",
        companies: ["Cycles SA", "Ville"],
        country: "FR",
        centre: { lat: 43.6, lon: 1.44 },
        gbfs_url: NETWORK.gbfs_href,
      },
      { id: "b", companies: ["Cycles SA"], country: "DE", centre: null, gbfs_url: null },
    ],
  );
  assert.equal(readNetworks({ error: "nope" }), null);
  assert.deepEqual(readNetworks({ networks: [] }), []);
});

test("a station: where it is, what it holds, and the keys it is known by", () => {
  const result = read(withStation({}));
  const statics = staticsOf(result);
  assert.deepEqual(observationsOf(statics, 3)[0], {
    feed: 3,
    id: STATION.id,
    name: "Place de l'Étoile",
    lat: 43.6,
    lon: 1.44,
    modes: 1,
    capacity: 18,
    virtual: null,
    keys: { uid: "12" },
  });
  assert.deepEqual(feedOf(statics), {
    id: "citybikes:velotest",
    kind: "citybikes",
    system_id: "citybikes:velotest",
    names: ["VélôTest", "Cycles SA, Ville"],
    operator: "Cycles SA, Ville",
    urls: [NETWORK.gbfs_href],
    places: ["Testville"],
  });
  const status = openStatus(result.status!);
  assert.equal(status.vehicles[0], 7);
  assert.equal(status.docks[0], 11);
  assert.equal(status.last_reported[0], NOW_S - 300, "the operator's own time goes first");
});

const countsOf = (change: object, extra?: object) => {
  const result = read(withStation(change, extra));
  const status = openStatus(result.status!);
  return { vehicles: status.vehicles[0], docks: status.docks[0], at: status.last_reported[0] };
};

test("absent values are unknown, never zero", () => {
  assert.equal(countsOf({ empty_slots: null }).docks, UNKNOWN_COUNT);
  assert.equal(countsOf({ free_bikes: null }).vehicles, UNKNOWN_COUNT);
  assert.equal(countsOf({ free_bikes: "many" }).vehicles, UNKNOWN_COUNT);
  assert.equal(staticsOf(read(withStation({}, { slots: 0 }))).capacity[0], -1);
  const malformed = { timestamp: "2025-04-17T16:41:02505032+00:00Z" };
  assert.equal(countsOf(malformed, { last_updated: null }).at, 0);
  assert.equal(countsOf({}, { last_updated: undefined }).at, NOW_S - 90);
});

test("flags come as booleans, numbers and text", () => {
  for (const [renting, expected] of [
    [1, true],
    [0, false],
    [true, true],
    ["false", false],
    [null, null],
  ] as const) {
    const { status } = read(withStation({}, { renting }));
    const { bytes, offsets } = openStatus(status!).middle;
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, offsets[1]).toString();
    assert.match(text, new RegExp(`"is_renting":${expected}`));
  }
});

const OPEN = { renting: undefined, returning: undefined };
const stateOf = (change: object, extra: object) => {
  const { state } = openStatus(read(withStation(change, { ...OPEN, ...extra })).status!);
  const fresh = withField(state[0]!, "data_class", CLASS.realtime);
  const { pickup } = describeState(withField(fresh, "matched", 1)).action_state;
  return { pickup, installed: getField(state[0]!, "installed"), hidden: getField(fresh, "hidden") };
};
const { yes, no, unknown } = TRI;

const LISTED: readonly [extra: object, pickup: string, installed: number][] = [
  [{}, "available_now", yes],
  [{ online: true }, "available_now", yes],
  [{ status: "OPEN" }, "available_now", yes],
  [{ status: "En fonctionnement" }, "available_now", yes],
  [{ status: "IN_SERVICE", renting: 1 }, "available_now", yes],
  [{ online: false }, "unavailable_now", unknown],
  [{ online: "0", renting: 1 }, "unavailable_now", unknown],
  [{ closed: true }, "unavailable_now", unknown],
  [{ status: "CLOSED" }, "unavailable_now", unknown],
  [{ status: "closed", renting: 1 }, "unavailable_now", unknown],
  [{ status: "EN MAINTENANCE" }, "unavailable_now", unknown],
  [{ status: "Fermée" }, "unavailable_now", unknown],
  [{ status: "OUT_OF_SERVICE" }, "unavailable_now", unknown],
  [{ status: "PLANNED" }, "unavailable_now", no],
  [{ status: "under construction" }, "unavailable_now", no],
  [{ installed: false }, "unavailable_now", no],
  [{ status: "quux" }, "unknown", unknown],
  [{ status: "quux", renting: 1 }, "unknown", unknown],
  [{ renting: 0 }, "unavailable_now", yes],
  [{ online: "False" }, "unavailable_now", unknown],
  [{ online: "offline" }, "unavailable_now", unknown],
  [{ online: "NO", renting: 1 }, "unavailable_now", unknown],
  [{ online: 0 }, "unavailable_now", unknown],
  [{ online: 1 }, "available_now", yes],
  [{ online: "yes" }, "available_now", yes],
  [{ online: "perhaps" }, "unknown", unknown],
  [{ status: { state: "CLOSED" } }, "unknown", unknown],
  [{ status: ["CLOSED"] }, "unknown", unknown],
  [{ status: "-1" }, "unknown", unknown],
  [{ online: true, status: "CLOSED" }, "unavailable_now", unknown],
  [{ online: false, status: "OPEN" }, "unavailable_now", unknown],
  [{ status: false, renting: 1 }, "unavailable_now", unknown],
  [{ status: true }, "available_now", yes],
  [{ status: 0 }, "unavailable_now", unknown],
  [{ status: "1" }, "available_now", yes],
  [{ status: "En_Maintenance" }, "unavailable_now", unknown],
  [{ status: "EN-MAINTENANCE" }, "unavailable_now", unknown],
  [{ status: "  Maintenance  " }, "unavailable_now", unknown],
  [{ status: "under-maintenance" }, "unavailable_now", unknown],
  [
    { status: "OutOfService".replaceAll(/(?<=t)(?=O)|(?<=f)(?=S)/g, "_") },
    "unavailable_now",
    unknown,
  ],
  [{ status: "MAINTENANCE/IMPLEMENTATION" }, "unavailable_now", unknown],
  [{ status: "Planned" }, "unavailable_now", no],
  [{ status: "EN_CONSTRUCTION" }, "unavailable_now", no],
  [{ state: "Fermé" }, "unavailable_now", unknown],
];

for (const [extra, pickup, installed] of LISTED)
  test(`a station with ${JSON.stringify(extra)}: pickup is ${pickup}`, () => {
    const hidden = installed === no ? 1 : 0;
    assert.deepEqual(stateOf({}, extra), { pickup, installed, hidden });
  });

test("without a flag a station rents while it has vehicles and spoke within fifteen minutes", () => {
  const at = (ago_s: number) => ({ last_updated: NOW_S - ago_s });
  assert.equal(stateOf({}, at(900)).pickup, "available_now");
  assert.equal(stateOf({}, at(901)).pickup, "unknown");
  assert.equal(stateOf({ free_bikes: 0 }, at(60)).pickup, "unavailable_now");
  assert.equal(stateOf({ free_bikes: 0 }, at(901)).pickup, "unknown", "an old zero is old");
  assert.equal(stateOf({ free_bikes: 0 }, { ...at(901), renting: 1 }).pickup, "unavailable_now");
  assert.equal(stateOf({ free_bikes: null }, at(60)).pickup, "unknown");
  assert.equal(stateOf({ timestamp: null }, { last_updated: null }).pickup, "unknown");
});

test("bad rows go with their reason, the rest stays", () => {
  const rows = [
    STATION,
    { ...STATION, name: "the same again" },
    { ...STATION, id: null },
    { ...STATION, id: "zero", latitude: 0, longitude: 0 },
    { ...STATION, id: "nowhere", latitude: null },
    7,
  ];
  const result = read({ ...NETWORK, stations: rows });
  const report = result.files.station_information!;
  assert.ok(report.ok);
  assert.equal(report.accepted, 1);
  assert.equal(report.seen, 6);
  assert.deepEqual(
    report.trail.dropped.map(({ reason, count }) => [reason, count]),
    [
      ["coordinates_missing", 1],
      ["coordinates_zero", 1],
      ["id_duplicate", 1],
      ["id_missing", 1],
      ["row_malformed", 1],
    ],
  );
});

test("free-floating vehicles, by kind; a broken one is not offered", () => {
  const vehicle = { id: "v1", latitude: 43.6, longitude: 1.45, timestamp: ISO, kind: "ebike" };
  const vehicles = [
    { ...vehicle, extra: { battery: 50, online: true } },
    { ...vehicle, id: "v2", kind: "scooter", extra: { online: false } },
    { ...vehicle, id: "v3", kind: "rocket" },
  ];
  const packed = openVehicles(read({ ...NETWORK, vehicles }).vehicles!);
  assert.equal(packed.count, 3);
  assert.ok([...packed.charge].includes(0.5));
});

const BATTERIES: readonly [name: string, said: readonly unknown[], charges: readonly number[]][] = [
  ["percent", [50, 1, 0, 100], [0.5, 0.01, 0, 1]],
  ["fractions", [0.5, 1, 0], [0.5, 1, 0]],
  ["nothing but 0 and 1", [1, 0], [Number.NaN, Number.NaN]],
  ["flags", [true, false], [Number.NaN, Number.NaN]],
  ["both", [50, 0.5], [0.5, Number.NaN]],
  ["not of this world", [50, 101, -1, "full"], [0.5, Number.NaN, Number.NaN, Number.NaN]],
];

for (const [name, reported, charges] of BATTERIES)
  test(`batteries of a network: ${name}`, () => {
    const vehicles = reported.map((battery, i) => ({
      ...{ id: `v${i}`, latitude: 43.6 + i / 1e3, longitude: 1.45, timestamp: ISO, kind: "bike" },
      extra: { battery },
    }));
    const packed = openVehicles(read({ ...NETWORK, vehicles }).vehicles!);
    const matches = reported.map((_, i) => {
      const row = packed.index.lat.findIndex((lat) => Math.abs(lat - 43.6 - i / 1e3) < 1e-6);
      return Math.round(packed.charge[row]! * 1e3) / 1e3;
    });
    assert.deepEqual(matches, charges);
  });

const VEHICLES: readonly [extra: object, pickup: string][] = [
  [{ online: true }, "available_now"],
  [{ online: 1 }, "available_now"],
  [{ online: false }, "unavailable_now"],
  [{ online: "0" }, "unavailable_now"],
  [{ status: "MAINTENANCE" }, "unavailable_now"],
  [{ online: "perhaps" }, "unknown"],
  [{ status: "quux", online: true }, "unknown"],
  [{}, "unknown"],
];

for (const [extra, pickup] of VEHICLES)
  test(`a vehicle with ${JSON.stringify(extra)} is ${pickup === "available_now" ? "in order" : pickup}`, () => {
    const vehicle = { id: "v1", latitude: 43.6, longitude: 1.45, timestamp: ISO, kind: "bike" };
    const { state } = openVehicles(
      read({ ...NETWORK, vehicles: [{ ...vehicle, extra }] }).vehicles!,
    );
    const expected = { available_now: TRI.no, unavailable_now: TRI.yes, unknown: TRI.unknown };
    assert.equal(getField(state[0]!, "disabled"), expected[pickup as keyof typeof expected]);
  });

test("a document that is not of a network is refused, not read as an empty one", () => {
  for (const text of ["", "{", "[]", '{"network":{"id":"x"}}', '{"network":{"stations":[]}}'])
    for (const file of ALL) {
      const result = readText(text, [file]);
      assert.equal(result.files[file]?.ok ?? false, false, text);
      assert.equal(result.statics, null);
    }
  const empty = read({ ...NETWORK, stations: [] });
  assert.equal(staticsOf(empty).count, 0);
  assert.ok(empty.files.station_information?.ok);
});

test("no mutation of a document throws", () => {
  const base = { ...NETWORK, stations: [STATION], vehicles: [{ ...STATION, kind: "bike" }] };
  const places = [
    "id",
    "name",
    "latitude",
    "longitude",
    "timestamp",
    "free_bikes",
    "empty_slots",
    "extra",
  ];
  fc.assert(
    fc.property(
      fc.constantFrom(...places),
      fc.jsonValue(),
      fc.jsonValue(),
      (place, value, other) => {
        const stations = [STATION, { ...STATION, id: "b", [place]: value }, other];
        read({ ...base, stations, vehicles: [other, { ...STATION, [place]: value }] });
        read({ ...base, location: value, company: other, gbfs_href: value });
        readText(JSON.stringify(value));
      },
    ),
    { numRuns: tries(300) },
  );
});
