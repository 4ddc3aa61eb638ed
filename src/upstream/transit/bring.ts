/** Getting a feed's archive, when it has changed, and importing it (mobility.md 3.3). */
import type { Logger } from "pino";
import type { Clock } from "#ports.ts";
import type { TransitAttempt, TransitFeedRow, TransitStore } from "#ports/transit.ts";
import type { ImportFeed } from "#transit/archive/archive-thread.ts";
import {
  boundsOf,
  findArchive,
  type FindDeps,
  forgetSaved,
  type FoundArchive,
} from "./find-archive.ts";
import type { FeedOrigin } from "./feed-origin.ts";

export type BringDeps = FindDeps & {
  store: TransitStore;
  importFeed: ImportFeed;
  clock: Clock;
  log: Logger;
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
  const match = await findArchive(deps, { ...wish, row: waiting ?? wish.row });
  if (match === "same") {
    if (waiting) return waitFor(deps, waiting);
    if (deps.store.findAttempt(origin.id) !== null) deps.store.clearAttempt(origin.id);
    return { failure: null, again_ms: RENEW_MS };
  }
  if (!("failure" in match)) {
    try {
      return await importFetched(deps, wish, match);
    } finally {
      if (match.saved !== undefined) await forgetSaved(deps, match.saved);
    }
  }
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
async function importFetched(deps: BringDeps, wish: Wish, match: FoundArchive): Promise<Brought> {
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
    ...(origin.path === null && boundsOf(deps)),
    ...(origin.bbox && { box: origin.bbox }),
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
