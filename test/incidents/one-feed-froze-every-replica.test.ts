/**
 * One feed of a stranger was enough to stop every replica: twenty thousand alerts were mapped and
 * hashed for each request, closures were copied once for each alert, a discovery document of 30 MB
 * was parsed where requests are served, and ten million empty rows filled two gigabytes. A file
 * beyond its bounds is an error of its feed now, and what crosses to the serving thread is flat.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { FEED_BOUNDS } from "#kit/feed-bounds.ts";
import { type FeedFile, type IngestJob, type IngestResult, openStatics } from "#stations/index.ts";
import { ingest } from "#providers/protocols.ts";
import { IngestPool } from "#upstream/feeds/ingest-pool.ts";
import {
  ask,
  bikeAt,
  createBottle,
  createCity,
  pollFor,
  START_MS,
  START_S,
  stationsOf,
  statusesOf,
} from "../unit/feeds/support.ts";
import { noFault } from "../support/faults.ts";

const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));

function jobOf(wires: Partial<Record<FeedFile, unknown>>, change: Partial<IngestJob> = {}) {
  const bodies = Object.entries(wires).map(([file, data]) => {
    const document = { last_updated: START_S, ttl: 60, version: "2.3", data };
    const bytes = new TextEncoder().encode(JSON.stringify(document)).slice();
    return [file, { bytes, fetched_at_ms: START_MS }];
  });
  return {
    protocol: "gbfs",
    url: "https://a.example/gbfs.json",
    system_id: "a",
    mode_hint: null,
    name: null,
    network: null,
    has_vehicle_feed: true,
    now_ms: START_MS,
    statics: null,
    bodies: Object.fromEntries(bodies) as IngestJob["bodies"],
    ...change,
  } satisfies IngestJob;
}

const STATICS = ingest(jobOf({ station_information: { stations: stationsOf(3) } })).statics!;
const readAlone = (file: FeedFile, data: unknown): IngestResult =>
  ingest(jobOf({ [file]: data }, { statics: STATICS }));
const reasonOf = (file: FeedFile, data: unknown): string => {
  const report = readAlone(file, data).files[file]!;
  return report.ok ? "ok" : report.reason;
};
const anAlert = (index: number, ids: number) => ({
  alert_id: `a${index}`,
  type: "STATION_CLOSURE",
  summary: "x",
  station_ids: times(ids, (i) => `s${i}`),
});

test("alerts: a thousand of two hundred stations each are read, one more of either is an error", () => {
  const { alerts, alert_ids } = FEED_BOUNDS;
  const full = { alerts: times(alerts, (i) => anAlert(i, i === 0 ? alert_ids : 1)) };
  assert.equal(reasonOf("system_alerts", full), "ok");
  const many = { alerts: times(alerts + 1, (i) => anAlert(i, 1)) };
  assert.equal(reasonOf("system_alerts", many), "too_many_alerts");
  assert.equal(readAlone("system_alerts", many).alerts, null);
  const wide = { alerts: [anAlert(0, alert_ids + 1)] };
  assert.equal(reasonOf("system_alerts", wide), "too_many_alert_ids");
});

test("rows: a file that would take too much memory is refused before it is parsed", () => {
  const { rows } = FEED_BOUNDS;
  assert.equal(reasonOf("vehicle_status", { bikes: times(rows, () => null) }), "ok");
  assert.equal(reasonOf("vehicle_status", { bikes: times(rows + 1, () => null) }), "too_many_rows");
  const nested = { bikes: times(rows, () => times(16, () => null)) };
  assert.equal(reasonOf("vehicle_status", nested), "too_many_values");
  let deep: unknown = 1;
  for (let i = 0; i < FEED_BOUNDS.depth; i++) deep = [deep];
  assert.equal(reasonOf("vehicle_status", { bikes: [], deep }), "too_deep");
});

test("facts: JSON parsed on the serving thread has bounds of its own", () => {
  const name = "n".repeat(200);
  const types = times(20_000, (i) => ({ vehicle_type_id: `t${i}`, name, form_factor: "bicycle" }));
  const files = {
    vehicle_types: { vehicle_types: types },
    station_information: { stations: stationsOf(1) },
  };
  const loaded = ingest(jobOf(files));
  assert.deepEqual(loaded.files.vehicle_types, { ok: false, reason: "too_many_facts" });
  assert.equal(loaded.statics, null);
  const stored = ingest(jobOf(files, { statics: STATICS }));
  assert.equal(stored.statics, null, "the last good pack stays the runtime's");
  // Members that nothing reads are not kept, however long they are.
  const capacities = times(3_000, (i) => ({ vehicle_type_id: `type-${i}`, count: 1 }));
  const [station] = stationsOf(1) as object[];
  const wide = { stations: [{ ...station, vehicle_types_capacity: capacities }] };
  const { statics } = ingest(jobOf({ station_information: wide }));
  assert.ok(statics!.byteLength < 4_096, `${statics!.byteLength} bytes`);
});

test("a file that turns hostile is an error of its feed, and the last good snapshot stays", async () => {
  const bottle = createBottle();
  const city = createCity(bottle.upstream, undefined, { extra: ["system_alerts"] });
  city.publish("system_alerts", { alerts: [anAlert(0, 1)] });
  await ask(bottle);
  const { alerts } = bottle.shard();
  assert.equal(alerts!.data!.count, 1);
  city.publish("system_alerts", { alerts: times(1_001, (i) => anAlert(i, 1)) });
  await pollFor(bottle, 2);
  assert.equal(bottle.shard().alerts!.data, alerts!.data, "as it was");
  assert.equal(bottle.feeds.health("a").reason, "system_alerts:too_many_alerts");
  city.publish("system_alerts", { alerts: [] });
  await pollFor(bottle, 6);
  assert.equal(bottle.shard().alerts!.data!.count, 0);
  assert.equal(bottle.feeds.health("a").status, "ok");
});

test("discovery documents and lists of versions may be small, other files large", async () => {
  const bottle = createBottle();
  const city = createCity(bottle.upstream);
  const file = city.file("gbfs_versions");
  city.publish("gbfs_versions", { versions: [] });
  const feeds = ["system_information", "station_information", "station_status"];
  const listed = feeds.map((name) => ({ name, url: city.file(name) }));
  city.publish("gbfs", { en: { feeds: [...listed, { name: "gbfs_versions", url: file }] } });
  await ask(bottle);
  const request = Map.groupBy(bottle.upstream.requests, ({ max_bytes }) => max_bytes);
  const names = (bytes: number): string[] =>
    request.get(bytes)!.map(({ url }) => url.slice(url.lastIndexOf("/") + 1, -".json".length));
  assert.equal(request.size, 2);
  assert.deepEqual(names(256 * 1024), ["gbfs", "gbfs_versions"]);
  assert.deepEqual(names(32 * 1024 * 1024).toSorted(), feeds.toSorted());
});

test("a small file of a system of many stations is not laid out where requests are served", async (t) => {
  let here = 0;
  const pool = new IngestPool({
    onFault: noFault,
    inline: (job) => {
      here++;
      return ingest(job);
    },
    worker_url: new URL("../../src/main/workers/ingest.ts", import.meta.url),
  });
  t.after(() => pool.close());
  const status = { station_status: { stations: statusesOf(1, 3) } };
  await pool.ingest(jobOf(status, { statics: STATICS }));
  assert.equal(here, 1);
  const large = ingest(
    jobOf({ station_information: { stations: stationsOf(8_000, -60) } }),
  ).statics!;
  assert.equal(openStatics(large).count, 8_000);
  const result = await pool.ingest(jobOf(status, { statics: large }));
  assert.ok(result.status, "read, elsewhere");
  assert.equal(here, 1);
});

test("alerts stay with their stations when the stations change", async () => {
  const bottle = createBottle();
  const city = createCity(bottle.upstream, undefined, { extra: ["system_alerts"] });
  city.publish("station_information", { stations: stationsOf(3) });
  city.publish("system_alerts", { alerts: [{ ...anAlert(0, 0), station_ids: ["s2"] }] }, {}, "v1");
  city.publish("free_bike_status", { bikes: [bikeAt(48.85)] });
  await ask(bottle);
  const rowOf = (): number => bottle.shard().alerts!.data!.rows[0]!;
  const before = rowOf();
  assert.ok(before >= 0);
  city.publish("station_information", { stations: stationsOf(3).slice(2) });
  await pollFor(bottle, 70);
  assert.equal(bottle.shard().statics.count, 1);
  assert.equal(rowOf(), 0);
});
