/** The sources of public transport of a deployment, put together (decisions, Transport). */
import type { DepartureFinder } from "#app/transit/departure-finder.ts";
import { feedDepartures } from "#app/transit/feed-departures.ts";
import type {
  FindTimetabled,
  TransitFinder,
  TransitQuestion,
} from "#app/transit/transit-finder.ts";
import { heldOf } from "#app/lookup-outcome.ts";
import { feedFinder, lookupFinder, stationsOf } from "#app/transit/transit-finders.ts";
import { gbfsFinder, type GbfsDeps } from "#app/transit/gbfs.ts";
import { lookupDepartures } from "#app/transit/lookup-departures.ts";
import { createStationAccess, type StationAccess } from "#app/transit/station-access.ts";
import { createStationMemory, type StationMemory } from "#app/transit/station-memory.ts";
import { createFindLines, type FindLines } from "#app/transit/line-items.ts";
import type { EndedAttempt, SourceHistory } from "#app/source-history.ts";
import type { SourceItem } from "#app/answer-types.ts";
import type { LiftRegister } from "#app/transit/lift-registers.ts";
import type { Config } from "#config/load.ts";
import { explainFailure } from "#core/failure-words.ts";
import { TRANSPORT_PROVIDERS } from "#api/tokens.ts";
import type { TransitStation } from "#transit/schedule/station.ts";
import gtfs from "#providers/gtfs.ts";
import type { LiftSettings } from "#providers/lift-register.ts";
import mobilitydb from "#providers/mobilitydb/index.ts";
import { listSources } from "#providers/registry.ts";
import type { BringDeps } from "#upstream/transit/bring.ts";
import { Thread } from "#kit/run/thread.ts";
import type { CatalogueListing } from "#app/source-list.ts";
import type { AskDeps } from "#upstream/lookup/ask-source.ts";
import { askOf, type OpenedSource, openSource } from "#upstream/lookup/opened-source.ts";
import { describeSource, type LookupHealth, toListed, toSourceItem } from "#app/source-items.ts";
import { CATALOGUE_ID, followCatalogue } from "#upstream/transit/catalogue.ts";
import { TransitFeeds, type UntilTurn } from "#upstream/transit/timetable-shelf.ts";
import { LiveData } from "#upstream/transit/live-transit.ts";
import type { LiveFeed } from "#upstream/transit/live-state.ts";
import {
  describeTimetable,
  findFeedFailure,
  findUnusable,
  type UnusableTimetable,
} from "#app/transit/timetable-facts.ts";
import type { LiveJob, LiveResult } from "#upstream/transit/live-job.ts";

export type OpenTransit = {
  finders: readonly TransitFinder[];
  departures: readonly DepartureFinder[];
  timetabled: FindTimetabled;
  /** Ways without steps within stations. */
  access: StationAccess;
  /** null: no transit data is loaded. */
  findLines(): FindLines | null;
  listSources(now_ms: number): SourceItem[];
  /** Why timetables that a command has imported answer nothing, one reason each. */
  listUnusable(now_ms: number): UnusableTimetable[];
  /** The catalogue of timetables, where one is followed. */
  catalogues: readonly CatalogueListing[];
  /** Resolves when every feed was tried once. */
  start(): Promise<void>;
  /** Resolves when this feed was tried once; never, if there is no such feed. */
  tried: TransitFeeds["tried"];
  close(): Promise<void>;
};

type Deps = AskDeps &
  GbfsDeps &
  Parameters<typeof followCatalogue>[2] &
  Pick<BringDeps, "store" | "log" | "importFeed"> & {
    /** Where archives that are fetched lie until they are imported; absent: in memory. */
    fetched_folder?: string;
    /** The thread that reads live data. */
    live_worker: URL;
    health: LookupHealth;
    /** Called for readings of timetables and of their live data. */
    onTimetable?: SourceHistory["note"];
    untilTurn?: UntilTurn;
    /** false: another thread imports timetables; absent: this one does. */
    imports?: boolean;
    /** Absent: no request pays for what is read of live data. */
    serving?: {
      resuming<A extends unknown[], R>(ask: (...args: A) => Promise<R>): (...args: A) => Promise<R>;
    };
  };

