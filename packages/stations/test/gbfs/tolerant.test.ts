/** Files that are not as GBFS has them, and say what they mean all the same. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { getField, modeMask } from "../../shard/bits.ts";
import { openStatics } from "../../shard/shard-statics.ts";
import { openVehicles, type Vehicles } from "../../shard/shard-vehicles.ts";
import { readDiscovery, readVersions } from "../../gbfs/gbfs-discovery.ts";
import { ingest } from "../../gbfs/gbfs-ingest.ts";
import { modeOfNames } from "../../gbfs/mode-of-names.ts";
import type { FeedFile, IngestResult } from "../../feed.ts";
import { BASE_URL, NOW_S } from "./readers.ts";

type Bodies = Partial<Record<FeedFile, unknown>>;

function read(files: Bodies, name: string | null = null): IngestResult {
  const entries = Object.entries(files).map(([file, wire]) => [
    file,
    { bytes: new TextEncoder().encode(JSON.stringify(wire)), fetched_at_ms: NOW_S * 1_000 },
  ]);
  return ingest({
    protocol: "gbfs",
    system_id: "x",
    url: "https://f.example/gbfs.json",
    mode_hint: null,
    name,
    network: null,
    has_vehicle_feed: true,
    now_ms: NOW_S * 1_000,
    statics: null,
    bodies: Object.fromEntries(entries),
  });
}

const STATION = { station_id: "a", name: "A", lat: 48.1, lon: 11.5, capacity: 4 };
const STATUS = { station_id: "a", num_bikes_available: 3, is_renting: true };
const VEHICLE = { bike_id: "v", lat: 48.1, lon: 11.5 };
const TYPE = { vehicle_type_id: "t", form_factor: "moped", propulsion_type: "electric" };
const SYSTEM = { system_id: "x", name: "X", timezone: "Europe/Berlin", language: "de" };
const ALERT = { alert_id: "1", type: "other", summary: "S" };

const ROWS = [
  ["station_information", "stations", STATION],
  ["station_status", "stations", STATUS],
  ["vehicle_types", "vehicle_types", TYPE],
  ["vehicle_status", "bikes", VEHICLE],
  ["system_alerts", "alerts", ALERT],
] as const;

for (const [file, list, row] of ROWS)
  test(`${file} is read without its envelope, and the trail says so`, () => {
    const head = { last_updated: NOW_S - 5, ttl: 30, version: "2.3" };
    const wires = {
      list: [row],
      members: { ...head, [list]: [row] },
      data: { ...head, data: [row] },
    };
    for (const [shape, wire] of Object.entries(wires)) {
      const base = { station_information: [STATION], [file]: wire };
      const report = read(base).files[file];
      assert.ok(report?.ok, `${shape}: ${JSON.stringify(report)}`);
      assert.equal(report.accepted, 1, shape);
      assert.equal(
        report.trail.repaired.find(({ reason }) => reason === "envelope_missing")?.count,
        1,
      );
      assert.equal(report.ttl_s, shape === "list" ? null : 30, shape);
    }
  });

test("a whole system is the same with and without envelopes", () => {
  const bare = read({
    system_information: SYSTEM,
    vehicle_types: [TYPE],
    station_information: [STATION],
  });
  const whole = read({
    system_information: { data: SYSTEM },
    vehicle_types: { data: { vehicle_types: [TYPE] } },
    station_information: { data: { stations: [STATION] } },
  });
  assert.deepEqual(new Uint8Array(bare.statics!), new Uint8Array(whole.statics!));
});

test("zones are read where the document is their collection", () => {
  const zones = { type: "FeatureCollection", features: [] };
  for (const wire of [zones, { geofencing_zones: zones, ttl: 5 }])
    assert.ok(read({ geofencing_zones: wire }).files.geofencing_zones?.ok);
});

test("a file without a list of its rows stays unread: a failure is no empty list", () => {
  const wires = [
    [],
    {},
    { error: "no such feed" },
    { message: [], data: [] },
    [1, "a"],
    [{ id: 1 }],
  ];
  for (const [file] of ROWS)
    for (const wire of [...wires, { data: null }]) {
      const report = read({ [file]: wire }).files[file];
      assert.equal(report?.ok, false, `${file} ${JSON.stringify(wire)}`);
    }
});

test("discovery and versions are read without their envelope", () => {
  const feeds = [{ name: "station_information", url: "https://f.example/s.json" }];
  for (const wire of [{ feeds }, { en: { feeds } }, feeds, { version: "2.3", feeds }]) {
    const discovery = readDiscovery(wire, { base_url: BASE_URL });
    assert.equal(discovery?.feeds.get("station_information"), feeds[0]!.url, JSON.stringify(wire));
  }
  for (const wire of [[], {}, { feeds: [] }, { error: ["x"] }])
    assert.equal(readDiscovery(wire, { base_url: BASE_URL }), null);
  const versions = [{ version: "2.3", url: "https://f.example/2.3/gbfs.json" }];
  for (const wire of [versions, { versions }, { data: { versions } }])
    assert.deepEqual(readVersions(wire), versions);
});

/** In the order of their places, which is that of their rows here. */
function modesIn({ state }: Vehicles): string[] {
  const names = new Map(
    (["bicycle", "scooter", "moped", "car", "other"] as const).map((mode) => [
      modeMask([mode]),
      mode,
    ]),
  );
  return Array.from(state, (bits) => names.get(getField(bits, "modes"))!);
}

test("a system without vehicle types gets those that its names suggest", () => {
  const named = (name: string): unknown => {
    const { statics } = read({ vehicle_status: { data: { bikes: [VEHICLE] } } }, name);
    return openStatics(statics!).meta.mode_hint;
  };
  const expected = [
    ["TIER Wolfsburg", "scooter"],
    ["Bird Linz", "scooter"],
    ["E-Trottinettes de Nice", "scooter"],
    ["Cityscoot Paris", "moped"],
    ["Getaround Graz", "car"],
    ["Velo Antwerpen", null],
    ["Lime Bike", null],
    ["Bike & Scooter Share", "other"],
    ["Villo", null],
    ["Motorcycle Museum", null],
  ] as const;
  for (const [name, mode] of expected) assert.equal(named(name), mode, name);
  assert.equal(modeOfNames([null, undefined, ""]), null);
});

test("vehicles without a type are what the others of their file say, and never a bicycle by silence", () => {
  const others = (types: (string | null)[]): string[] => {
    const bikes = types.map((type, i) => ({ ...VEHICLE, bike_id: `v${i}`, vehicle_type: type }));
    return modesIn(openVehicles(read({ vehicle_status: { data: { bikes } } }).vehicles!));
  };
  assert.deepEqual(others(["scooter", null]), ["scooter", "scooter"]);
  assert.deepEqual(others(["scooter", "bike", null]).sort(), ["bicycle", "other", "scooter"]);
  assert.deepEqual(others([null]), ["bicycle"]);
  const tier = read({ vehicle_status: { data: { bikes: [VEHICLE] } } }, "TIER");
  assert.deepEqual(modesIn(openVehicles(tier.vehicles!)), ["scooter"]);
});
