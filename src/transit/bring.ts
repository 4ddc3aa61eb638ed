/** Getting a feed's archive, when it has changed, and importing it (mobility.md 3.3). */
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Logger } from "pino";
import type { Box } from "#core/entities.ts";
import type { Clock, TransitFeedRow, TransitStore } from "#ports.ts";
import { guard } from "#upstream/feeds/guard.ts";
import type { FeedSource } from "#upstream/gtfs/archive.ts";
import { importGtfs } from "#upstream/gtfs/import.ts";
import type { Run } from "#upstream/run.ts";

/** Where a feed is, and what a catalogue tells of it. */
export type FeedOrigin = {
  id: string;
  path: string | null;
  url: string | null;
  region: string | null;
  box: Box | null;
  realtime: boolean | null;
  alerts: boolean | null;
  /** Its address was written by a catalogue, not by the operator. */
  strict?: boolean;
};

export type BringDeps = {
  store: TransitStore;
  run: Run;
  clock: Clock;
  log: Logger;
  timeout_ms: number;
};

/** Of a zip: national timetables are a few hundred megabytes. */
const MAX_BYTES = 256 * 1024 * 1024;

type Wish = {
  origin: FeedOrigin;
  /** What is in use, which need not come again; undefined: nothing is. */
  row: TransitFeedRow | undefined;
  signal: AbortSignal;
};

/** Fetches, imports and stores a feed that has changed; why not, or null. */
export async function bringFeed(deps: BringDeps, wish: Wish): Promise<string | null> {
  const { origin, row, signal } = wish;
  const found = await (origin.path === null ? fetchFeed(deps, wish) : findFile(origin.path, row));
  if (found === "same") return null;
  if ("failure" in found) {
    if (!signal.aborted) deps.log.warn({ feed: origin.id, reason: found.failure }, "gtfs");
    return found.failure;
  }
  const imported_at_ms = deps.clock.now();
  const result = await importGtfs(found.source, {
    ...{ feed_id: origin.id, region: origin.region, now_ms: imported_at_ms, signal },
  });
  // The store may be closed by now.
  if (signal.aborted) return "aborted";
  if (!result.ok) {
    deps.log.warn({ feed: origin.id, problem: result.problem }, "gtfs");
    return "not_importable";
  }
  const { etag, last_modified } = found;
  deps.store.putFeed(origin.id, result.pack, { imported_at_ms, etag, last_modified });
  const { stations, routes, stop_times } = result.report;
  deps.log.info({ feed: origin.id, stations, routes, stop_times }, "gtfs");
  return null;
}

type Found = {
  source: FeedSource;
  etag: string | null;
  last_modified: string | null;
};

type Look = Found | "same" | { failure: string };

async function findFile(path: string, row: TransitFeedRow | undefined): Promise<Look> {
  const etag = await guard(
    () => stampOf(path),
    () => null,
  );
  if (etag === null) return { failure: "no_such_file" };
  if (row?.etag === etag) return "same";
  return { source: { path }, etag, last_modified: null };
}

/** Of a folder, of every file in it: its own time does not tell that one was written to. */
async function stampOf(path: string): Promise<string> {
  const names = await guard(
    () => readdir(path),
    () => [],
  );
  const paths = [path, ...names.map((name) => join(path, name))];
  const stamps = paths.map(async (each) => {
    const { mtimeMs, size } = await stat(each);
    return `${mtimeMs}-${size}`;
  });
  return (await Promise.all(stamps)).join(" ");
}

async function fetchFeed(
  { run, timeout_ms }: BringDeps,
  { origin: { url, strict = false }, row, signal }: Wish,
): Promise<Look> {
  if (url === null) return { failure: "not_configured" };
  const { etag = null, last_modified = null } = row ?? {};
  const request = { url, timeout_ms, etag, last_modified, max_bytes: MAX_BYTES, strict };
  const outcome = await run(request, { signal });
  if (outcome.status !== "ok") return { failure: outcome.reason };
  const { value } = outcome;
  if (value.kind === "not_modified") return "same";
  if (value.kind === "refused") return { failure: value.failure.reason };
  const { body: bytes, etag: tag, last_modified: changed } = value;
  return { source: { bytes }, etag: tag, last_modified: changed };
}
