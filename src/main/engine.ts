/** Everything below the listeners: the world, its feeds, and the sources that are asked per request. */
import { join } from "node:path";
import type { Logger } from "pino";
import { openSourceHistory, type SourceHistory } from "#app/source-history.ts";
import type { Config } from "#config/load.ts";
import { guard } from "#kit/guard.ts";
import { createDrainState, type DrainState } from "#http/drain.ts";
import { createMetrics, type Metrics } from "#http/metrics.ts";
import { noteCatalogue, watchCatalogues } from "#observe/catalogue-meter.ts";
import { factsOf, watchImports } from "#observe/import-meter.ts";
import { createFleetMeter, type FleetMeter } from "#observe/fleet-meter.ts";
import { countAnswers } from "#observe/fleet-ports.ts";
import { createLookupMeter } from "#observe/lookup-meter.ts";
import type { CatalogueDeps } from "#upstream/catalogue.ts";
import type { FeedRuntime } from "#upstream/feeds/types.ts";
import { createLookupCache } from "#upstream/lookup/ask.ts";
import { Spending } from "#upstream/lookup/limits.ts";
import { withFiles } from "#storage/bases.ts";
import { listSources } from "#providers/registry.ts";
import { isConfigured } from "#providers/source.ts";
import { createTiles } from "#world/places/tiles.ts";
import type { World } from "#world/world.ts";
import { type Bases, BaseShelf, NO_BASES } from "#upstream/bases/shelf.ts";
import { createGazetteer, NO_GAZETTEER } from "./bases/gazetteer.ts";
import { createSimulatedBase } from "./bases/simulated.ts";
import { createWhereabouts, type Whereabouts } from "./bases/whereabouts.ts";
import type { CoreInput, ShutdownStep } from "./bootstrap.ts";
import { type Catalogues, openCatalogues } from "./catalogues.ts";
import { openFeeds } from "./feeds.ts";
import { type Outbound, openNetwork } from "./network.ts";
import { createLookupHealth } from "./places/health.ts";
import { openPlaces, type OpenPlaces, toListedId } from "./places/open.ts";
import { listAddresses, listNeeded, listSystems, simulated } from "./sources.ts";
import { openTransit, type OpenTransit } from "./transit/open.ts";
import { openWeather, type OpenWeather } from "./weather.ts";

/** How long the first readings of the sandbox may hold the start up. */
const FIRST_WAIT_MS = 2_000;

/** What the listeners serve. */
export type Core = {
  world: World;
  feeds: FeedRuntime;
  places: OpenPlaces;
  transit: OpenTransit;
  weather: OpenWeather;
  catalogues: Catalogues;
  bases: Bases;
  /** How the sources did; it looks at them once it knows their list. */
  history: SourceHistory;
  metrics: Metrics;
  /** Fed by the stores of a fleet. */
  fleet: FleetMeter;
  drain: DrainState;
  whereabouts: Whereabouts;
  /** False until the catalogue has been tried once: before, it is unknown what there is. */
  readiness: { ready: boolean };
  /** Resolves when all that is read in the background has been tried once. */
  tried(): Promise<void>;
};

/**
 * Everything below the listeners. `onOpened`: takes the end of each part that is open, the first to be
 * ended last; where a later one cannot be opened, they are ended all the same.
 */
