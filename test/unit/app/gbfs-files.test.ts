/** Published GBFS (docs/gbfs.md): what is in a file, what is left out and counted, and what is kept of it. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { StationStatus } from "#stations/entities.ts";
import { readSystem } from "#stations/gbfs/gbfs-system.ts";
import type { Shard } from "#stations/shard/shard.ts";
import { openZones, packZones } from "#stations/shards.ts";
import { ask, deploy, type Deployment } from "../../support/answers.ts";
import {
  aShard,
  aStation,
  aStatus,
  aType,
  aVehicle,
  anAlert,
  HERE,
  moved,
  NOW_S,
} from "../../support/domain.ts";
import { OPEN_TERMS, publish } from "../../support/gbfs-out.ts";
import { createMemoryBridges } from "../../support/memory.ts";

type Row = Record<string, unknown>;

const BIKE = aType("bike");
const EBIKE = aType("ebike", {
  propulsion: "electric_assist",
  max_range_m: 60_000,
  electric: true,
});
const MYSTERY = aType("mystery", { propulsion: "electric", electric: true });
const PLACES = Array.from({ length: 12 }, (_, i) => moved(HERE, 0, 200 * i));

/** A system with one station for each of these, and its files. */
function openSystem(
  statuses: readonly Partial<StationStatus>[],
  more: Partial<Parameters<typeof aShard>[0]> = {},
) {
  const ids = statuses.map((_, i) => `s${i}`);
  const shard = aShard({
    stations: ids.map((id, i) => aStation(id, { name: `Dock ${i}`, ...PLACES[i] })),
    statuses: ids.map((id, i) => aStatus(id, statuses[i])),
    ...more,
  });
  const deployment = deploy({ shards: [shard] });
  return { deployment, shard, ...publish(deployment) };
}

const rowsOf = ({ document }: { document: { data: Row } }): Row[] =>
  Object.values(document.data)[0] as Row[];

test("a station is published with what it holds, in both versions", async () => {
  const { read } = openSystem(
    [
      {
        by_type: [
          { type_id: "bike", count: 2 },
          { type_id: "ebike", count: 3 },
        ],
      },
    ],
    { types: [BIKE, EBIKE] },
  );
  const [one] = rowsOf(await read("v3/sys/station_status"));
  const [information] = rowsOf(await read("v3/sys/station_information"));
  assert.deepEqual(one, {
    station_id: information!["station_id"],
    num_vehicles_available: 5,
    vehicle_types_available: [
      { vehicle_type_id: "bike", count: 2 },
      { vehicle_type_id: "ebike", count: 3 },
    ],
    num_vehicles_disabled: 1,
    num_docks_available: 7,
    num_docks_disabled: 2,
    is_installed: true,
    is_renting: true,
    is_returning: true,
    last_reported: "2026-09-21T13:45:40Z",
  });
  const [old] = rowsOf(await read("v2/sys/station_status"));
  assert.deepEqual([old!["num_bikes_available"], old!["last_reported"]], [5, NOW_S - 60]);
  assert.deepEqual(information!["name"], [{ text: "Dock 0", language: "und" }]);
  assert.equal(rowsOf(await read("v2/sys/station_information"))[0]!["name"], "Dock 0");
});

test("the id of a station is that of the answers", async () => {
  const { deployment, read } = openSystem([{}]);
  const [station] = (await ask(deployment, { include: ["stations"] })).results.stations;
  assert.equal(rowsOf(await read("v3/sys/station_status"))[0]!["station_id"], station!.id);
});

test("what is not known is left out and counted, never true and never 0", async () => {
  const { read } = openSystem([
    {},
    { is_renting: null },
    { is_returning: null },
    { last_reported_s: NOW_S - 90_000 },
    { vehicles: null },
    { docks: null },
    { docks: null, docks_unlimited: true },
    { disabled_vehicles: null, disabled_docks: null },
    { is_renting: false, is_returning: false, vehicles: 0 },
  ]);
  const status = await read("v3/sys/station_status");
  const { left_out_unknown_state, left_out_unknown_counts } = status.document["_vicinity"]!;
  assert.deepEqual([left_out_unknown_state, left_out_unknown_counts], [3, 2]);
  const [whole, unlimited, undisabled, closed] = rowsOf(status);
  assert.equal(rowsOf(status).length, 4);
  assert.equal(whole!["num_docks_available"], 7);
  assert.equal("num_docks_available" in unlimited!, false, "without a limit");
  assert.equal("num_vehicles_disabled" in undisabled!, false);
  assert.deepEqual([closed!["is_renting"], closed!["num_vehicles_available"]], [false, 0]);
  const information = await read("v3/sys/station_information");
  assert.deepEqual(
    rowsOf(information).map((row) => row["station_id"]),
    rowsOf(status).map((row) => row["station_id"]),
    "both files have the same stations",
  );
});