const LIVE_THREAD = { max_heap_mb: 512, job_timeout_ms: 30_000 };
const LIVE_TIMEOUT_MS = 10_000;
const MIB = 1024 ** 2;
/** Feeds are checked daily; a copy of the answer need not live longer than this. */
const FEED_FRESH_MS = 30_000;

export function openTransit({ sources }: Pick<Config, "sources">, deps: Deps): OpenTransit {
  const { gtfs: stated } = sources;
  const thread = new Thread<LiveJob, LiveResult>({
    ...LIVE_THREAD,
    worker_url: deps.live_worker,
    onFault: deps.onFault,
  });
  const note: SourceHistory["note"] = (id, ended) => deps.onTimetable?.(toSourceId(id), ended);
  const feeds = new TransitFeeds({
    ...deps,
    onAttempt: (id, reason) => note(id, reason === null ? READ : { status: "unavailable", reason }),
    timeout_ms: stated.timeout_ms,
    fetched: {
      archive_bytes: stated.archive_mb * MIB,
      unpacked_bytes: stated.unpacked_mb * MIB,
      folder: deps.fetched_folder ?? null,
    },
    at_once: stated.imports_at_once,
    openLive(settings, packOf) {
      const live = new LiveData(settings, packOf, {
        ...deps,
        thread,
        timeout_ms: LIVE_TIMEOUT_MS,
        onAttempt: (id, failed) => note(id, failed ?? READ),
      });
      const refresh: LiveFeed["refresh"] = (question) => live.refresh(question);
      return {
        max_age_s: live.max_age_s,
        state: (now_ms) => live.state(now_ms),
        refresh: deps.serving?.resuming(refresh) ?? refresh,
      };
    },
  });
  const followed = followCatalogue(stated, feeds, deps);
  const opened = listSources()
    .filter(([, { stations }]) => stations !== undefined)
    .flatMap(([id]) => openSource(id, sources) ?? [])
    .toSorted(byProvider);
  // Of a source that publishes systems, these are listed.
  const listed = opened.filter(({ source }) => !source.systems).map(toListed);
  const lifts = listSources().flatMap(([id]) => {
    const register = openSource(id, sources);
    return register?.source.lifts ? [register] : [];
  });
  const lines = createFindLines(() => feeds.list());
  const memory = createStationMemory();
  return {
    finders: [
      ...opened.map((each) => remembering(toFinder(each, deps), memory)),
      ...(stated.enabled ? [feedFinder(() => feeds.list(), FEED_FRESH_MS)] : []),
      gbfsFinder(deps),
    ],
    // Own feeds before all others, which are asked where they have nothing.
    departures: [
      ...(stated.enabled ? [feedDepartures(() => feeds.list())] : []),
      ...opened.flatMap((each) => toDepartures(each, { ...deps, memory }) ?? []),
    ],
    timetabled: (circle) => (stated.enabled ? stationsOf(feeds.list(), circle).groups : []),
    access: createStationAccess({
      feeds: () => (stated.enabled ? feeds.list() : []),
      registers: lifts.map((each) => toRegister(each, deps)),
    }),
    findLines: () => (stated.enabled && feeds.list().length > 0 ? lines : null),
    listSources: (now_ms) => [
      ...[...listed, ...lifts.map(toListed)].map((each) => toSourceItem(each, deps.health, now_ms)),
      ...listFeeds(feeds, stated, now_ms),
    ],
    listUnusable: (now_ms) =>
      feeds
        .list()
        .filter(({ feed_id }) => !feeds.isExpected(feed_id))
        .flatMap((stored) => findUnusable(stored, now_ms) ?? []),
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
    tried: (feed_id) => feeds.tried(feed_id),
    close: async () => {
      feeds.close();
      await thread.close();
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
  const { provider, reader } = opened.source.stations!;
  const { id: key, source } = opened;
  const refine = refineOf(opened, source.stations!, deps);
  const finder = { provider, key, name: source.name, ask: askOf(opened, reader, deps) };
  return lookupFinder(refine ? { ...finder, refine } : finder);
}

function toRegister(opened: OpenedSource, deps: Deps): LiftRegister {
  // Its configuration has LIFT_MEMBERS.
  const settings = opened.settings as OpenedSource["settings"] & LiftSettings;
  return { settings, ask: askOf(opened, opened.source.lifts!.reader, deps) };
}

/** null: it has none, or is not configured. */
function toDepartures(
  opened: OpenedSource,
  deps: Deps & { memory: StationMemory },
): DepartureFinder | null {
  const { id: key, source, configured } = opened;
  if (!source.departures || !configured) return null;
  const { provider, reader, kinds, asked_by, from_now } = source.departures;
  const refine = refineOf(opened, source.departures, deps);
  return lookupDepartures({
    provider,
    key,
    name: source.name,
    ask: askOf(opened, reader, deps),
    ...(kinds && { kinds }),
    asked_by,
    ...(from_now && { from_now }),
    ...(asked_by === "station" && { stations: toFinder(opened, deps) }),
    ...(refine && { refine }),
    memory: deps.memory,
  });
}

/** Its stations can be asked about by their ids. */
function remembering(finder: TransitFinder, memory: StationMemory): TransitFinder {
  return {
    ...finder,
    async find(question) {
      const finding = await finder.find(question);
      memory.remember(finder.key, finding.groups.flat());
      return finding;
    },
  };
}

type Refined = Pick<NonNullable<OpenedSource["source"]["departures"]>, "also" | "refine">;

function refineOf(opened: OpenedSource, { also = [], refine }: Refined, deps: Deps) {
  if (!refine) return null;
  const asks = also.map((each) =>
    each.isWanted(opened.settings) ? askOf(opened, each.reader, deps) : null,
  );
  return async ({ circle, language, signal, keyed, freshness }: TransitQuestion) => {
    const { lat, lon, radius_m } = circle;
    const query = { lat, lon, radius_m, language, page: null };
    const replies = await Promise.all(
      asks.map((ask) => (ask ? ask(query, { signal, keyed, freshness }) : Promise.resolve(null))),
    );
    const entries = replies.map((reply) => (reply && heldOf(reply))?.value ?? null);
    return (stations: TransitStation[]) => refine(stations, entries);
  };
}

const READ: EndedAttempt = { status: "ok", reason: null };

function toSourceId(feed_id: string): string {
  return `gtfs:${feed_id}`;
}

/** One line a feed. */
function listFeeds(
  feeds: TransitFeeds,
  stated: Config["sources"]["gtfs"],
  now_ms: number,
): SourceItem[] {
  return feeds.list().map((stored) => {
    const { feed_id, feed } = stored;
    const failure = findFeedFailure(stored, now_ms);
    const terms = {
      attribution: feed?.meta.attribution ?? stated.attribution,
      licence: feed?.meta.licence ?? stated.licence,
    };
    const item = describeSource(gtfs, terms, now_ms, {
      id: toSourceId(feed_id),
      name: feed_id,
      kind: "feed",
      state: failure === null ? "ok" : feed ? "error" : "unavailable",
      entity_count: feed?.count ?? null,
      problem: failure && explainFailure(failure),
      last_success_at_ms: feed?.meta.fetched_at_ms ?? null,
    });
    const { entity_count, bbox, areas, error_rate_5m, last_success_at, age_s, ...facts } = item;
    // The problem comes before the counts, as these lines have always been written.
    const timetable = describeTimetable(stored, now_ms);
    return {
      ...facts,
      entity_count,
      bbox,
      areas,
      error_rate_5m,
      last_success_at,
      age_s,
      ...(timetable && { timetable }),
    };
  });
}
