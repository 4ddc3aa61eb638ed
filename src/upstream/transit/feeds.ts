/**
 * GTFS feeds of a deployment: read from the store at the start, imported again when their file has
 * changed, and picked up when another process has imported one (operation, VICINITY_DATA_DIR). A
 * feed that cannot be imported leaves the one before in use.
 */
import type { HeldFeed } from "#upstream/transit/held-feed.ts";
import type { LiveFeed } from "#upstream/transit/live-state.ts";
import type { Box } from "#kit/geo.ts";
import { openFeed } from "#transit/schedule/feed-pack.ts";
import { describeUnopened, UNOPENED } from "#transit/schedule/other-version.ts";
import type { Random } from "#ports.ts";
import type { TransitFeedRow } from "#ports/transit.ts";
import { attempt, guard } from "#kit/guard.ts";
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
  /** Whether it comes again by itself, and no command need import it. */
  isExpected(feed_id: string): boolean;
  close(): void;
};

type OpenLive = (settings: LiveSettings, packOf: PackOf) => LiveFeed;
/** Resolves when the feed may be read: an import takes all of a core, which others may need first. */
export type UntilTurn = (feed_id: string) => Promise<void>;
type Deps = BringDeps & { random: Random; openLive: OpenLive; untilTurn?: UntilTurn };

const NOTICE_MS = 4_000;
const RETRY_MS = 600_000;
const JITTER = 0.1;

/** In the store, and not usable before the feed has been imported again. */
const isUnopened = (failure: string | null): boolean =>
  failure !== null && UNOPENED.includes(failure);

type Held = HeldFeed & {
  /** The feed's pack, in shared memory; null: none is loaded. */
  bytes: Uint8Array | null;
  /** As its origin states it; `box` is that of the stations where only they are known. */
  stated_box: Box | null;
};

/** A feed of the store that cannot be opened. */
type Unopened = { feed_id: string; reason: string; imported_from: string | null };

export function createTransitFeeds(deps: Deps): TransitFeeds {
  const { clock } = deps;
  const closing = new AbortController();
  const { signal } = closing;
  const note = (err: unknown): void => deps.onFault("timetables", err);
  const unopened: Unopened[] = [];
  const shelf = createShelf(deps, {
    signal,
    onFault: note,
    onUnopened: (feed) => {
      unopened.push(feed);
    },
  });
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

  /** Says what each feed needs that cannot be opened, and imports again what can be found. */
  async function mend(): Promise<void> {
    for (const { feed_id, reason, imported_from } of unopened.splice(0)) {
      if (shelf.isExpected(feed_id) || signal.aborted) continue;
      deps.log.warn({ feed: feed_id, reason, imported_from }, sayUnopened(feed_id, reason));
      if (imported_from === null) continue;
      const origin = { ...NO_ORIGIN, id: feed_id, path: imported_from, imported_from };
      await guard(() => bringFeed(deps, { origin, row: undefined, signal }), onFault);
    }
  }

  const watch = async (): Promise<void> => {
    await shelf.notice();
    if (unopened.length > 0 && !signal.aborted) {
      await mend();
      await shelf.notice();
    }
    if (!signal.aborted) schedule(NOTICE_MS, watch);
  };
  // Until they are read they are missing, which is not the same as not being.
  attempt(shelf.expectStored, note);
  const stored = watch();
  return {
    list: shelf.list,
    expect: shelf.expect,
    isExpected: shelf.isExpected,
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

/** Of a feed that a command has imported. */
const NO_ORIGIN = { url: null, region: null, box: null, realtime: null, alerts: null, live: null };

function sayUnopened(feed_id: string, reason: string): string {
  const cause =
    reason === "damaged"
      ? "is damaged in the store"
      : `was imported by ${reason === "earlier_version" ? "an earlier" : "a later"} version`;
  return `timetable ${feed_id} ${cause}: import it again (vicinity import gtfs FILE --id ${feed_id})`;
}

type ShelfEvents = {
  signal: AbortSignal;
  onFault: (error: unknown) => void;
  onUnopened: (feed: Unopened) => void;
};

/** Keeps the feeds of the store in memory. */
function createShelf(
  { store, openLive }: Pick<Deps, "store" | "openLive">,
  { signal, onFault, onUnopened }: ShelfEvents,
) {
  const expected = new Set<string>();
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
      const { stated_box: box } = get(feed_id);
      // One that cannot be read is not tried before the next version.
      if (feed) change(feed_id, { version, bytes, feed, failure: null, box });
      else noteUnopened(feed_id, version, bytes);
    }
  }
  function noteUnopened(feed_id: string, version: number, bytes: Uint8Array | null): void {
    const found = describeUnopened(bytes ?? new Uint8Array());
    const { reason: failure, imported_from } = found;
    const { feed, stated_box, box } = get(feed_id);
    change(feed_id, { version, failure, box: feed ? box : (stated_box ?? found.box) });
    onUnopened({ feed_id, reason: failure, imported_from });
  }
  return {
    list: () => [...held.values()],
    expect(origins: readonly FeedOrigin[]): void {
      for (const { id, realtime, alerts, box: stated_box, live } of origins) {
        expected.add(id);
        const { feed, failure, box, live: opened } = get(id);
        // Until it has come again, its stations say where it is.
        const kept = !feed && isUnopened(failure) ? box : null;
        change(id, {
          ...{ realtime, alerts, stated_box, box: stated_box ?? kept },
          live: opened ?? openLiveFeed(id, live),
        });
      }
    },
    /** Whether it comes again by itself. */
    isExpected: (feed_id: string): boolean => expected.has(feed_id),
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
      if (!feed || isUnopened(failure)) return undefined;
      return store.listFeeds().find((row) => row.feed_id === feed_id);
    },
    /** Notes the result of the last attempt. */
    judge(feed_id: string, failure: string | null): void {
      const before = get(feed_id).failure;
      change(feed_id, { failure: failure ?? (isUnopened(before) ? before : null) });
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
    stated_box: null,
  };
  return { feed_id, ...nothing, version: 0 };
}
