/**
 * Which feeds a deployment reads: those that are named, and those that the catalogue of the Mobility
 * Database has in its area. The catalogue also knows which of them have live data.
 */
import type { Config } from "#config/load.ts";
import {
  type CatalogueFeed,
  feedsAt,
  type ListedFeeds,
} from "#providers/mobilitydb/mobilitydb-catalogue.ts";
import type { NoteFault } from "#kit/guard.ts";
import {
  Catalogue,
  type CatalogueDeps,
  type CatalogueHealth,
  type CatalogueSpec,
} from "#upstream/catalogue-reader.ts";
import { runInThread } from "#kit/run/thread.ts";
import type { FeedOrigin } from "#upstream/transit/feed-origin.ts";
import type { TransitFeeds } from "#upstream/transit/timetable-shelf.ts";

type Gtfs = Omit<Config["sources"]["gtfs"], "simulated">;

const MAX_BYTES = 32 * 1024 ** 2;
const LIMITS = { max_heap_mb: 512, job_timeout_ms: 60_000 };

export type FollowedCatalogue = {
  /** null: none is configured. */
  health: (() => CatalogueHealth) | null;
  /** Resolves when the named feeds, and what was known of the catalogue, were tried once. */
  start(): Promise<void>;
  close(): Promise<void>;
};

type ReaderDeps = {
  /** The thread that reads it. */
  catalogue_worker: URL;
  onFault: NoteFault;
};

export const CATALOGUE_ID = "mobilitydb_catalogue";

export function followCatalogue(
  stated: Gtfs,
  feeds: Pick<TransitFeeds, "expect" | "add">,
  deps: ReaderDeps & CatalogueDeps,
): FollowedCatalogue {
  const named = (listed: readonly CatalogueFeed[]): FeedOrigin[] =>
    stated.feeds.map((feed) => toOrigin(feed, listed));
  // Each once: it is looked after from then on.
  const added = new Set<string>();
  const add = async (origins: readonly FeedOrigin[]): Promise<void> => {
    const fresh = origins.filter(({ id }) => !added.has(id));
    for (const { id } of fresh) added.add(id);
    await feeds.add(fresh);
  };
  const use = async (listed: CatalogueFeed[]): Promise<void> => {
    feeds.expect(named(listed));
    await add([...named(listed), ...pick(stated, listed)]);
  };
  const { catalogue: url } = stated;
  const catalogue = url === null ? null : new Catalogue(specOf(url, stated, deps), deps, use);
  return {
    health: catalogue && (() => catalogue.health()),
    async start() {
      feeds.expect(named([]));
      await catalogue?.recall();
      await catalogue?.start();
      await add(named([]));
    },
    close: async () => await catalogue?.close(),
  };
}

function specOf(
  url: string,
  { timeout_ms }: Gtfs,
  { catalogue_worker: worker_url, onFault }: ReaderDeps,
): CatalogueSpec<CatalogueFeed[]> {
  return {
    id: CATALOGUE_ID,
    from: { url, timeout_ms, max_bytes: MAX_BYTES },
    keep: true,
    async parse(body) {
      const read = await runInThread<ListedFeeds | null>(body, { ...LIMITS, worker_url, onFault });
      if (!read.ok || read.value === null) return null;
      const { feeds, trail } = read.value;
      return { value: feeds, count: feeds.length, trail };
    },
  };
}

/** Those of the area that are not named. */
function pick({ area, feeds }: Gtfs, listed: readonly CatalogueFeed[]): FeedOrigin[] {
  if (area === null) return [];
  return feedsAt(listed, area)
    .filter(({ id }) => !feeds.some((feed) => feed.id === id))
    .map(({ id, url }) => ({ ...toOrigin({ id, url }, listed), strict: true }));
}

function toOrigin(feed: Gtfs["feeds"][number], listed: readonly CatalogueFeed[]): FeedOrigin {
  const entry = listed.find(({ id, url }) => id === feed.id || url === feed.url);
  return {
    id: feed.id,
    path: feed.path ?? null,
    url: feed.url ?? null,
    region: feed.region ?? null,
    bbox: feed.bbox ?? null,
    box: entry?.box ?? null,
    // What is configured is known to exist.
    realtime: (feed.realtime?.trip_updates ? true : entry?.realtime) ?? null,
    alerts: (feed.realtime?.alerts ? true : entry?.alerts) ?? null,
    live: feed.realtime ?? null,
  };
}
