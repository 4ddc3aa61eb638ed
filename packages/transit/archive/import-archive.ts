/**
 * The import of a GTFS feed: an archive in, one packed snapshot out, or the reason why not in one
 * line with file and line. All or nothing, in bounded memory, and never long without giving way to
 * the event loop (mobility.md 3.3).
 */
import { randomInt } from "node:crypto";
import { type OpenFeed, openFeed, packFeedSteps } from "../schedule/feed-pack.ts";
import { orderModes } from "../schedule/schedule-modes.ts";
import type { TransitMode } from "../schedule/station.ts";
import type { TransitFeed } from "../schedule/schedule-stations.ts";
import { findDaysProblem, toDate } from "../timetable/days.ts";
import type { Box } from "#kit/geo.ts";
import type { TrailEntry } from "#kit/trail.ts";
import type { FeedBounds } from "../gtfs/gtfs-bounds.ts";
import { createCsvScanner, type CsvFile } from "#kit/csv.ts";
import { createFeedReader, type FeedReader } from "../gtfs/feed-tables.ts";
import { guard, isDefect } from "#kit/guard.ts";
import { createShared } from "#kit/shared-bytes.ts";
import { type FeedSource, openArchive } from "./open-archive.ts";
import type { Archive, ArchiveFile } from "./entries.ts";
import type { Limits } from "./entries.ts";
import { problem } from "#kit/problem.ts";
import { type ImportProblem, toProblem } from "#kit/run/run-problem.ts";
import { createTurn, runSteps } from "#kit/run/turn.ts";

export type ImportOptions = {
  feed_id: string;
  region: string | null;
  /** When the feed was fetched. */
  now_ms: number;
  /** Where the next version finds it, should it need it again; absent: the feed comes by itself. */
  imported_from?: string;
  /** Stations outside it are left out, and trips that call at none within; absent, null: none are. */
  box?: Box | null;
  limits?: Partial<Limits>;
  /** Of the files of the feed; absent: memory alone bounds them. */
  bounds?: FeedBounds;
  /** Of the pack. */
  pack_bytes?: number;
  /** The pack is made in memory that threads share. */
  shared?: boolean;
  /** From 0 to 1, never backwards. */
  onProgress?: (fraction: number) => void;
  signal?: AbortSignal;
  /** Lets others have the thread. */
  pause?: () => Promise<void>;
};

export type GtfsReport = {
  /** Top-level stations that something serves. */
  stations: number;
  /** Rows of stops.txt. */
  stops: number;
  /** Of the stations. */
  routes: number;
  operators: number;
  modes: TransitMode[];
  /** Trail of what was left out, and of what was kept after a repair. */
  rejected: TrailEntry[];
  repaired: TrailEntry[];
  /** First and last day on which anything runs, YYYY-MM-DD; null: it never does. */
  runs_from: string | null;
  runs_until: string | null;
  /** Why it says nothing of the moment of its import, by its own clocks (core/failure-words.ts); null: it does. */
  days_problem: string | null;
  /** Stations whose ways are known, and their lifts; null: no ways are. */
  within_stations: { stations: number; lifts: number } | null;
  /** Rows of stop_times.txt. */
  stop_times: number;
  elapsed_ms: number;
};

export type ImportResult = { ok: true; pack: Uint8Array; report: GtfsReport } | ImportProblem;

const MAX_SEED = 2 ** 31;
/** Of the time of an import, until all rows are read, and until all is known of them; the rest is packing. */
const READ_SHARE = 0.85;
const KNOWN_SHARE = 0.9;

/** Imports a feed; never throws for what a feed may hold: that is a `problem`. */
export function importGtfs(source: FeedSource, options: ImportOptions): Promise<ImportResult> {
  const at = { reading: "path" in source ? "feed" : "zip archive" };
  return guard<ImportResult, ImportResult>(
    () => run(source, { options, at, turn: createTurn(options) }),
    (error) => toProblem(error, at.reading),
  );
}

type Job = {
  options: ImportOptions;
  /** The file that a fault would belong to. */
  at: { reading: string };
  /** Resolves at once, or after a pause when it is time for one; throws when stopped. */
  turn: () => Promise<void> | undefined;
};

