/** One station, one answer (§2.9, §4.9): what several sources observe is listed once, and explained. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { StationInfo, StationStatus } from "#stations/entities.ts";
import { stationId } from "#kit/ids.ts";
import type { Shard } from "#stations/shard/shard.ts";
import { ask, deploy, type Deployment, toBytes, toInput } from "../../support/answers.ts";
import {
  aShard,
  aStation,
  aStatus,
  aType,
  aVehicle,
  HERE,
  moved,
  NOW_S,
} from "../../support/domain.ts";
import { createMemoryBridges } from "../../support/memory.ts";

const NAME = "Vélocité Testville";
const overrides = { always: [], never: [] };

type Sketch = Omit<Parameters<typeof aShard>[0], "id">;
const official = (sketch: Sketch): Shard => aShard({ id: "velocite", name: NAME, ...sketch });
const aggregated = (sketch: Sketch): Shard =>
  aShard({ id: "cb-velocite", source: "citybikes", name: NAME, ...sketch });

/** The same feed, named under another system: what an aggregator's copy with its keys looks like. */
const official2 = (sketch: Sketch): Shard =>
  aShard({ id: "velocite-2", source: "gbfs_aggregator", name: NAME, ...sketch });

type Debug = {
  resolution: unknown;
  entities: {
    observations: { source_id: string; merged: boolean; score: number; reasons: string[] }[];
    near_misses: { reasons: string[] }[];
  }[];
  sources: { source_id: string; raw_count: number; matched_count: number }[];
};

/** The same docks twice: `shift_m` apart, under other keys. */
function pair(id: string, name: string, place = HERE, shift_m = 4): [StationInfo, StationInfo] {
  const one = aStation(id, { name, ...place });
  return [one, aStation(`x${id}`, { name, ...moved(place, shift_m, 0) })];
}

function settle(shards: readonly Shard[], bridges = createMemoryBridges()): Deployment {
  return deploy({ shards, identity: { bridges, overrides } });
}

const [gare, gareToo] = pair("1", "Gare centrale");
const [port] = pair("2", "Vieux port", moved(HERE, 0, 250));

// Proves §1 merged; §4.9 merged; §4.9 total
test("two observations of one station are one result, counted once", async () => {
  const shards = [official({ stations: [gare, port] }), aggregated({ stations: [gareToo] })];
  const body = await ask(settle(shards), { include: ["stations"] });
  assert.equal(body.total, 2);
  const [first, second] = body.results.stations;
  assert.equal(first!.name, "Gare centrale");
  assert.equal(first!["resolution_status"], "merged");
  assert.ok((first!["resolution_confidence"] as number) > 0.5);
  assert.equal(second!["resolution_status"], "unresolved");
  assert.equal(first!.id, stationId("gbfs", "velocite", "1"), "the best source's key names it");
});

test("the best source says where a station is, the freshest what it holds; both are named", async () => {
  const reportOf = (id: string, vehicles: number, age_s: number): StationStatus[] => [
    aStatus(id, { vehicles, last_reported_s: NOW_S - age_s }),
  ];
  const shards = [
    official({ stations: [{ ...gare, capacity: null }], statuses: reportOf("1", 3, 500) }),
    aggregated({ stations: [{ ...gareToo, capacity: 31 }], statuses: reportOf("x1", 9, 20) }),
  ];
  const [station] = (await ask(settle(shards), { include: ["stations"] })).results.stations;
  assert.deepEqual(station!.location, { lat: gare.lat, lon: gare.lon });
  assert.equal(station!.availability["vehicles"], 9);
  assert.equal(station!.capacity, 31, "known to the other alone");
  const provenance = station!["provenance"] as { source_id: string; fields: string[] }[];
  assert.deepEqual(
    provenance.map(({ source_id, fields }) => [source_id, fields]),
    [
      ["velocite:1", ["name", "location"]],
      ["cb-velocite:x1", ["capacity", "availability"]],
    ],
  );
  assert.deepEqual(station!["conflicts"], [
    {
      field: "availability",
      source_id: "cb-velocite:x1",
      value: { vehicles: 9, docks: 7 },
      others: [{ source_id: "velocite:1", value: { vehicles: 3, docks: 7 } }],
    },
  ]);
});