test("a report without a time has that of its document", async () => {
  const { read } = openSystem([{ last_reported_s: null }], { doc_age_s: 40 });
  const { document } = await read("v2/sys/station_status");
  assert.equal(rowsOf({ document })[0]!["last_reported"], NOW_S - 40);
  assert.equal(document.last_updated, NOW_S - 40);
});

test("a type of which the format demands more than is known is not listed, nor what is of it", async () => {
  const { read } = openSystem([{ by_type: [{ type_id: "mystery", count: 5 }] }], {
    types: [BIKE, MYSTERY],
    vehicles: [
      aVehicle("v1", { type_id: "bike" }),
      aVehicle("v2", { type_id: "mystery" }),
      aVehicle("v3", { type_id: "bike", is_reserved: null }),
    ],
  });
  const types = rowsOf(await read("v3/sys/vehicle_types"));
  assert.deepEqual(
    types.map((row) => row["vehicle_type_id"]),
    ["bike"],
  );
  const [station] = rowsOf(await read("v3/sys/station_status"));
  assert.equal("vehicle_types_available" in station!, false);
  const vehicles = await read("v3/sys/vehicle_status");
  assert.equal(rowsOf(vehicles).length, 1);
  const { left_out_unknown_type, left_out_unknown_state } = vehicles.document["_vicinity"]!;
  assert.deepEqual([left_out_unknown_type, left_out_unknown_state], [1, 1]);
});

test("a plan is published as it was read, and one of which something is not known is not", async () => {
  const plan = {
    ...{ plan_id: "p", name: "Single", currency: "EUR", unlock: 1, per_minute: 0.2, per_kwh: null },
    ...{ is_taxable: false, text: "1 € and 20 cents a minute", url: null },
  };
  const type = { ...BIKE, pricing_plan_id: "p", pricing_plan_ids: ["p", "q"] };
  const { read } = openSystem([], {
    types: [type],
    plans: [plan, { ...plan, plan_id: "q", text: null }, { ...plan, plan_id: "r", has_fees: true }],
    vehicles: [aVehicle("v", { type_id: "bike", pricing_plan_id: "q" })],
  });
  assert.deepEqual(rowsOf(await read("v2/sys/system_pricing_plans")), [
    {
      ...{ plan_id: "p", name: "Single", currency: "EUR", price: 1, is_taxable: false },
      description: "1 € and 20 cents a minute",
      per_min_pricing: [{ start: 0, rate: 0.2, interval: 1 }],
    },
  ]);
  const [listed] = rowsOf(await read("v3/sys/vehicle_types"));
  assert.deepEqual([listed!["default_pricing_plan_id"], listed!["pricing_plan_ids"]], ["p", ["p"]]);
  assert.equal("pricing_plan_id" in rowsOf(await read("v3/sys/vehicle_status"))[0]!, false);
});

test("the id of a vehicle changes with the one that is received, and is not that one", async () => {
  const idsOf = async (...ids: string[]): Promise<unknown[]> => {
    const { read } = openSystem([], { vehicles: ids.map((id) => aVehicle(id)) });
    return rowsOf(await read("v3/sys/vehicle_status")).map((row) => row["vehicle_id"]);
  };
  const [[a], [again], [b]] = [
    await idsOf("plate-1"),
    await idsOf("plate-1"),
    await idsOf("plate-2"),
  ];
  assert.equal(a, again);
  assert.notEqual(a, b);
  assert.doesNotMatch(String(a), /plate/);
});

