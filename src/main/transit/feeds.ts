/**
 * GTFS feeds of a deployment: read from the store at the start, imported again when their file has
 * changed, and picked up when another process has imported one (operation, VICINITY_DATA_DIR). A
 * feed that cannot be imported leaves the one before in use.
 */
import type { HeldFeed } from "#app/transit/finders.ts";
import type { LiveFeed } from "#app/transit/live.ts";
import { openFeed } from "#core/transit/feed-pack.ts";
import type { Random } from "#ports.ts";
import type { TransitFeedRow, TransitStore } from "#ports/transit.ts";
import { guard } from "#upstream/feeds/guard.ts";
import { type BringDeps, type Brought, bringFeed, type FeedOrigin } from "./bring.ts";
import type { LiveSettings, PackOf } from "./live.ts";

export type TransitFeeds = {
  list(): readonly HeldFeed[];
  /** Feeds that will come: until then they are missing, which is not the same as not being. */
  expect(origins: readonly FeedOrigin[]): void;
  /** Adds feeds: each is imported unless the store has it already. Resolves when all were tried. */
  add(origins: readonly FeedOrigin[]): Promise<void>;
  close(): void;
};

type OpenLive = (settings: LiveSettings, packOf: PackOf) => LiveFeed;
type Deps = BringDeps & { random: Random; openLive: OpenLive };

const NOTICE_MS = 4_000;
const RETRY_MS = 600_000;
const JITTER = 0.1;

const UNREADABLE = "unreadable";

type Held = HeldFeed & {
  /** The feed's pack, in shared memory; null: none is loaded. */
  bytes: Uint8Array | null;
};

export function createTransitFeeds(deps: Deps): TransitFeeds {
  const { clock, log } = deps;
  const shelf = createShelf(deps.store, deps.openLive);
  const cancels = new Set<() => void>();
  const closing = new AbortController();
  const { signal } = closing;
  const schedule = (after_ms: number, task: () => Promise<void>): void => {
    const cancel = clock.schedule(clock.now() + after_ms, () => {
      cancels.delete(cancel);
      return signal.aborted ? undefined : task();
    });
    cancels.add(cancel);
  };
  /** A disk that fails must not end the service: what is held stays in use. */
  const onFault = (err: unknown): Brought => {
    log.error({ err }, "gtfs");
    return { failure: "not_stored", again_ms: RETRY_MS };
  };

  async function renew(origin: FeedOrigin): Promise<void> {
    const { failure, again_ms } = await guard(async () => {
      const brought = await bringFeed(deps, { origin, row: shelf.findRow(origin.id), signal });
      if (!signal.aborted) shelf.notice();
      return brought;
    }, onFault);
    if (signal.aborted) return;
    shelf.judge(origin.id, failure);
    schedule(again_ms * (1 + JITTER * deps.random()), () => renew(origin));
  }

  const watch = async (): Promise<void> => {
    await guard(shelf.notice, onFault);
    if (!signal.aborted) schedule(NOTICE_MS, watch);
  };
  void watch();
  return {
    list: shelf.list,
    expect: shelf.expect,
    async add(origins) {
      shelf.expect(origins);
      // One after another: an import takes all of a core.
      for (const origin of origins) if (!signal.aborted) await renew(origin);
    },
    close() {
      closing.abort();
      for (const cancel of cancels) cancel();
    },
  };
}

/** Keeps the feeds of the store in memory. */
function createShelf(store: TransitStore, openLive: OpenLive) {
  const held = new Map<string, Held>();
  const openLiveFeed = (feed_id: string, live: LiveSettings | null): LiveFeed | null =>
    live && openLive(live, () => packOf(feed_id));
  const get = (feed_id: string): Held => held.get(feed_id) ?? unknown(feed_id);
  /** The timetable as the thread that reads live data takes it. */
  const packOf = (feed_id: string): ReturnType<PackOf> => {
    const { version, bytes } = get(feed_id);
    return bytes && { feed_id, version, bytes };
  };
  return {
    list: () => [...held.values()],
    expect(origins: readonly FeedOrigin[]): void {
      for (const { id, realtime, alerts, box, live } of origins) {
        const known = get(id);
        held.set(id, {
          ...known,
          realtime,
          alerts,
          box,
          live: known.live ?? openLiveFeed(id, live),
        });
      }
    },
    /** Loads what has changed in the store, whichever process wrote it. */
    notice(): void {
      for (const { feed_id, version } of store.listFeeds()) {
        const known = get(feed_id);
        if (known.version === version) continue;
        // Should reading it fail, it is not tried before the next version.
        held.set(feed_id, { ...known, version, failure: UNREADABLE });
        const bytes = toShared(store.readFeed(feed_id));
        const feed = bytes && openFeed(bytes);
        if (feed) held.set(feed_id, { ...known, version, bytes, feed, failure: null });
      }
    },
    /** Finds the stored row, if it can be used: otherwise the feed must come whole. */
    findRow(feed_id: string): TransitFeedRow | undefined {
      const { feed, failure } = get(feed_id);
      if (!feed || failure === UNREADABLE) return undefined;
      return store.listFeeds().find((row) => row.feed_id === feed_id);
    },
    /** Notes the result of the last attempt. */
    judge(feed_id: string, failure: string | null): void {
      const known = get(feed_id);
      const unread = known.failure === UNREADABLE ? UNREADABLE : null;
      held.set(feed_id, { ...known, failure: failure ?? unread });
    },
  };
}

/** Threads that read live data take the timetable as it lies. */
function toShared(bytes: Uint8Array | null): Uint8Array | null {
  if (bytes === null) return null;
  const shared = new Uint8Array(new SharedArrayBuffer(bytes.length));
  shared.set(bytes);
  return shared;
}

function unknown(feed_id: string): Held {
  const nothing = {
    feed: null,
    failure: null,
    realtime: null,
    alerts: null,
    live: null,
    bytes: null,
    box: null,
  };
  return { feed_id, ...nothing, version: 0 };
}
