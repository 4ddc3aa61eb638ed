/** The sources of public transport of a deployment, put together (decisions, Transport). */
import type { Logger } from "pino";
import type { Sandbox } from "../../../sandbox/main.ts";
import type { TransitFinder, TransitQuestion } from "#app/transit/finder.ts";
import { feedFinder, lookupFinder } from "#app/transit/finders.ts";
import { gbfsFinder, type GbfsDeps } from "#app/transit/gbfs.ts";
import { createFindLines, type FindLines } from "#app/transit/lines.ts";
import type { SourceItem } from "#app/types.ts";
import type { Config } from "#config/load.ts";
import type { SettledTransport } from "#config/transit.ts";
import { TRANSIT_SCHEMAS } from "#config/schema-transit.ts";
import { explainFailure } from "#core/failure-words.ts";
import type { TransitStation } from "#core/transit/station.ts";
import type { TransitStore } from "#ports/transit.ts";
import gtfs from "#providers/gtfs/index.ts";
import motisProvider from "#providers/motis/index.ts";
import { motisStops } from "#providers/motis/stops.ts";
import navitia, { type NavitiaSettings } from "#providers/navitia/index.ts";
import { navitiaRegion, navitiaStations } from "#providers/navitia/stations.ts";
import { navitiaStopPoints, withWheelchair } from "#providers/navitia/stop-points.ts";
import transitland from "#providers/transitland/index.ts";
import { transitlandStations } from "#providers/transitland/stops.ts";
import mobilitydb from "#providers/mobilitydb/index.ts";
import type { CatalogueDeps } from "#upstream/catalogue.ts";
import type { Ask, AskDeps } from "#upstream/lookup/ask.ts";
import { threadImport } from "#upstream/gtfs/thread.ts";
import type { LookupHealth } from "../places/health.ts";
import { toSourceItem } from "../places/health.ts";
import { askOf, notConfigured, treat } from "../places/parts.ts";
import { toBase } from "../places/settings.ts";
import type { CatalogueListing } from "#app/sources.ts";
import { CATALOGUE_ID, followCatalogue } from "./catalogue.ts";
import { createTransitFeeds, type TransitFeeds } from "./feeds.ts";