test("a rule of a zone that is not stated is none, and an alert of stations elsewhere is not one of all", async () => {
  const ring = [
    [2, 48],
    [3, 48],
    [3, 49],
    [2, 48],
  ];
  const rule = {
    type_ids: [],
    ride_start_allowed: true,
    ride_end_allowed: false,
    maximum_speed_kph: null,
    station_parking: null,
  };
  const zones = packZones({
    zones: [
      {
        name: "Quay",
        rules: [
          { ...rule, ride_through_allowed: true },
          { ...rule, ride_through_allowed: null },
        ],
        polygons: [[ring]],
      },
    ],
    global_rules: [],
  });
  const shard: Shard = {
    ...aShard({
      stations: [aStation("s0")],
      alerts: [
        anAlert("1", { station_ids: ["s0"] }),
        anAlert("2", { station_ids: ["gone"], type: "system_closure" }),
      ],
    }),
    zones: openZones(zones),
  };
  const { read } = publish(deploy({ shards: [shard] }));
  const alerts = await read("v3/sys/system_alerts");
  assert.deepEqual(
    rowsOf(alerts).map((row) => row["alert_id"]),
    ["1"],
  );
  assert.equal(alerts.document["_vicinity"]!["left_out_not_of_this_file"], 1);
  for (const [version, rules] of [
    ["v3", [{ ride_start_allowed: true, ride_end_allowed: false, ride_through_allowed: true }]],
    ["v2", [{ ride_allowed: false, ride_through_allowed: true }]],
  ] as const) {
    const { document } = await read(`${version}/sys/geofencing_zones`);
    const { features } = document.data["geofencing_zones"] as {
      features: { properties: Row; geometry: Row }[];
    };
    assert.deepEqual(features[0]!.properties["rules"], rules);
    assert.deepEqual(features[0]!.geometry["coordinates"], [[ring]]);
    assert.equal(document["_vicinity"]!["left_out_unknown_rules"], 1);
  }
});

const NAME = "Vélocité Testville";
const dock = (id: string, change = {}) => aStation(id, { name: "Gare centrale", ...change });

/** An operator's dock and a copy of it with fresher counts. */
function openPair() {
  const report = (id: string, vehicles: number, age_s: number): StationStatus[] => [
    aStatus(id, { vehicles, last_reported_s: NOW_S - age_s }),
  ];
  return deploy({
    shards: [
      aShard({ id: "own", name: NAME, stations: [dock("1")], statuses: report("1", 3, 500) }),
      aShard({
        id: "copy",
        source: "citybikes",
        name: NAME,
        stations: [dock("x", moved(HERE, 4))],
        statuses: report("x", 9, 20),
      }),
    ],
    identity: { bridges: createMemoryBridges(), overrides: { always: [], never: [] } },
  });
}

test("a dock of two sources is published by its operator's system, with the freshest counts", async () => {
  const { read } = publish(openPair());
  assert.equal(rowsOf(await read("v3/own/station_status"))[0]!["num_vehicles_available"], 9);
  assert.deepEqual(rowsOf(await read("v3/copy/station_status")), []);
  const [information] = rowsOf(await read("v3/own/station_information"));
  assert.deepEqual(information!["_vicinity"], { sources: ["own:1", "copy:x"] });
});

test("what the terms of a source forbid to hand on is in no file, and the manifest says so", async () => {
  const terms = (source_id: string) => ({
    ...OPEN_TERMS(source_id)!,
    ...(source_id === "copy" ? { licence: null } : {}),
  });
  const { read, refuse } = publish(openPair(), { terms });
  assert.equal(rowsOf(await read("v3/own/station_status"))[0]!["num_vehicles_available"], 3);
  const information = await read("v3/own/station_information");
  assert.deepEqual(rowsOf(information)[0]!["_vicinity"], { sources: ["own:1"] });
  assert.doesNotMatch(Buffer.from(information.bytes).toString(), /copy/);
  assert.equal(await refuse("v3/copy/station_status"), "closed");
  const { document } = await read("v3/manifest");
  assert.deepEqual(
    rowsOf({ document }).map((row) => row["system_id"]),
    ["own"],
  );
  assert.deepEqual(document["_vicinity"]!["left_out"], [
    { system_id: "copy", name: "copy", reason: "licence_unknown" },
  ]);
  const ids_only = publish(openPair(), { terms: (id) => ({ ...OPEN_TERMS(id)!, store: "ids" }) });
  assert.equal(await ids_only.refuse("v3/own/gbfs"), "closed");
});

test("asking for a file wakes the system and those that count for its stations", async () => {
  const deployment = openPair();
  await publish(deployment).read("v3/own/station_status");
  assert.deepEqual(deployment.feeds.woken, ["own", "copy"]);
});

test("a file is rendered once until something that it was made from changes", async () => {
  const { deployment, read, files } = openSystem([{}]);
  const [one, two] = await Promise.all([
    read("v3/sys/station_status"),
    read("v3/sys/station_status"),
  ]);
  assert.equal(one.version, two.version);
  const request = {
    version: "3.0",
    system_id: "sys",
    file: "station_status",
    origin: "https://x.example",
    block: null,
    deadline_ms: 0,
  } as const;
  const again = await files.read(request);
  const third = await files.read(request);
  assert.ok(again.kind === "file" && third.kind === "file" && again.bytes === third.bytes);
  const information = await read("v3/sys/station_information");
  put(deployment, { vehicles: 4 });
  const changed = await read("v3/sys/station_status");
  assert.notEqual(changed.version, one.version);
  assert.equal(rowsOf(changed)[0]!["num_vehicles_available"], 4);
  const same = await read("v3/sys/station_information");
  assert.equal(same.version, information.version, "its content is the same");
});

