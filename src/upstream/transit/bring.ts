/** Getting a feed's archive, when it has changed, and importing it (mobility.md 3.3). */
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Logger } from "pino";
import type { Box } from "#kit/geo.ts";
import type { Clock } from "#ports.ts";
import type { TransitAttempt, TransitFeedRow, TransitStore } from "#ports/transit.ts";
import { MAX_ARCHIVE_BYTES } from "#transit/gtfs/gtfs-bounds.ts";
import { guard, type NoteFault } from "#kit/guard.ts";
import type { FeedSource } from "#transit/archive/open-archive.ts";
import type { ImportFeed } from "#transit/archive/archive-thread.ts";
import type { RunRequest } from "#upstream/run.ts";
import type { LiveSettings } from "./live-transit.ts";

/** Location of a feed, and what a catalogue says of it. */
export type FeedOrigin = {
  id: string;
  path: string | null;
  url: string | null;
  region: string | null;
  box: Box | null;
  realtime: boolean | null;
  alerts: boolean | null;
  /** Its live data; null: none are configured. */
  live: LiveSettings | null;
  /** Its address was written by a catalogue, not by the operator. */
  strict?: boolean;
  /** A command has imported it from there; absent: it is looked after here. */
  imported_from?: string;
};

export type BringDeps = {
  store: TransitStore;
  run: RunRequest;
  importFeed: ImportFeed;
  clock: Clock;
  log: Logger;
  /** Receives what our own code throws. */
  onFault: NoteFault;
  timeout_ms: number;
  /** Called when a feed was asked for, with why it cannot be used; null: it can. */
  onAttempt?: (feed_id: string, failure: string | null) => void;
};

type Wish = {
  origin: FeedOrigin;
  /** Feed in use, which need not come again; undefined: none is. */
  row: TransitFeedRow | undefined;
  signal: AbortSignal;
};

/** Result of an attempt, and when to look again. */
export type Brought = { failure: string | null; again_ms: number };

const RENEW_MS = 24 * 3_600_000;
const RETRY_MS = 600_000;
/** After this number of failures the source is not even asked before its time. */
const MAX_QUICK_FAILURES = 3;
const NOT_IMPORTABLE = "not_importable";

/** Fetches, imports and stores a feed that has changed. */
export async function bringFeed(deps: BringDeps, wish: Wish): Promise<Brought> {
  const { origin } = wish;
  const attempt = deps.store.findAttempt(origin.id);
  const waits = attempt !== null && deps.clock.now() < attempt.retry_at_ms;
  if (waits && !canAsk(attempt)) return waitFor(deps, attempt);
  const brought = await bringRequested(deps, wish, waits ? attempt : null);
  deps.onAttempt?.(origin.id, brought.failure);
  return brought;
}

/** `waiting`: an archive that could not be imported, and is not tried before its time. */
async function bringRequested(
  deps: BringDeps,
  wish: Wish,
  waiting: TransitAttempt | null,
): Promise<Brought> {
  const { origin, signal } = wish;
  // While it waits, only another archive than the one that failed is worth an import.
  const match = await look(deps, { ...wish, row: waiting ?? wish.row });
  if (match === "same") {
    if (waiting) return waitFor(deps, waiting);
    if (deps.store.findAttempt(origin.id) !== null) deps.store.clearAttempt(origin.id);
    return { failure: null, again_ms: RENEW_MS };
  }
  if (!("failure" in match)) return importFetched(deps, wish, match);
  if (!signal.aborted) deps.log.warn({ feed: origin.id, reason: match.failure }, "gtfs");
  return { failure: match.failure, again_ms: RETRY_MS };
}

function canAsk({ etag, last_modified, failures }: TransitAttempt): boolean {
  return failures < MAX_QUICK_FAILURES && (etag !== null || last_modified !== null);
}

function waitFor({ clock }: BringDeps, { retry_at_ms }: TransitAttempt): Brought {
  return { failure: NOT_IMPORTABLE, again_ms: Math.max(RETRY_MS, retry_at_ms - clock.now()) };
}

/**
 * The attempt is noted before it is made and forgotten when it has succeeded. Should the process end
 * meanwhile, for whatever reason, the next one tries again at once; but not time after time.
 */
async function importFetched(deps: BringDeps, wish: Wish, match: FetchedFeed): Promise<Brought> {
  const { origin, signal } = wish;
  const { store, clock, log } = deps;
  const now_ms = clock.now();
  const { etag, last_modified } = match;
  const before = store.findAttempt(origin.id);
  const failures = (before?.failures ?? 0) + 1;
  const retry_at_ms = now_ms + Math.min(RETRY_MS * 2 ** (failures - 1), RENEW_MS);
  const attempt = { feed_id: origin.id, etag, last_modified, failures, retry_at_ms };
  const is_quick = failures < MAX_QUICK_FAILURES;
  store.putAttempt(is_quick ? { ...attempt, retry_at_ms: now_ms } : attempt);
  // Stopped is not failed, and is tried again after the next start; later the store is closed.
  const restore = (): void =>
    before === null ? store.clearAttempt(origin.id) : store.putAttempt(before);
  signal.addEventListener("abort", restore, { once: true });
  const result = await deps.importFeed(match.source, {
    feed_id: origin.id,
    region: origin.region,
    now_ms,
    signal,
    ...(origin.imported_from !== undefined && { imported_from: origin.imported_from }),
  });
  signal.removeEventListener("abort", restore);
  if (signal.aborted) return { failure: "aborted", again_ms: RETRY_MS };
  if (!result.ok) {
    store.putAttempt(attempt);
    log.warn({ feed: origin.id, problem: result.problem, failures }, "gtfs");
    return waitFor(deps, attempt);
  }
  await store.putFeed(origin.id, result.pack, { imported_at_ms: now_ms, etag, last_modified });
  store.clearAttempt(origin.id);
  const { stations, routes, stop_times } = result.report;
  log.info({ feed: origin.id, stations, routes, stop_times }, "gtfs");
  return { failure: null, again_ms: RENEW_MS };
}

function look(deps: BringDeps, wish: FeedWish): Promise<Look> {
  const { path } = wish.origin;
  return path === null ? fetchFeed(deps, wish) : findFile(path, wish.row);
}

/** Validators of an archive that need not come again. */
type Validators = { etag: string | null; last_modified: string | null };
type FeedWish = Omit<Wish, "row"> & { row: Validators | undefined };

type FetchedFeed = {
  source: FeedSource;
  etag: string | null;
  last_modified: string | null;
};

type Look = FetchedFeed | "same" | { failure: string };

async function findFile(path: string, row: Validators | undefined): Promise<Look> {
  const etag = await guard(
    () => stampOf(path),
    () => null,
  );
  if (etag === null) return { failure: "no_such_file" };
  if (row?.etag === etag) return "same";
  return { source: { path }, etag, last_modified: null };
}

/** Stamps a folder by every file in it: its own time does not change when one of them does. */
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
  { origin: { url, strict = false }, row, signal }: FeedWish,
): Promise<Look> {
  if (url === null) return { failure: "not_configured" };
  const { etag = null, last_modified = null } = row ?? {};
  const request = { url, timeout_ms, etag, last_modified, max_bytes: MAX_ARCHIVE_BYTES, strict };
  const outcome = await run(request, { signal });
  if (outcome.status !== "ok") return { failure: outcome.reason };
  const { value } = outcome;
  if (value.kind === "not_modified") return "same";
  if (value.kind === "refused") return { failure: value.failure.reason };
  const { body: bytes, etag: tag, last_modified: changed } = value;
  return { source: { bytes }, etag: tag, last_modified: changed };
}
