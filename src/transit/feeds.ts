/**
 * GTFS feeds of a deployment: read from the store at the start, imported again when their file has
 * changed, and picked up when another process has imported one (operation, VICINITY_DATA_DIR). A
 * feed that cannot be imported leaves the one before in use.
 */
import { stat } from "node:fs/promises";
import type { Logger } from "pino";
import type { HeldFeed } from "#app/transport/finders.ts";
import type { Box } from "#core/entities.ts";
import { openFeed } from "#core/transit/feed-pack.ts";
import type { Clock, Random, TransitFeedRow, TransitStore } from "#ports.ts";
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
};

export type TransitFeeds = {
  list(): readonly HeldFeed[];
  /** More feeds: each is imported unless the store has it as it is. Resolves when all were tried. */
  add(origins: readonly FeedOrigin[]): Promise<void>;
  close(): void;
};

type Deps = {
  store: TransitStore;
  run: Run;
  clock: Clock;
  random: Random;
  log: Logger;
  timeout_ms: number;
};

const NOTICE_MS = 4_000;
const RENEW_MS = 24 * 3_600_000;
const RETRY_MS = 600_000;
const JITTER = 0.1;
/** Of a zip: national timetables are a few hundred megabytes. */
const MAX_BYTES = 256 * 1024 * 1024;

type Held = HeldFeed & { version: number };

export function createTransitFeeds(deps: Deps): TransitFeeds {
  const { store, clock } = deps;
  const held = new Map<string, Held>();
  const cancels = new Set<() => void>();
  let closed = false;
  const schedule = (after_ms: number, task: () => void | Promise<void>): void => {
    const cancel = clock.schedule(clock.now() + after_ms, () => {
      cancels.delete(cancel);
      return closed ? undefined : task();
    });
    cancels.add(cancel);
  };

  /** Takes up what the store has anew, whoever put it there. */
  function notice(): void {
    for (const { feed_id, version } of store.listFeeds()) {
      const known = held.get(feed_id);
      if (known && known.version === version && known.feed) continue;
      const bytes = store.readFeed(feed_id);
      const feed = bytes && openFeed(bytes);
      const failure = feed ? null : "unreadable";
      held.set(feed_id, { ...(known ?? unknown(feed_id)), feed, failure, version });
    }
  }

  async function renew(origin: FeedOrigin): Promise<void> {
    const row = store.listFeeds().find(({ feed_id }) => feed_id === origin.id);
    const failure = await bring(deps, origin, row);
    if (closed) return;
    notice();
    const known = held.get(origin.id) ?? { ...unknown(origin.id), version: 0 };
    const { realtime, alerts, box } = origin;
    held.set(origin.id, { ...known, failure, realtime, alerts, box });
    const wait_ms = failure === null ? RENEW_MS : RETRY_MS;
    schedule(wait_ms * (1 + JITTER * deps.random()), () => renew(origin));
  }

  const watch = (): void => {
    notice();
    schedule(NOTICE_MS, watch);
  };
  watch();
  return {
    list: () => [...held.values()],
    async add(origins) {
      // One after another: an import takes all of a core.
      for (const origin of origins) if (!closed) await renew(origin);
    },
    close() {
      closed = true;
      for (const cancel of cancels) cancel();
    },
  };
}

function unknown(feed_id: string): Omit<Held, "version"> {
  return { feed_id, feed: null, failure: null, realtime: null, alerts: null, box: null };
}

type Found = {
  source: FeedSource;
  etag: string | null;
  last_modified: string | null;
};

/** Fetches, imports and stores a feed that has changed; why not, or null. */
async function bring(
  deps: Deps,
  origin: FeedOrigin,
  row: TransitFeedRow | undefined,
): Promise<string | null> {
  const found = await (origin.path === null ? fetchFeed(deps, origin, row) : findFile(origin, row));
  if (found === "same") return null;
  if ("failure" in found) {
    deps.log.warn({ feed: origin.id, reason: found.failure }, "gtfs");
    return found.failure;
  }
  const imported_at_ms = deps.clock.now();
  const result = await importGtfs(found.source, {
    ...{ feed_id: origin.id, region: origin.region, now_ms: imported_at_ms },
  });
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

type Look = Found | "same" | { failure: string };

async function findFile({ path }: FeedOrigin, row: TransitFeedRow | undefined): Promise<Look> {
  const [looked] = await Promise.allSettled([stat(path!)]);
  if (looked.status === "rejected") return { failure: "no_such_file" };
  const { mtimeMs, size } = looked.value;
  const etag = `${mtimeMs}-${size}`;
  if (row?.etag === etag) return "same";
  return { source: { path: path! }, etag, last_modified: null };
}

async function fetchFeed(
  { run, timeout_ms }: Deps,
  { url }: FeedOrigin,
  row: TransitFeedRow | undefined,
): Promise<Look> {
  if (url === null) return { failure: "not_configured" };
  const { etag = null, last_modified = null } = row ?? {};
  const outcome = await run({ url, timeout_ms, etag, last_modified, max_bytes: MAX_BYTES }, {});
  if (outcome.status !== "ok") return { failure: outcome.reason };
  const { value } = outcome;
  if (value.kind === "not_modified") return "same";
  if (value.kind === "refused") return { failure: value.failure.reason };
  const { body: bytes, etag: tag, last_modified: changed } = value;
  return { source: { bytes }, etag: tag, last_modified: changed };
}