function put({ world, clock }: Deployment, change: Partial<StationStatus>): void {
  const stations = [aStation("s0", { name: "Dock 0", ...PLACES[0] })];
  clock.advance(5_000);
  void world.put(aShard({ stations, statuses: [aStatus("s0", change)] }));
}

test("a system that was never read is waited for, and one that is not there has no file", async () => {
  const deployment = deploy({
    unloaded: ["asleep", "silent"],
    refresh:
      ({ world }) =>
      async (id) => {
        if (id === "asleep") void world.put(aShard({ id, stations: [aStation("s0")] }));
        return { status: "ok", cache: "miss" };
      },
  });
  const { read, refuse } = publish(deployment);
  assert.equal(rowsOf(await read("v3/asleep/station_status")).length, 1);
  assert.equal(await refuse("v3/silent/gbfs"), "unread");
  assert.equal(await refuse("v3/nowhere/gbfs"), "unknown_system");
  for (const file of ["free_bike_status", "vehicle_status", "system_alerts", "..", "gbfs.json"])
    assert.equal(await refuse(`v3/asleep/${file}`), "unknown_file", file);
});

test("the files of a system lead to one another at the address that was asked", async () => {
  const { read } = openSystem([{}], {
    types: [BIKE],
    vehicles: [aVehicle("v", { type_id: "bike" })],
  });
  const { document } = await read("v2/sys/gbfs");
  const { feeds } = document.data["und"] as { feeds: { name: string; url: string }[] };
  assert.deepEqual(
    feeds.map(({ name }) => name),
    [
      ...["gbfs_versions", "system_information", "vehicle_types", "station_information"],
      ...["station_status", "free_bike_status"],
    ],
  );
  assert.equal(feeds[0]!.url, "https://vicinity.example/gbfs/v2/sys/gbfs_versions.json");
});

test("a publisher that writes what our addresses are marked with breaks no file", async () => {
  const texts = [String.raw`\u0001`, String.raw`"\u0001`, String.raw`a\\u0001/gbfs`];
  for (const text of texts) {
    const { deployment } = openSystem([{}]);
    const readWith = (terms: object, path: string) =>
      publish(deployment, { terms: (id) => ({ ...OPEN_TERMS(id)!, ...terms }) }).read(path);
    const manifest = await readWith({ name: text, licence: null }, "v3/manifest");
    const left_out = [{ system_id: "sys", name: text, reason: "licence_unknown" }];
    assert.deepEqual(manifest.document["_vicinity"]!["left_out"], left_out);
    const { document } = await readWith({ attribution: text }, "v3/sys/system_information");
    const [source] = document["_vicinity"]!["sources"] as { attribution: string }[];
    assert.equal(source!.attribution, text);
    assert.equal(document.data["manifest_url"], "https://vicinity.example/gbfs/v3/manifest.json");
  }
});

test("a system whose time zone is not known is in no file, and the manifest says so", async () => {
  const [west, east] = [aStation("w"), aStation("e", moved(HERE, 0, 400))];
  const findTimezone = (_: number, lon: number) =>
    lon > HERE.lon + 0.001 ? "Asia/Here" : "Etc/GMT";
  const shards = [
    aShard({ id: "nowhere" }),
    aShard({ id: "at_sea", stations: [west] }),
    aShard({ id: "in_one", stations: [east] }),
    aShard({ id: "in_two", stations: [east, west] }),
  ];
  const { read, refuse } = publish(deploy({ shards }), { findTimezone });
  const { document } = await read("v3/manifest");
  assert.deepEqual(
    rowsOf({ document }).map((row) => row["system_id"]),
    ["in_one"],
  );
  assert.deepEqual(
    document["_vicinity"]!["left_out"],
    ["nowhere", "at_sea", "in_two"].map((id) => ({
      ...{ system_id: id, name: id, reason: "timezone_unknown" },
    })),
  );
  for (const id of ["nowhere", "at_sea", "in_two"])
    assert.equal(await refuse(`v2/${id}/system_information`), "closed");
  const information = await read("v2/in_one/system_information");
  assert.equal(information.document.data["timezone"], "Asia/Here");
});

test("hours that are not known are said so, and read back as not known", async () => {
  const { read } = openSystem([{}]);
  const { document } = await read("v3/sys/system_information");
  assert.equal(document.data["opening_hours"], "unknown");
  assert.equal(readSystem(document)?.opening_hours, null);
});
