/**
 * GTFS feeds of a deployment: read from the store at the start, imported again when their file has
 * changed, and picked up when another process has imported one (operation, VICINITY_DATA_DIR). A
 * feed that cannot be imported leaves the one before in use.
 */
import type { HeldFeed } from "#app/transit/finders.ts";
import type { LiveFeed } from "#app/transit/live.ts";
import { openFeed } from "#core/transit/feed-pack.ts";
import type { Random } from "#ports.ts";
import type { TransitFeedRow } from "#ports/transit.ts";
import { attempt, guard } from "#core/guard.ts";
import { type BringDeps, type Brought, bringFeed, type FeedOrigin } from "./bring.ts";
import type { LiveSettings, PackOf } from "./live.ts";

export type TransitFeeds = {
  list(): readonly HeldFeed[];
  /** Feeds that will come: until then they are missing, which is not the same as not being. */
  expect(origins: readonly FeedOrigin[]): void;
  /** Adds feeds: each is imported unless the store has it already. Resolves when all were tried. */
  add(origins: readonly FeedOrigin[]): Promise<void>;
  /** Resolves when the feed was tried once; never, if it is not added. */
  tried(feed_id: string): Promise<void>;
  close(): void;
};

type OpenLive = (settings: LiveSettings, packOf: PackOf) => LiveFeed;
/** Resolves when the feed may be read: an import takes all of a core, which others may need first. */
export type UntilTurn = (feed_id: string) => Promise<void>;
type Deps = BringDeps & { random: Random; openLive: OpenLive; untilTurn?: UntilTurn };

const NOTICE_MS = 4_000;
const RETRY_MS = 600_000;
const JITTER = 0.1;

const UNREADABLE = "unreadable";

type Held = HeldFeed & {
  /** The feed's pack, in shared memory; null: none is loaded. */
  bytes: Uint8Array | null;
};

export function createTransitFeeds(deps: Deps): TransitFeeds {
  const { clock } = deps;
  const closing = new AbortController();
  const { signal } = closing;
  const note = (err: unknown): void => deps.onFault("timetables", err);
  const shelf = createShelf(deps, { signal, onFault: note });
  const cancels = new Set<() => void>();
  const tries = new Map<string, PromiseWithResolvers<void>>();
  const findTry = (feed_id: string): PromiseWithResolvers<void> => {
    const found = tries.get(feed_id) ?? Promise.withResolvers<void>();
    tries.set(feed_id, found);
    return found;
  };
  const schedule = (after_ms: number, task: () => Promise<void>): void => {
    const cancel = clock.schedule(clock.now() + after_ms, () => {
      cancels.delete(cancel);
      return signal.aborted ? undefined : task();
    });
    cancels.add(cancel);
  };
  /** A disk that fails must not end the service: what is held stays in use. */
  const onFault = (err: unknown): Brought => {
    note(err);
    return { failure: "not_stored", again_ms: RETRY_MS };
  };

  async function renew(origin: FeedOrigin): Promise<void> {
    const { failure, again_ms } = await guard(async () => {
      const brought = await bringFeed(deps, { origin, row: shelf.findRow(origin.id), signal });
      if (!signal.aborted) await shelf.notice();
      return brought;
    }, onFault);
    if (signal.aborted) return;
    shelf.judge(origin.id, failure);
    findTry(origin.id).resolve();
    schedule(again_ms * (1 + JITTER * deps.random()), () => renew(origin));
  }

  const watch = async (): Promise<void> => {
    await shelf.notice();
    if (!signal.aborted) schedule(NOTICE_MS, watch);
  };
  // Until they are read they are missing, which is not the same as not being.
  attempt(shelf.expectStored, note);
  const stored = watch();
  return {
    list: shelf.list,
    expect: shelf.expect,
    async add(origins) {
      shelf.expect(origins);
      // What the store has need not come again.
      await stored;
      // One after another: an import takes all of a core.
      for (const origin of origins) {
        await deps.untilTurn?.(origin.id);
        if (!signal.aborted) await renew(origin);
      }
    },
    tried: (feed_id) => findTry(feed_id).promise,
    close() {
      closing.abort();
      for (const cancel of cancels) cancel();
    },
  };
}

/** Keeps the feeds of the store in memory. */
function createShelf(
  { store, openLive }: Pick<Deps, "store" | "openLive">,
  { signal, onFault }: { signal: AbortSignal; onFault: (error: unknown) => void },
) {
  const held = new Map<string, Held>();
  let noticed = Promise.resolve();
  const openLiveFeed = (feed_id: string, live: LiveSettings | null): LiveFeed | null =>
    live && openLive(live, () => packOf(feed_id));
  const get = (feed_id: string): Held => held.get(feed_id) ?? unknown(feed_id);
  /** The timetable as the thread that reads live data takes it. */
  const packOf = (feed_id: string): ReturnType<PackOf> => {
    const { version, bytes } = get(feed_id);
    return bytes && { feed_id, version, bytes };
  };
  const change = (feed_id: string, members: Partial<Held>): void => {
    held.set(feed_id, { ...get(feed_id), ...members });
  };
  const toNothing = (error: unknown): null => {
    onFault(error);
    return null;
  };

  async function load(): Promise<void> {
    for (const { feed_id, version } of store.listFeeds()) {
      if (signal.aborted) return;
      if (get(feed_id).version === version) continue;
      const bytes = await guard(() => store.readFeed(feed_id), toNothing);
      const feed = bytes && attempt(() => openFeed(bytes), toNothing);
      // One that cannot be read is not tried before the next version.
      const result = feed ? { bytes, feed, failure: null } : { failure: UNREADABLE };
      change(feed_id, { version, ...result });
    }
  }
  return {
    list: () => [...held.values()],
    expect(origins: readonly FeedOrigin[]): void {
      for (const { id, realtime, alerts, box, live } of origins)
        change(id, { realtime, alerts, box, live: get(id).live ?? openLiveFeed(id, live) });
    },
    expectStored(): void {
      for (const { feed_id } of store.listFeeds()) change(feed_id, {});
    },
    /**
     * Loads what has changed in the store, whichever process wrote it: one call after another. Never
     * rejects.
     */
    notice(): Promise<void> {
      noticed = noticed.then(() => guard(load, onFault));
      return noticed;
    },
    /** Finds the stored row, if it can be used: otherwise the feed must come whole. */
    findRow(feed_id: string): TransitFeedRow | undefined {
      const { feed, failure } = get(feed_id);
      if (!feed || failure === UNREADABLE) return undefined;
      return store.listFeeds().find((row) => row.feed_id === feed_id);
    },
    /** Notes the result of the last attempt. */
    judge(feed_id: string, failure: string | null): void {
      const unread = get(feed_id).failure === UNREADABLE ? UNREADABLE : null;
      change(feed_id, { failure: failure ?? unread });
    },
  };
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
