/** The sources of public transport of a deployment, put together (decisions, Transport). */
import type { Logger } from "pino";
import type { TransitFinder, TransitQuestion } from "#app/transit/finder.ts";
import { feedFinder, lookupFinder } from "#app/transit/finders.ts";
import { gbfsFinder, type GbfsDeps } from "#app/transit/gbfs.ts";
import { createFindLines, type FindLines } from "#app/transit/lines.ts";
import type { SourceItem } from "#app/types.ts";
import type { Config } from "#config/load.ts";
import { explainFailure } from "#core/failure-words.ts";
import { TRANSPORT_PROVIDERS } from "#contract/tokens.ts";
import type { TransitStore } from "#ports/transit.ts";
import gtfs from "#providers/gtfs/index.ts";
import mobilitydb from "#providers/mobilitydb/index.ts";
import { listSources } from "#providers/registry.ts";
import type { CatalogueDeps } from "#upstream/catalogue.ts";
import { threadImport } from "#upstream/gtfs/thread.ts";
import type { CatalogueListing } from "#app/sources.ts";
import type { AskDeps } from "#upstream/lookup/ask.ts";
import { askOf, type OpenedSource, openSource, toListed } from "../lookups.ts";
import { describeSource, type LookupHealth, toSourceItem } from "../places/health.ts";
import { CATALOGUE_ID, followCatalogue } from "./catalogue.ts";
import { createTransitFeeds, type TransitFeeds } from "./feeds.ts";

export type OpenTransit = {
  finders: readonly TransitFinder[];
  /** null: no transit data is loaded. */
  findLines(): FindLines | null;
  listSources(now_ms: number): SourceItem[];
  /** The catalogue of timetables, where one is followed. */
  catalogues: readonly CatalogueListing[];
  /** Resolves when every feed was tried once. */
  start(): Promise<void>;
  close(): Promise<void>;
};

type Deps = AskDeps &
  GbfsDeps &
  CatalogueDeps & { store: TransitStore; log: Logger; health: LookupHealth };

const IMPORT_WORKER = new URL("../workers/import.ts", import.meta.url);
/** Feeds are checked daily; a copy of the answer need not live longer than this. */
const FEED_FRESH_MS = 30_000;

export function openTransit({ sources }: Pick<Config, "sources">, deps: Deps): OpenTransit {
  const { gtfs: stated } = sources;
  const importFeed = threadImport({ worker_url: IMPORT_WORKER });
  const feeds = createTransitFeeds({ ...deps, importFeed, timeout_ms: stated.timeout_ms });
  const followed = followCatalogue(stated, feeds, deps);
  const opened = listSources()
    .filter(([, { stations }]) => stations !== undefined)
    .flatMap(([id]) => openSource(id, sources) ?? [])
    .toSorted(byProvider);
  // Of a source that publishes systems, these are listed.
  const listed = opened.filter(({ source }) => !source.systems).map(toListed);
  const lines = createFindLines(feeds.list);
  return {
    finders: [
      ...opened.map((each) => toFinder(each, deps)),
      ...(stated.enabled ? [feedFinder(feeds.list, FEED_FRESH_MS)] : []),
      gbfsFinder(deps),
    ],
    findLines: () => (stated.enabled && feeds.list().some(({ feed }) => feed) ? lines : null),
    listSources: (now_ms) => [
      ...listed.map((each) => toSourceItem(each, deps.health, now_ms)),
      ...listFeeds(feeds, stated, now_ms),
    ],
    catalogues:
      stated.enabled && followed.health
        ? [
            {
              id: CATALOGUE_ID,
              name: mobilitydb.name,
              provider: mobilitydb,
              terms: { attribution: null, licence: null },
              health: followed.health,
            },
          ]
        : [],
    start: () => (stated.enabled ? followed.start() : Promise.resolve()),
    close: async () => {
      feeds.close();
      await followed.close();
    },
  };
}

function byProvider({ source: a }: OpenedSource, { source: b }: OpenedSource): number {
  const rank = ({ stations }: OpenedSource["source"]): number =>
    TRANSPORT_PROVIDERS.indexOf(stations!.provider);
  return rank(a) - rank(b);
}

function toFinder(opened: OpenedSource, deps: Deps): TransitFinder {
  const { provider, reader, also = [], refine } = opened.source.stations!;
  const { id: key, source } = opened;
  const finder = { provider, key, name: source.name, ask: askOf(opened, reader, deps) };
  if (!refine) return lookupFinder(finder);
  const asks = also.map((each) =>
    each.isWanted(opened.settings) ? askOf(opened, each.reader, deps) : null,
  );
  return lookupFinder({
    ...finder,
    refine: async ({ circle, language, signal, keyed, freshness }: TransitQuestion) => {
      const { lat, lon, radius_m } = circle;
      const query = { lat, lon, radius_m, language, page: null };
      const replies = await Promise.all(
        asks.map((ask) => (ask ? ask(query, { signal, keyed, freshness }) : Promise.resolve(null))),
      );
      const known = replies.map(
        (reply) => (reply?.status === "ok" ? reply.held : reply?.rescue)?.value ?? null,
      );
      return (stations) => refine(stations, known);
    },
  });
}

/** One line a feed. */
function listFeeds(
  feeds: TransitFeeds,
  stated: Config["sources"]["gtfs"],
  now_ms: number,
): SourceItem[] {
  return feeds.list().map(({ feed_id, feed, failure }) => {
    const terms = {
      attribution: feed?.meta.attribution ?? stated.attribution,
      licence: feed?.meta.licence ?? stated.licence,
    };
    const item = describeSource(gtfs, terms, now_ms, {
      id: `gtfs:${feed_id}`,
      name: feed_id,
      kind: "feed",
      state: failure === null ? "ok" : feed ? "error" : "unavailable",
      entity_count: feed?.count ?? null,
      problem: failure === null ? null : explainFailure({ status: "unavailable", reason: failure }),
      last_success_at_ms: feed?.meta.fetched_at_ms ?? null,
    });
    const { entity_count, bbox, areas, error_rate_5m, last_success_at, age_s, ...facts } = item;
    // The problem comes before the counts, as these lines have always been written.
    return { ...facts, entity_count, bbox, areas, error_rate_5m, last_success_at, age_s };
  });
}
