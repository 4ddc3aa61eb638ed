/**
 * GTFS feeds of a deployment: read from the store at the start, imported again when their file has
 * changed, and picked up when another process has imported one (operation, VICINITY_DATA_DIR). A
 * feed that cannot be imported leaves the one before in use.
 */
import type { HeldFeed } from "#upstream/transit/held-feed.ts";
import type { LiveFeed } from "#upstream/transit/live-state.ts";
import type { Box } from "#kit/geo.ts";
import { openFeed } from "#transit/schedule/feed-pack.ts";
import { describeUnopened, UNOPENED, type UnopenedFeed } from "#transit/schedule/other-version.ts";
import type { Random } from "#ports.ts";
import type { TransitFeedRow } from "#ports/transit.ts";
import { attempt, guard } from "#kit/guard.ts";
import { Shelf } from "#upstream/shelf.ts";
import { type BringDeps, type Brought, bringFeed } from "./bring.ts";
import type { FeedOrigin } from "./feed-origin.ts";
import { clearSaved } from "./find-archive.ts";
import type { LiveSettings, PackOf } from "./live-transit.ts";

type OpenLive = (settings: LiveSettings, packOf: PackOf) => LiveFeed;
/** Resolves when the feed may be read: an import takes all of a core, which others may need first. */
export type UntilTurn = (feed_id: string) => Promise<void>;
type Deps = BringDeps & {
  random: Random;
  openLive: OpenLive;
  untilTurn?: UntilTurn;
  /** false: another thread imports, and this one takes what the store has; absent: this one does. */
  imports?: boolean;
  /** Feeds that are fetched and imported at the same time; absent: one. */
  at_once?: number;
};

const RETRY_MS = 600_000;
const JITTER = 0.1;

/** In the store, and not usable before the feed has been imported again. */
const isUnopened = (failure: string | null): boolean =>
  failure !== null && UNOPENED.includes(failure);

type LoadedFeed = HeldFeed & {
  /** The feed's pack, in shared memory; null: none is loaded. */
  bytes: Uint8Array | null;
  /** As its origin states it; `box` is that of the stations where only they are known. */
  stated_box: Box | null;
};

/** A feed of the store that cannot be opened. */
type Unopened = { feed_id: string } & Pick<
  UnopenedFeed,
  "reason" | "imported_from" | "imported_box"
>;

export class TransitFeeds extends Shelf {
  readonly #deps: Deps;
  readonly #closing = new AbortController();
  readonly #expected = new Set<string>();
  readonly #feeds = new Map<string, LoadedFeed>();
  readonly #unopened: Unopened[] = [];
  readonly #renewals = new Set<() => void>();
  readonly #tries = new Map<string, PromiseWithResolvers<void>>();
  readonly #stored: Promise<void>;

  constructor(deps: Deps) {
    super(deps.clock);
    this.#deps = deps;
    // Until they are read they are missing, which is not the same as not being.
    const expectStored = (): void => {
      for (const { feed_id } of deps.store.listFeeds()) this.#change(feed_id, {});
    };
    attempt(expectStored, (error) => this.onFault(error));
    this.#stored = this.start();
  }

  list(): readonly HeldFeed[] {
    return [...this.#feeds.values()];
  }

  /** Expects feeds that will come: until then they are missing, which is not the same as not being. */
  expect(origins: readonly FeedOrigin[]): void {
    for (const { id, realtime, alerts, box: stated_box, live } of origins) {
      this.#expected.add(id);
      const { feed, failure, box, live: opened } = this.#get(id);
      // Until it has come again, its stations say where it is.
      const stored = !feed && isUnopened(failure) ? box : null;
      this.#change(id, {
        ...{ realtime, alerts, stated_box, box: stated_box ?? stored },
        live: opened ?? (live && this.#deps.openLive(live, () => this.#packOf(id))),
      });
    }
  }