export type OpenTransit = {
  finders: readonly TransitFinder[];
  /** null: no transit data is loaded. */
  findLines(): FindLines | null;
  addresses: readonly { url: string }[];
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
const DAY_S = 86_400;
/** Feeds are checked daily; a copy of the answer need not live longer than this. */
const FEED_FRESH_MS = 30_000;

export function openTransit(config: Config, sandbox: Sandbox | null, deps: Deps): OpenTransit {
  const settled = fillIn(config.sources.transport, sandbox);
  const { motis } = config.sources;
  const { gtfs: stated } = settled;
  const importFeed = threadImport({ worker_url: IMPORT_WORKER });
  const feeds = createTransitFeeds({ ...deps, importFeed, timeout_ms: stated.timeout_ms });
  const followed = followCatalogue(stated, feeds, deps);
  const finders: TransitFinder[] = [
    ...navitiaFinder(settled.navitia, deps),
    ...transitlandFinder(settled.transitland, deps),
    ...motisFinder(motis, deps),
    ...(stated.enabled ? [feedFinder(feeds.list, FEED_FRESH_MS)] : []),
    gbfsFinder(deps),
  ];
  const lines = createFindLines(feeds.list);
  return {
    finders,
    findLines: () => (stated.enabled && feeds.list().some(({ feed }) => feed) ? lines : null),
    addresses: [...listAddresses(settled), ...(motis.url === null ? [] : [{ url: motis.url }])],
    listSources: (now_ms) => [
      ...listLookups(settled, deps.health, now_ms),
      ...listFeeds(feeds, stated, now_ms),
    ],
    catalogues:
      stated.enabled && followed.health
        ? [
            {
              ...{ id: CATALOGUE_ID, name: "Mobility Database", provider: mobilitydb },
              ...{ terms: { attribution: null, licence: null }, health: followed.health },
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

/** What the file leaves open is filled in by the simulator. */
function fillIn(transport: SettledTransport, sandbox: Sandbox | null): SettledTransport {
  if (!sandbox) return transport;
  const upstreams = sandbox.upstreams();
  const { navitia: one, transitland: two, gtfs: three } = transport;
  const isOpen = (name: "navitia" | "transitland", url: string | null): boolean =>
    url === (TRANSIT_SCHEMAS[name].properties.url as { default?: unknown }).default;
  const base = upstreams["gtfs"]?.url ?? "";
  const feeds = upstreams["gtfs"]?.["feeds"] ?? "";
  const own = three.feeds.length > 0 || three.catalogue !== null;
  const simulated = feeds.split(",").filter((id) => id !== "");
  return {
    navitia: isOpen("navitia", one.url) ? { ...one, ...upstreams["navitia"] } : one,
    transitland: isOpen("transitland", two.url) ? { ...two, ...upstreams["transitland"] } : two,
    gtfs: own
      ? three
      : {
          ...three,
          feeds: simulated.map((id) => ({ id, url: `${base}/${id}.zip` })),
          catalogue: upstreams["mobilitydb"]?.url ?? null,
        },
  };
}

function navitiaFinder(stated: SettledTransport["navitia"], deps: Deps): TransitFinder[] {
  if (!stated.enabled) return [];
  const { url, token, auth, wheelchair, timeout_ms } = stated;
  const row = { provider: "navitia", key: "navitia" } as const;
  if (url === null || token === null) return [lookupFinder({ ...row, ask: notConfigured() })];
  const settings: NavitiaSettings = { url: toBase(url), token, auth, wheelchair, timeout_ms };
  const source = { settings, policy: treat(navitia, stated, { cache_s: DAY_S, places: 8 }) };
  const points = askOf(navitiaStopPoints, source, deps);
  const region = askOf(navitiaRegion, source, deps);
  return [
    lookupFinder({
      ...{ ...row, ask: askOf(navitiaStations, source, deps) },
      refine: async (question) => {
        const [known, of] = await Promise.all([
          wheelchair ? askPoints(points, question) : [],
          askRegion(region, question),
        ]);
        return (stations) => withWheelchair(inRegion(stations, of), known);
      },
    }),
  ];
}

type AskPoints = Ask<
  Parameters<typeof navitiaStopPoints.request>[0],
  { points: Parameters<typeof withWheelchair>[1] & unknown[]; next: string | null }
>;

/** The first page is enough to know; what fails leaves it unknown. */
async function askPoints(
  ask: AskPoints,
  { circle, language, signal, keyed, freshness }: TransitQuestion,
) {
  const { lat, lon, radius_m } = circle;
  const query = { lat, lon, radius_m, language, page: null };
  const reply = await ask(query, { signal, keyed, freshness });
  return (reply.status === "ok" ? reply.held : reply.rescue)?.value.points ?? [];
}

async function askRegion(
  ask: Ask<{ lat: number; lon: number }, string | null>,
  { circle, signal, keyed, freshness }: TransitQuestion,
): Promise<string | null> {
  const { lat, lon } = circle;
  const reply = await ask({ lat, lon }, { signal, keyed, freshness });
  return (reply.status === "ok" ? reply.held : reply.rescue)?.value ?? null;
}

function inRegion(stations: readonly TransitStation[], region: string | null): TransitStation[] {
  return stations.map((station) => ({
    ...station,
    source: { ...station.source, region: station.source.region ?? region },
  }));
}

function transitlandFinder(stated: SettledTransport["transitland"], deps: Deps): TransitFinder[] {
  if (!stated.enabled) return [];
  const { url, api_key, timeout_ms } = stated;
  const row = { provider: "transitland", key: "transitland" } as const;
  if (url === null || api_key === null) return [lookupFinder({ ...row, ask: notConfigured() })];
  const settings = { url: toBase(url), api_key, timeout_ms };
  const policy = treat(transitland, stated, { cache_s: DAY_S, places: 8 });
  return [lookupFinder({ ...row, ask: askOf(transitlandStations, { settings, policy }, deps) })];
}

/** A remote reader of GTFS (decisions, Transport); only where the file names its server. */
function motisFinder(stated: Config["sources"]["motis"], deps: Deps): TransitFinder[] {
  const { enabled, url, stops_timeout_ms: timeout_ms } = stated;
  if (!enabled || url === null) return [];
  const terms = {
    cache_s: stated.cache_s,
    store: stated.store,
    calls_per_day: null,
    concurrency: null,
  };
  const policy = treat(motisProvider, terms, { cache_s: DAY_S, places: 8 });
  const source = { settings: { url: toBase(url), timeout_ms }, policy };
  return [lookupFinder({ provider: "gtfs", key: "motis", ask: askOf(motisStops, source, deps) })];
}

type Gtfs = SettledTransport["gtfs"];

function listAddresses({ gtfs: own, navitia: one, transitland: two }: SettledTransport) {
  const urls = [one.url, two.url, own.catalogue, ...own.feeds.map(({ url }) => url ?? null)];
  return urls.flatMap((url) => (url === null ? [] : [{ url }]));
}

function listLookups(
  { navitia: one, transitland: two }: SettledTransport,
  health: LookupHealth,
  now_ms: number,
): SourceItem[] {
  const rows = [
    { provider: navitia, stated: one, configured: one.url !== null && one.token !== null },
    { provider: transitland, stated: two, configured: two.url !== null && two.api_key !== null },
  ];
  return rows
    .filter(({ stated }) => stated.enabled)
    .map(({ provider, stated, configured }) => {
      const { id, name, operations } = provider;
      const listed = { id, name, operations, provider, terms: stated, configured, registry: null };
      return toSourceItem(listed, health, now_ms);
    });
}

/** One line a feed. */
function listFeeds(feeds: TransitFeeds, stated: Gtfs, now_ms: number): SourceItem[] {
  return feeds.list().map(({ feed_id, feed, failure }) => {
    const last = feed?.meta.fetched_at_ms ?? null;
    return {
      ...{ id: `gtfs:${feed_id}`, name: feed_id, kind: "feed", operations: [...gtfs.operations] },
      state: failure === null ? "ok" : feed ? "error" : "unavailable",
      ...{ licence: feed?.meta.licence ?? stated.licence, licence_url: null },
      ...{ attribution: feed?.meta.attribution ?? stated.attribution, attribution_url: null },
      terms: { map: "any" },
      problem: failure === null ? null : explainFailure({ status: "unavailable", reason: failure }),
      ...{ entity_count: feed?.count ?? null, bbox: null, areas: null, error_rate_5m: null },
      last_success_at: last === null ? null : new Date(last).toISOString(),
      age_s: last === null ? null : Math.max(0, Math.round((now_ms - last) / 1000)),
    } satisfies SourceItem;
  });
}