async function run(source: FeedSource, job: Job): Promise<ImportResult> {
  const begun_ms = performance.now();
  const { feed_id, region, now_ms, limits, bounds, imported_from, box } = job.options;
  const identity = { feed_id, region, fetched_at_ms: now_ms };
  const reader = createFeedReader(identity, randomInt(MAX_SEED), { bounds, box, once: true });
  const archive = await openArchive(source, limits);
  const fault = await guard<null, { error: unknown }>(
    () => readFiles(archive, reader, job),
    (error) => ({ error }),
  );
  await archive.close();
  if (fault !== null) throw fault.error;
  job.at.reading = "feed";
  const feed = await runSteps(reader.finish(), job.turn);
  job.options.onProgress?.(KNOWN_SHARE);
  const { stops, stop_times } = reader.counts();
  // They are gone once they are packed.
  const { length: stations } = feed.stations;
  if (stations === 0)
    throw problem(
      `feed: no station that a trip serves${box ? " is in the box" : ""} (${stops} stops, ${stop_times} stop times)`,
    );
  const origin = {
    ...(imported_from !== undefined && { imported_from }),
    ...(box && { imported_box: box }),
  };
  const steps: Generator<void, Uint8Array> = job.options.shared
    ? packFeedSteps({ ...feed, ...origin }, createShared)
    : packFeedSteps({ ...feed, ...origin });
  const pack = await runSteps(steps, job.turn);
  const { pack_bytes = Infinity } = job.options;
  if (pack.byteLength > pack_bytes)
    throw problem(`feed: more than ${pack_bytes} bytes when packed`);
  job.options.onProgress?.(1);
  const opened = openFeed(pack);
  const elapsed_ms = performance.now() - begun_ms;
  const report = toReport(feed, reader, { opened, stations, now_ms, elapsed_ms });
  return { ok: true, pack, report };
}

async function readFiles(archive: Archive, reader: FeedReader, job: Job): Promise<null> {
  const matches = reader.files.map((one) => ({ ...one, file: archive.files.get(one.reader.file) }));
  const large = matches.find(({ leaveOut, ...one }) => leaveOut === undefined && isTooLarge(one));
  if (large !== undefined)
    throw problem(`${large.reader.file}: more than ${large.max_bytes} bytes`);
  const missing = matches.find(({ required, file }) => required && file === undefined);
  if (missing !== undefined) throw problem(`${missing.reader.file}: not in the feed`);
  const total = matches.reduce((sum, { file }) => sum + (file?.size ?? 0), 0);
  let done = 0;
  for (const { reader: csv, file, required, max_bytes, leaveOut } of matches) {
    if (file === undefined || (!required && file.size === 0)) continue;
    job.at.reading = csv.file;
    if (leaveOut !== undefined && isTooLarge({ file, max_bytes })) {
      leaveOut(`more than ${max_bytes} bytes`);
      continue;
    }
    const read = (): Promise<null> =>
      readFile(csv, file.chunks(), {
        turn: job.turn,
        onBytes(bytes) {
          done += bytes;
          job.options.onProgress?.((READ_SHARE * done) / Math.max(1, total));
        },
      });
    if (leaveOut === undefined) await read();
    else leaveOutAtFault(await guard<null, unknown>(read, (error) => error), { leaveOut, job });
  }
  return null;
}

function isTooLarge({ file, max_bytes }: { file: ArchiveFile | undefined; max_bytes: number }) {
  return (file?.size ?? 0) > max_bytes;
}

/** A timetable needs no such file: what is wrong with it is a reason. A stop and a defect go on. */
function leaveOutAtFault(
  error: unknown,
  { leaveOut, job }: { leaveOut: (reason: string) => void; job: Job },
): void {
  if (error === null) return;
  if (job.options.signal?.aborted || isDefect(error)) throw error;
  leaveOut(error instanceof Error ? error.message : "cannot be read");
}

async function readFile(
  csv: CsvFile,
  chunks: AsyncIterable<Uint8Array>,
  { turn, onBytes }: { turn: Job["turn"]; onBytes: (bytes: number) => void },
): Promise<null> {
  const scanner = createCsvScanner(csv);
  for await (const chunk of chunks) {
    const wrong = scanner.push(chunk);
    if (wrong !== null) throw problem(wrong);
    onBytes(chunk.length);
    await turn();
  }
  const wrong = scanner.end();
  if (wrong !== null) throw problem(wrong);
  return null;
}

type Packed = { opened: OpenFeed | null; stations: number; now_ms: number; elapsed_ms: number };

function toReport(
  feed: TransitFeed,
  reader: FeedReader,
  { opened, stations, now_ms, elapsed_ms }: Packed,
): GtfsReport {
  const timetable = opened?.timetable ?? null;
  const within = opened?.meta.access?.counts;
  const { dropped, repaired } = reader.trail();
  const days = timetable?.meta.days ?? null;
  const now = { from_ms: now_ms, to_ms: now_ms + 1 };
  return {
    ...reader.counts(),
    stations,
    routes: feed.routes.length,
    operators: feed.operators.length,
    modes: orderModes(feed.routes.map(({ mode }) => mode)),
    runs_from: days && toDate(days[0]),
    runs_until: days && toDate(days[1]),
    within_stations: within ? { stations: within.stations, lifts: within.lifts } : null,
    days_problem: timetable ? findDaysProblem(timetable, now) : "never_runs",
    rejected: dropped,
    repaired,
    elapsed_ms,
  };
}
