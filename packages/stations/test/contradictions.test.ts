/** What a system states and cannot be true together, in one publication and from one to the next. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { withContradictions } from "../contradictions.ts";
import type { FeedFile, IngestJob, IngestResult } from "../feed.ts";
import { gbfsProtocol } from "../gbfs/gbfs-protocol.ts";

const NOW_MS = Date.UTC(2026, 10, 14, 12);
const NOW_S = NOW_MS / 1000;

type Station = { id: string; lat: number; capacity?: number };
type State = { id: string; bikes: number; docks: number; reported_s?: number };
type Envelope = { last_updated?: number; ttl?: number };

function read(
  files: Partial<Record<FeedFile, unknown>>,
  {
    statics = null,
    envelope = {},
  }: { statics?: SharedArrayBuffer | null; envelope?: Envelope } = {},
): IngestResult {
  const bodies = Object.entries(files).map(([file, data]) => {
    const wire = { last_updated: NOW_S - 10, ttl: 60, version: "2.3", ...envelope, data };
    const bytes = new TextEncoder().encode(JSON.stringify(wire));
    return [file, { bytes, fetched_at_ms: NOW_MS }];
  });
  const job: IngestJob = {
    ...{ protocol: "gbfs", system_id: "a", url: "https://a.example/gbfs.json", mode_hint: null },
    ...{ name: null, network: null, has_vehicle_feed: false, now_ms: NOW_MS, statics },
    bodies: Object.fromEntries(bodies) as IngestJob["bodies"],
  };
  return withContradictions(job, gbfsProtocol.ingest(job));
}

const stations = (...rows: Station[]) => ({
  station_information: {
    stations: rows.map(({ id, lat, capacity = 20 }) => {
      return { station_id: id, name: id, lat, lon: 2.35, capacity };
    }),
  },
});
const states = (...rows: State[]) => ({
  station_status: {
    stations: rows.map(({ id, bikes, docks, reported_s = NOW_S - 20 }) => ({
      ...{ station_id: id, num_bikes_available: bikes, num_docks_available: docks },
      ...{ is_installed: true, is_renting: true, is_returning: true, last_reported: reported_s },
    })),
  },
});
const foundIn = (result: IngestResult, file: FeedFile) => {
  const report = result.files[file];
  assert.ok(report?.ok);
  return report.contradictions ?? [];
};

test("counts beyond the capacity and times of the future are found, with examples; nothing is left out", () => {
  const many = Array.from({ length: 9 }, (_, i) => ({ id: `s${i}`, lat: 48.8 + i / 100 }));
  const rows = many.map(({ id }, i) => ({ id, bikes: 16, docks: i < 5 ? 5 : 4 }));
  const late = { ...rows[8]!, reported_s: NOW_S + 301 };
  const soon = { ...rows[7]!, reported_s: NOW_S + 299 };
  const result = read({ ...stations(...many), ...states(...rows.slice(0, 7), soon, late) });
  assert.deepEqual(foundIn(result, "station_status"), [
    { reason: "counts_exceed_capacity", count: 5, examples: ["s0", "s1", "s2"] },
    { reason: "last_reported_future", count: 1, examples: ["s8"] },
  ]);
  assert.deepEqual(result.files.station_status?.ok && result.files.station_status.accepted, 9);
});

test("a virtual station and one without a capacity contradict nothing", () => {
  const rows = {
    stations: [
      { station_id: "v", name: "v", lat: 48.8, lon: 2.3, is_virtual_station: true, capacity: 1 },
    ],
  };
  const result = read({ station_information: rows, ...states({ id: "v", bikes: 9, docks: 0 }) });
  assert.deepEqual(foundIn(result, "station_status"), []);
});

test("a document older than twice its ttl is found", () => {
  const files = { ...stations({ id: "a", lat: 48.8 }), ...states({ id: "a", bikes: 1, docks: 1 }) };
  const ageing = (last_updated: number, ttl: number) =>
    foundIn(read(files, { envelope: { last_updated, ttl } }), "station_status").length;
  assert.equal(ageing(NOW_S - 1_000, 60), 1);
  assert.equal(ageing(NOW_S - 1_000, 500), 0);
  assert.equal(ageing(NOW_S - 110, 10), 0);
  assert.equal(ageing(NOW_S - 1_000, 0), 0);
});

test("an id that changes at its place and a place that jumps are found from one publication to the next", () => {
  const first = read(
    stations({ id: "a", lat: 48.8 }, { id: "b", lat: 48.81 }, { id: "c", lat: 48.82 }),
  );
  assert.deepEqual(foundIn(first, "station_information"), []);
  const rows = [
    { id: "a", lat: 48.8005 },
    { id: "b2", lat: 48.81 },
    { id: "c", lat: 48.83 },
    { id: "new", lat: 48.9 },
  ];
  const next = read(stations(...rows), { statics: first.statics });
  assert.deepEqual(foundIn(next, "station_information"), [
    { reason: "coordinates_moved", count: 1, examples: ["c: 1112 m"] },
    { reason: "ids_changed", count: 1, examples: ["b → b2"] },
  ]);
  const same = read(stations(...rows), { statics: next.statics });
  assert.deepEqual(foundIn(same, "station_information"), []);
});