test("a merged station is rendered as it was found, whatever its sources publish meanwhile", () => {
  const shards = (names: [string, string], counts: [number, number]): Shard[] => [
    official({
      stations: [port, { ...gare, name: names[0] }],
      statuses: [aStatus("1", { vehicles: counts[0] })],
    }),
    aggregated({
      stations: [{ ...gareToo, name: names[1] }],
      statuses: [aStatus("x1", { vehicles: counts[1], last_reported_s: NOW_S - 5 })],
    }),
  ];
  const deployment = settle(shards(["Gare centrale", "Gare centrale"], [3, 9]));
  const result = deployment.nearby(toInput(deployment, { include: ["stations"] }));
  assert.ok(!(result instanceof Promise) && result.kind === "ok");
  const before = toBytes(result).toString();
  assert.match(before, /"conflicts":\[\{"field":"availability".*"vehicles":9.*"vehicles":3/);
  for (const each of shards(["Vieux port", "Ailleurs"], [4, 4])) deployment.world.put(each);
  for (const each of [official({ stations: [gare] }), aggregated({ stations: [] })])
    deployment.world.put(each);
  assert.equal(toBytes(result).toString(), before);
});

test("a difference between sources about the dock itself is a conflict", async () => {
  const other = { ...gareToo, capacity: 18, ...moved(HERE, 30) };
  const shards = [official({ stations: [gare] }), aggregated({ stations: [other] })];
  const [station] = (await ask(settle(shards), { include: ["stations"] })).results.stations;
  assert.equal(station!["resolution_status"], "merged");
  const conflicts = station!["conflicts"] as { field: string; value: unknown; others: unknown[] }[];
  assert.deepEqual(
    conflicts.map(({ field }) => field),
    ["location", "capacity"],
  );
  assert.equal(conflicts[1]!.value, 20);
  assert.deepEqual(conflicts[1]!.others, [{ source_id: "cb-velocite:x1", value: 18 }]);
});

test("a source without counts leaves them to the other; without any they are unknown", async () => {
  const one = [official({ stations: [gare], statuses: null }), aggregated({ stations: [gareToo] })];
  const [station] = (await ask(settle(one), { include: ["stations"] })).results.stations;
  assert.equal(station!.availability["vehicles"], 5);
  const none = [
    official({ stations: [gare], statuses: null }),
    aggregated({ stations: [gareToo], statuses: null }),
  ];
  const [silent] = (await ask(settle(none), { include: ["stations"] })).results.stations;
  assert.equal(silent!["resolution_status"], "merged");
  assert.equal(silent!.availability["vehicles"], null);
});

test("an id survives sources that come and go, in whatever order, and a restart", async () => {
  const bridges = createMemoryBridges();
  const idOf = async (shards: readonly Shard[]): Promise<string> =>
    (await ask(settle(shards, bridges), { include: ["stations"] })).results.stations[0]!.id;
  const late = official({ stations: [gare] });
  const early = aggregated({ stations: [gareToo] });
  bridges.meet(["cb-velocite"], 0);
  const first = await idOf([early]);
  assert.equal(first, stationId("citybikes", "cb-velocite", "x1"));
  assert.equal(await idOf([late, early]), first, "a better source came");
  assert.equal(await idOf([late]), first, "the first one went");
  assert.equal(await idOf([early, late]), first);
});

test("stations that were one and are two again have two ids", async () => {
  const bridges = createMemoryBridges();
  const near = [official({ stations: [gare] }), aggregated({ stations: [gareToo] })];
  await ask(settle(near, bridges));
  const far = aggregated({ stations: [{ ...gareToo, name: "Stade", ...moved(HERE, 300) }] });
  const body = await ask(settle([near[0]!, far], bridges), { include: ["stations"] });
  const ids = body.results.stations.map(({ id }) => id);
  assert.equal(new Set(ids).size, 2);
  assert.equal(ids[0], stationId("gbfs", "velocite", "1"));
});

test("a renumbered system keeps its ids, running or restarted", async () => {
  const bridges = createMemoryBridges();
  const before = official({ stations: [gare, port] });
  const after = official({
    stations: [
      { ...gare, id: "a-1", legacy_id: "1" },
      { ...port, id: "a-2" },
    ],
  });
  const ids = async (deployment: Deployment): Promise<string[]> =>
    (await ask(deployment, { include: ["stations"] })).results.stations.map(({ id }) => id);
  const running = settle([before], bridges);
  const old = await ids(running);
  running.world.put(after);
  assert.deepEqual(await ids(running), old, "while it runs");
  assert.deepEqual(await ids(settle([after], bridges)), old, "after a restart");
  const keys = ["1", "2"].map((key) => stationId("gbfs", "velocite", key));
  assert.deepEqual(old, keys);
});

const refs = (id: string) =>
  [
    { feed: "gbfs:velocite", id: "1" },
    { feed: "citybikes:cb-velocite", id },
  ] as const;

test("an operator's word goes before the score", async () => {
  const far = aStation("x9", { name: "Rue du Moulin 12", ...moved(HERE, 45) });
  const settled = (stations: StationInfo[], rules: object): Deployment =>
    deploy({
      shards: [official({ stations: [gare] }), aggregated({ stations })],
      identity: { bridges: createMemoryBridges(), overrides: { ...overrides, ...rules } },
    });
  const total = async (deployment: Deployment) =>
    (await ask(deployment, { include: ["stations"] })).total;
  assert.equal(await total(settled([far], {})), 2);
  assert.equal(await total(settled([far], { always: [refs("x9")] })), 1);
  assert.equal(await total(settled([gareToo], {})), 1);
  assert.equal(await total(settled([gareToo], { never: [refs("x1")] })), 2);
});

test("one key in two places is a possible match, reported on both, never merged", async () => {
  const moved_away = aStation("1", { name: "Gare centrale", ...moved(HERE, 0, 300) });
  const shards = [
    official({ stations: [gare, port] }),
    official2({ stations: [moved_away, port] }),
  ];
  const body = await ask(settle(shards), { include: ["stations"], debug: true });
  assert.equal(body.total, 3);
  const { resolution, entities } = body.debug as unknown as Debug;
  assert.deepEqual(resolution, { unresolved: 0, merged: 1, possible_match: 2 });
  for (const [i, { near_misses }] of entities.entries()) {
    if (body.results.stations[i]!.name === port.name) continue;
    assert.equal(body.results.stations[i]!["resolution_status"], "possible_match");
    assert.equal(near_misses.length, 1);
    assert.ok(near_misses[0]!.reasons.some((reason) => reason.startsWith("too_far")));
  }
});

test("debug explains every merge: observations, score, reasons", async () => {
  const shards = [official({ stations: [gare] }), aggregated({ stations: [gareToo] })];
  const body = await ask(settle(shards), { include: ["stations"], debug: true });
  const debug = body.debug as unknown as Debug;
  assert.deepEqual(debug.resolution, { unresolved: 0, merged: 1, possible_match: 0 });
  const [entity] = debug.entities;
  assert.deepEqual(
    entity!.observations.map(({ source_id, merged }) => [source_id, merged]),
    [
      ["velocite:1", true],
      ["cb-velocite:x1", true],
    ],
  );
  assert.ok(entity!.observations[0]!.reasons.some((reason) => reason.startsWith("name_equal +")));
  assert.deepEqual(
    debug.sources.map(({ raw_count, matched_count }) => [raw_count, matched_count]),
    [
      [1, 1],
      [1, 1],
    ],
  );
});

test("another operator's station on the very same spot stays one of its own", async () => {
  const other = aShard({
    id: "cb-other",
    source: "citybikes",
    name: "Rollerei Hamburg",
    stations: [{ ...gareToo, ...HERE }],
  });
  const body = await ask(settle([official({ stations: [gare] }), other]), {
    include: ["stations"],
  });
  assert.equal(body.total, 2);
});

/** Two operators' systems of one name on the same docks. */
const replaced = (id: string, change: Partial<StationStatus>): Shard =>
  aShard({
    id,
    name: NAME,
    stations: [gare, port],
    statuses: ["1", "2"].map((key) => aStatus(key, change)),
  });
const CLOSED = { vehicles: 0, is_renting: false, is_returning: false };

test("the docks of an operator that was replaced are shown alongside the living ones, unharmed", async () => {
  // What the old one says is the fresher report.
  const old = replaced("old", { ...CLOSED, last_reported_s: NOW_S - 5 });
  const living = replaced("new", { vehicles: 4, last_reported_s: NOW_S - 90 });
  const deployment = settle([old, living]);
  const show = async (): Promise<unknown[]> => {
    const body = await ask(deployment, { include: ["stations"] });
    return body.results.stations.map((station) => [
      ...[station.name, station.availability["vehicles"], station["resolution_status"]],
    ]);
  };
  const seen = (await ask(deployment, { include: ["stations"] })).results.stations;
  assert.equal(seen.length, 4);
  assert.ok(seen.every((station) => station["resolution_status"] === "possible_match"));
  const alive = seen.filter(({ availability }) => availability["vehicles"] === 4);
  assert.equal(alive.length, 2, "the living docks are shown with what is parked there");
  assert.ok(alive.every((station) => station.service_status!.state === "operational"));

  // The old one opens again: two views of the same docks, as far as can be known.
  const opened = replaced("old", { vehicles: 2 });
  deployment.world.put({ ...old, status: opened.status });
  assert.equal((await show()).length, 2);
  // And closes: what lives is shown once more.
  deployment.world.put(old);
  assert.equal((await show()).length, 4);
});

test("a replaced system that reports late, or not for a while, harms its living docks no more", async () => {
  const old = replaced("old", { ...CLOSED, last_reported_s: NOW_S - 5 });
  const living = replaced("new", { vehicles: 4, last_reported_s: NOW_S - 90 });
  const count = async (deployment: Deployment): Promise<number> =>
    (await ask(deployment, { include: ["stations"] })).results.stations.length;
  // Its live file could not be read when its docks were found.
  const late = settle([{ ...old, status: null }, living]);
  late.world.put(old);
  assert.equal(await count(late), 4, "late");
  // The living one's live file is away while its docks are read again.
  const away = settle([old, living]);
  const again = replaced("new", { vehicles: 4 });
  away.world.put({ ...again, status: null });
  assert.equal(await count(away), 4, "away");
});

test("stations and vehicles of one system are of one network", async () => {
  const shard = aShard({
    id: "velocite",
    name: NAME,
    stations: [gare],
    types: [aType("bike")],
    vehicles: [aVehicle("v", { type_id: "bike", location: moved(HERE, 30) })],
  });
  const copy = aggregated({ stations: [gareToo] });
  for (const shards of [[shard], [shard, copy], [copy, shard]]) {
    const { results } = await ask(settle(shards));
    const [station, vehicle] = [results.stations[0]!, results.vehicles[0]!];
    assert.deepEqual(station.network, { id: "velocite", name: NAME });
    assert.equal(vehicle.network_id, station.network.id);
    const gbfsOf = (each: { provenance?: unknown }): object =>
      (each.provenance as Record<string, string>[]).find(({ source }) => source === "gbfs")!;
    const [one, other] = [gbfsOf(station), gbfsOf(vehicle)] as Record<string, string>[];
    assert.equal(one!["network_id"], other!["network_id"]);
    assert.equal(one!["provider"], other!["provider"]);
  }
});