export async function startCore(
  input: CoreInput,
  onOpened: (end: ShutdownStep) => void,
): Promise<Core> {
  const { options, clock, log, sandbox, storage, serving, onFault } = input;
  const background = <T>(part: string, task: () => Promise<T>): Promise<T | void> =>
    guard(task, (error) => onFault(part, error));
  const metrics = createMetrics();
  onOpened(["metrics", () => metrics.close()]);
  metrics.watch("svc_defects_total", () => [{ labels: {}, value: input.faults() }]);
  const fleet = openFleetMeter(metrics, input);
  const network = openNetwork(input);
  onOpened(["connections to sources", () => network.close()]);
  const history = await openHistory(input);
  const lookup_deps = toLookupDeps(input, { network, metrics, fleet, history });
  onOpened(["counts of paid calls", () => lookup_deps.spending.close()]);
  const sources = simulated(options.config.sources, sandbox);
  const { bases, gazetteer, simulatedBase } = openBases(input, sources.openbase);
  const whereabouts = createWhereabouts(bases, (error) => onFault("whereabouts", error));
  const { countries, timezones, ofStations: territories } = whereabouts;
  const opened = openFeeds(input, { network, metrics, fleet, history, territories });
  onOpened(["feeds", () => opened.close()]);
  const { world, add } = opened;
  const feeds = { ...opened.feeds, refresh: serving.resuming(opened.feeds.refresh) };
  const config = { ...options.config, sources };
  const systems = listSystems(sources, sandbox);
  network.allow([...listAddresses(sources).map((url) => ({ url })), ...systems], { own: true });
  await add(systems);
  const needed = listNeeded(sources, sandbox);
  const begun = Promise.withResolvers<void>();
  const first = { countries: needed.countries, until: begun.promise };
  feeds.start(sandbox ? first : null);
  const asking = { ...lookup_deps, countries: countries.load, timezones };
  warnOfCosts(options.config, log);
  const places = openPlaces(config, { ...asking, bases, gazetteer });
  const onEvent = toCatalogueNotes(log, history);
  const following = { clock, onFault, documents: storage.documents, onEvent };
  const transit = openTransit(config, {
    ...asking,
    ...following,
    world,
    feeds,
    log,
    serving,
    store: storage.transit,
    onTimetable: history.note,
    ...(sandbox && {
      untilTurn: async (id) => (needed.timetables.includes(id) ? undefined : begun.promise),
    }),
  });
  onOpened(["timetables", () => transit.close()]);
  const weather = openWeather(config, asking);
  sayNotAsked([places, transit, weather], log);
  for (const [part, each] of Object.entries({ gazetteer, bases, simulatedBase, places, history }))
    onOpened([part, () => each.close()]);
  const shelved = background("bases", () => simulatedBase.clear().then(() => bases.start()));
  const registered = Promise.all([shelved, background("registers", places.start)]);
  const timetables = background("timetables", transit.start);
  const catalogues = openCatalogues(sources, { ...following, run: network.runFeeds, world, add });
  onOpened(["catalogues", () => catalogues.close()]);
  watchImports(metrics, factsOf({ transit, bases }, clock.now));
  watchCatalogues(metrics, [...catalogues.listed, ...transit.catalogues], clock.now);
  const readiness = { ready: catalogues.listed.length === 0 };
  await catalogues.recall();
  const followed = background("catalogues", catalogues.start).then(() => (readiness.ready = true));
  if (sandbox) {
    const placed = followed.then(() => feeds.surveyed(needed.countries));
    const read = [placed, registered, ...needed.timetables.map(transit.tried)];
    await Promise.race([Promise.all(read), sleep(FIRST_WAIT_MS)]);
  }
  begun.resolve();
  // Only then, since it takes all of a core.
  const provided = background("simulated base", async () => {
    await Promise.all([shelved, timetables]);
    await simulatedBase.provide();
  });
  const tried = async (): Promise<void> =>
    void (await Promise.all([followed.then(() => feeds.surveyed()), registered, provided]));
  // Needed by questions until the survey is over: minutes, and in the sandbox a second.
  if (!sandbox && !world.isSurveyed()) await countries.load();
  return {
    world,
    feeds,
    places,
    transit,
    weather,
    catalogues,
    bases,
    history,
    metrics,
    fleet,
    drain: createDrainState(),
    whereabouts,
    readiness,
    tried,
  };
}

function openBases(
  { options, clock, log, sandbox, storage }: CoreInput,
  { enabled, files, gazetteer }: Config["sources"]["openbase"],
) {
  const folder = join(options.env.data_dir, options.config.mode);
  const bases = enabled
    ? new BaseShelf({ store: withFiles(storage.bases, files), clock, log })
    : NO_BASES;
  return {
    bases,
    gazetteer:
      enabled && gazetteer
        ? createGazetteer({ folder: join(folder, "gazetteer"), log })
        : NO_GAZETTEER,
    simulatedBase: createSimulatedBase({
      extract: (enabled && sandbox?.extract) || null,
      bases,
      store: storage.bases,
      folder,
      version: options.version,
      worker_url: new URL("./workers/simulated-base.ts", import.meta.url),
      clock,
      log,
    }),
  };
}