  /** Adds feeds: each is imported unless the store has it already. Resolves when all were tried. */
  async add(origins: readonly FeedOrigin[]): Promise<void> {
    this.expect(origins);
    // What the store has need not come again.
    await this.#stored;
    if (this.#deps.imports === false) return;
    // In their order, and no more at once than there are cores for: an import takes all of one.
    const waiting = origins[Symbol.iterator]();
    const renewInTurn = async (): Promise<void> => {
      for (const origin of waiting) {
        await this.#deps.untilTurn?.(origin.id);
        if (!this.isClosed) await this.#renew(origin);
      }
    };
    const { at_once = 1 } = this.#deps;
    await Promise.all(Array.from({ length: Math.min(at_once, origins.length) }, renewInTurn));
  }

  /** Resolves when the feed was tried once; never, if it is not added. */
  tried(feed_id: string): Promise<void> {
    return this.#findTry(feed_id).promise;
  }

  /** Whether it comes again by itself, and no command need import it. */
  isExpected(feed_id: string): boolean {
    return this.#expected.has(feed_id);
  }

  override async start(): Promise<void> {
    const { imports = true } = this.#deps;
    if (imports) await clearSaved(this.#deps);
    await this.notice();
    if (imports && this.#unopened.length > 0 && !this.isClosed) {
      await this.#mend();
      await this.notice();
    }
    this.again();
  }

  override close(): void {
    super.close();
    this.#closing.abort();
    for (const cancel of this.#renewals) cancel();
  }

  protected override onFault(error: unknown): void {
    this.#deps.onFault("timetables", error);
  }

  protected override async look(): Promise<void> {
    const { store } = this.#deps;
    const toNothing = (error: unknown): null => {
      this.onFault(error);
      return null;
    };
    for (const { feed_id, version } of store.listFeeds()) {
      if (this.isClosed) return;
      if (this.#get(feed_id).version === version) continue;
      const bytes = await guard(() => store.readFeed(feed_id), toNothing);
      const feed = bytes && attempt(() => openFeed(bytes), toNothing);
      const { stated_box: box } = this.#get(feed_id);
      // One that cannot be read is not tried before the next version.
      if (feed) this.#change(feed_id, { version, bytes, feed, failure: null, box });
      else this.#noteUnopened(feed_id, version, bytes);
    }
  }

  #noteUnopened(feed_id: string, version: number, bytes: Uint8Array | null): void {
    const match = describeUnopened(bytes ?? new Uint8Array());
    const { reason: failure, imported_from, imported_box } = match;
    const { feed, stated_box, box } = this.#get(feed_id);
    this.#change(feed_id, { version, failure, box: feed ? box : (stated_box ?? match.box) });
    this.#unopened.push({ feed_id, reason: failure, imported_from, imported_box });
  }

  /** Says what each feed needs that cannot be opened, and imports again what can be found. */
  async #mend(): Promise<void> {
    for (const { feed_id, reason, imported_from, imported_box } of this.#unopened.splice(0)) {
      if (this.isExpected(feed_id) || this.isClosed) continue;
      const facts = { feed: feed_id, reason, imported_from };
      this.#deps.log.warn(facts, sayUnopened(feed_id, reason));
      if (imported_from === null) continue;
      const found = { path: imported_from, imported_from, bbox: imported_box };
      await this.#bring({ ...NO_ORIGIN, id: feed_id, ...found });
    }
  }

  async #renew(origin: FeedOrigin): Promise<void> {
    const { failure, again_ms } = await this.#bring(origin, () => this.#findRow(origin));
    if (this.isClosed) return;
    await this.notice();
    if (this.isClosed) return;
    const { failure: before } = this.#get(origin.id);
    this.#change(origin.id, { failure: failure ?? (isUnopened(before) ? before : null) });
    this.#findTry(origin.id).resolve();
    const { clock, random } = this.#deps;
    const at_ms = clock.now() + again_ms * (1 + JITTER * random());
    const cancel = clock.schedule(at_ms, () => {
      this.#renewals.delete(cancel);
      return this.isClosed ? undefined : this.#renew(origin);
    });
    this.#renewals.add(cancel);
  }

  /** Imports a feed; a disk that fails must not end the service: what is held stays in use. */
  #bring(origin: FeedOrigin, findRow?: () => TransitFeedRow | undefined): Promise<Brought> {
    const { signal } = this.#closing;
    return guard(
      () => bringFeed(this.#deps, { origin, row: findRow?.(), signal }),
      (error) => {
        this.onFault(error);
        return { failure: "not_stored", again_ms: RETRY_MS };
      },
    );
  }

  /** Finds the stored row, if it can be used: otherwise the feed must come whole. */
  #findRow({ id, bbox = null }: FeedOrigin): TransitFeedRow | undefined {
    const { feed, failure } = this.#get(id);
    if (!feed || isUnopened(failure)) return undefined;
    if (!isSameBox(feed.meta.imported_box ?? null, bbox)) return undefined;
    return this.#deps.store.listFeeds().find((row) => row.feed_id === id);
  }

  #findTry(feed_id: string): PromiseWithResolvers<void> {
    const match = this.#tries.get(feed_id) ?? Promise.withResolvers<void>();
    this.#tries.set(feed_id, match);
    return match;
  }

  #get(feed_id: string): LoadedFeed {
    return this.#feeds.get(feed_id) ?? { ...UNKNOWN, feed_id };
  }

  #change(feed_id: string, members: Partial<LoadedFeed>): void {
    this.#feeds.set(feed_id, { ...this.#get(feed_id), ...members });
  }

  /** The timetable as the thread that reads live data takes it. */
  #packOf(feed_id: string): ReturnType<PackOf> {
    const { version, bytes } = this.#get(feed_id);
    return bytes && { feed_id, version, bytes };
  }
}

/** Of a feed that a command has imported. */
const NO_ORIGIN = { url: null, region: null, box: null, realtime: null, alerts: null, live: null };

function isSameBox(a: Box | null, b: Box | null): boolean {
  if (a === null || b === null) return a === b;
  return a.south === b.south && a.west === b.west && a.north === b.north && a.east === b.east;
}

function sayUnopened(feed_id: string, reason: string): string {
  const cause =
    reason === "damaged"
      ? "is damaged in the store"
      : `was imported by ${reason === "earlier_version" ? "an earlier" : "a later"} version`;
  return `timetable ${feed_id} ${cause}: import it again (vicinity import gtfs FILE --id ${feed_id})`;
}

const UNKNOWN: Omit<LoadedFeed, "feed_id"> = {
  version: 0,
  feed: null,
  failure: null,
  realtime: null,
  alerts: null,
  live: null,
  bytes: null,
  box: null,
  stated_box: null,
};
