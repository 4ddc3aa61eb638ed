/**
 * What a system states that cannot be true together: counts beyond the capacity, times of the future, a
 * `ttl` that is not kept; and from one publication of its stations to the next, ids that change while
 * the place stays, and places that jump while the id stays. Nothing is changed or left out for it.
 */
import { readText, readTexts } from "#kit/bytes.ts";
import { distance_m } from "#kit/geo.ts";
import type { TrailEntry } from "#kit/trail.ts";
import { type FeedFile, type FileReport, type IngestJob, type IngestResult } from "./feed.ts";
import { openStatics, type Statics, ZONE } from "./shard/shard-statics.ts";
import { openStatus, type StatusPack } from "./shard/shard-status.ts";

const MOST_EXAMPLES = 3;
/** A station that is moved farther is another one. */
const JUMP_M = 100;
/** Clocks of publishers may run ahead by this much. */
const AHEAD_S = 300;
/** As an answer takes a live file to be old. */
const LEAST_LATE_S = 120;
/** More stations are not compared with those of the last publication. */
const MOST_COMPARED = 200_000;
const LIVE: ReadonlySet<FeedFile> = new Set(["station_status", "vehicle_status"]);

/** Adds to the report of each file what contradicts itself in it, or the publication before it. */
export function withContradictions(job: IngestJob, result: IngestResult): IngestResult {
  for (const [name, report] of Object.entries(result.files)) {
    const file = name as FeedFile;
    const found = report.ok ? findIn(file, report, { job, result }) : [];
    if (report.ok && found.length > 0) report.contradictions = found;
  }
  return result;
}

type Read = { job: IngestJob; result: IngestResult };

function findIn(
  file: FeedFile,
  { last_updated_s, ttl_s }: Extract<FileReport, { ok: true }>,
  { job, result }: Read,
): TrailEntry[] {
  const tally = new Tally();
  const fetched_s = (job.bodies[file]?.fetched_at_ms ?? job.now_ms) / 1000;
  if (LIVE.has(file) && last_updated_s !== null && ttl_s !== null && ttl_s > 0) {
    const late_s = Math.round(fetched_s - last_updated_s);
    if (late_s > Math.max(2 * ttl_s, LEAST_LATE_S))
      tally.add("ttl_not_kept", () => `ttl ${ttl_s} s, last_updated ${late_s} s ago`);
  }
  const packed = result.statics ?? job.statics;
  if (file === "station_status" && result.status && packed)
    checkStatus(openStatics(packed), openStatus(result.status), { fetched_s, tally });
  if (file === "station_information" && result.statics && job.statics)
    compare(openStatics(job.statics), openStatics(result.statics), tally);
  return tally.list();
}

function checkStatus(
  statics: Statics,
  { vehicles, docks, last_reported }: StatusPack,
  { fetched_s, tally }: { fetched_s: number; tally: Tally },
): void {
  const ids = (row: number) => (): string => readText(statics.ids, row);
  for (let row = 0; row < statics.count; row++) {
    const capacity = statics.capacity[row]!;
    // Unknown and unlimited counts are negative.
    const stated = Math.max(0, vehicles[row]!) + Math.max(0, docks[row]!);
    const hasDocks = capacity >= 0 && (statics.flags[row]! & ZONE) === 0;
    if (hasDocks && stated > capacity) tally.add("counts_exceed_capacity", ids(row));
    if (last_reported[row]! > fetched_s + AHEAD_S) tally.add("last_reported_future", ids(row));
  }
}

/** One publication of the stations and the next. */
function compare(before: Statics, after: Statics, tally: Tally): void {
  if (before.count > MOST_COMPARED || after.count > MOST_COMPARED) return;
  const old_ids = readTexts(before.ids);
  const new_ids = readTexts(after.ids);
  const rows = new Map(old_ids.map((id, row) => [id, row]));
  const added: number[] = [];
  for (const [row, id] of new_ids.entries()) {
    const old = rows.get(id);
    if (old === undefined) added.push(row);
    else {
      rows.delete(id);
      const moved_m = distanceBetween(before, old, after, row);
      if (moved_m > JUMP_M) tally.add("coordinates_moved", () => `${id}: ${Math.round(moved_m)} m`);
    }
  }
  if (added.length === 0 || rows.size === 0) return;
  const gone = new Map([...rows].map(([id, row]) => [placeOf(before, row), id]));
  for (const row of added) {
    const old_id = gone.get(placeOf(after, row));
    if (old_id !== undefined) tally.add("ids_changed", () => `${old_id} → ${new_ids[row]}`);
  }
}

/** To about a metre. */
function placeOf({ index: { lat, lon } }: Statics, row: number): string {
  return `${lat[row]!.toFixed(5)},${lon[row]!.toFixed(5)}`;
}

function distanceBetween(a: Statics, i: number, b: Statics, j: number): number {
  return distance_m(a.index.lat[i]!, a.index.lon[i]!, b.index.lat[j]!, b.index.lon[j]!);
}

/** Counts by reason, with the first examples. */
class Tally {
  readonly #entries = new Map<string, TrailEntry>();

  /** `example` is called for the first ones alone. */
  add(reason: string, example: () => string): void {
    const entry = this.#entries.get(reason) ?? { reason, count: 0, examples: [] };
    this.#entries.set(reason, entry);
    entry.count++;
    if (entry.examples.length < MOST_EXAMPLES) entry.examples.push(example());
  }

  list(): TrailEntry[] {
    return [...this.#entries.values()];
  }
}