function openHistory({ clock, storage, log }: CoreInput): Promise<SourceHistory> {
  const onUnkept = (): void => log.warn("the history of sources could not be written");
  return openSourceHistory({ clock, documents: storage.documents, onUnkept });
}

function openFleetMeter(metrics: Metrics, { storage, shared }: CoreInput): FleetMeter {
  const fleet = createFleetMeter(metrics);
  const all = shared ? [...storage.health, shared.health] : storage.health;
  if (shared) fleet.watchShared(() => shared.health.isUp());
  fleet.watchStore(() => storage.health.every((each) => each.isUp()));
  fleet.watchFailing(all);
  return fleet;
}

/** What every source that is asked per request, and every register, is opened with. */
function toLookupDeps(
  { options, clock, log, tracing, shared, storage, serving, onFault }: CoreInput,
  {
    network,
    metrics,
    fleet,
    history,
  }: { network: Outbound; metrics: Metrics; fleet: FleetMeter; history: SourceHistory },
): Omit<Parameters<typeof openPlaces>[1], "bases" | "gazetteer"> & { spending: Spending } {
  const health = createLookupHealth(clock.now);
  return {
    spending: new Spending(clock, shared ? shared.spendOver(storage.spend) : storage.spend),
    documents: storage.documents,
    ...(shared ? { shared: countAnswers(shared.answers, fleet) } : {}),
    run: serving.resuming(network.runLookups),
    clock,
    onFault,
    random: options.random ?? Math.random,
    cache: createLookupCache(clock),
    tiles: createTiles(),
    health,
    meter: createLookupMeter(metrics),
    onAttempt: ({ trail, sent, ...attempt }) => {
      const { lookup_id: operation, ...traced } = attempt;
      tracing?.called({ ...traced, operation, sent: sent() });
      health.note(attempt);
      history.note(toListedId(attempt.provider, options.config), attempt);
      metrics.lookedUp(attempt.provider, attempt.status, attempt.elapsed_ms / 1000);
      if (attempt.status !== "ok" && attempt.reason !== "aborted") log.warn(attempt, "lookup");
      else if (log.isLevelEnabled("debug")) log.debug({ ...attempt, ...trail() }, "lookup");
    },
    onRegistry: (event, source_id) => {
      if (!event.kept) history.note(source_id, { status: event.outcome, reason: event.reason });
      if (event.outcome === "ok") log.info(event, "registry");
      else log.warn(event, "registry");
    },
  };
}

/** Readings of catalogues, for the log and the history; what was kept of one is no reading. */
function toCatalogueNotes(log: Logger, history: SourceHistory): CatalogueDeps["onEvent"] {
  const say = noteCatalogue(log);
  return (event) => {
    const { catalogue, status, reason, kept } = event;
    if (!kept) history.note(catalogue, { status, reason });
    say(event);
  };
}

/** Logs sources that are switched on and not asked, for want of configuration: nothing else would. */
function sayNotAsked(opened: readonly Pick<OpenPlaces, "listSources">[], log: Logger): void {
  for (const { id, problem } of opened.flatMap((each) => each.listSources(0)))
    if (problem?.word === "not configured")
      log.warn({ source: id, reason: problem.reason }, `not asked: ${problem.message}`);
}

/** A key that costs money and has no bound spends whatever strangers ask for. */
function warnOfCosts({ mode, sources }: Config, log: Logger): void {
  for (const [id, source] of listSources()) {
    const settings = sources[id] as { enabled: boolean; calls_per_day?: number | null };
    const { enabled, calls_per_day = null } = settings;
    const isOpen = enabled && isConfigured(source, settings) && calls_per_day === null;
    if (mode === "live" && source.paid && isOpen)
      log.warn(
        { source: id },
        `sources.${id}.calls_per_day is not set: its key has no bound a day`,
      );
  }
}

/** Does not keep the process alive, unlike listeners and sockets. */
export function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms).unref();
  });
}
