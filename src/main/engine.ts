/** Everything below the listeners: the world, its feeds, and the sources that are asked per request. */
import type { Tracing } from "#core/trace.ts";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Logger } from "pino";
import { type Sandbox } from "../../sandbox/main.ts";
import { type FindCountries, loadCountries } from "#app/country.ts";
import { type AdjustableClock } from "./clock.ts";
import type { SteadyTime } from "./steady-time.ts";
import type { Env } from "#config/env.ts";
import type { Config } from "#config/load.ts";
import { createDrainState, type DrainState } from "#http/drain.ts";
import { createMetrics, type Metrics } from "#http/metrics.ts";
import { noteFeed } from "#observe/feed-events.ts";
import { noteCatalogue, watchCatalogues } from "#observe/catalogue-meter.ts";
import { watchFeeds } from "#observe/feed-meter.ts";
import { createFleetMeter, type FleetMeter } from "#observe/fleet-meter.ts";
import { countAnswers, countExchange } from "#observe/fleet-ports.ts";
import { createLookupMeter } from "#observe/lookup-meter.ts";
import { gbfsProtocol } from "#providers/gbfs/protocol.ts";
import { ingest } from "#providers/registry.ts";
import { createEgress, type Egress } from "#upstream/egress.ts";
import { createIdentityThread, type IdentityThread } from "#upstream/identity-thread.ts";
import { createIngestPool, type IngestPool } from "#upstream/feeds/ingest-pool.ts";
import { createFeeds } from "#upstream/feeds/runtime.ts";
import type { FeedRuntime, FeedSystem } from "#upstream/feeds/types.ts";
import { createHttpClient, type HttpLimits } from "#upstream/http.ts";
import { createLookupCache } from "#upstream/lookup/cache.ts";
import { Spending } from "#upstream/lookup/budget.ts";
import { createRun, type Run } from "#upstream/run.ts";
import { createIdentity } from "#world/identity/identity.ts";
import { createTiles } from "#world/places/tiles.ts";
import { createWorld, type World } from "#world/world.ts";
import { type Catalogues, openCatalogues } from "./catalogues.ts";
import type { Ground } from "./bootstrap.ts";
import type { Step } from "./shutdown.ts";
import { createLookupHealth } from "./places/health.ts";
import { openPlaces, type OpenPlaces } from "./places/open.ts";
import { openTransit, type OpenTransit } from "./transit/open.ts";
import { openWeather, type OpenWeather } from "./weather.ts";
import { listSystems, simulated } from "./sources.ts";

export type ServiceOptions = {
  config: Config;
  env: Env;
  version: string;
  /** Where the clock reads time; the system's where it is left out. */
  time?: SteadyTime;
  /** Of a call of a source; as shipped where it is left out. */
  http_limits?: Partial<HttpLimits>;
};

/** What could not be started, in one line. */
export type StartProblem = { problem: string };

/** Per origin; what a source bears is the matter of its bulkhead. */
const LOOKUP_CONNECTIONS = 256;

/** How long the first survey of the sandbox may hold the start up. */
const SURVEY_WAIT_MS = 2_000;

export type Stores = Pick<Ground, "storage" | "shared">;

export type CoreInput = Stores & {
  options: ServiceOptions;
  clock: AdjustableClock;
  sandbox: Sandbox | null;
  log: Logger;
  tracing: Tracing | null;
};

/** What the listeners are laid over. */
export type Core = {
  world: World;
  feeds: FeedRuntime;
  places: OpenPlaces;
  transit: OpenTransit;
  weather: OpenWeather;
  catalogues: Catalogues;
  metrics: Metrics;
  /** Fed by who opens the stores of a fleet. */
  fleet: FleetMeter;
  drain: DrainState;
  countries: { find: FindCountries | null; load(): Promise<FindCountries> };
  /** False until the catalogue has been tried once: nobody knows before what there is. */
  readiness: { ready: boolean };
  /** Resolves when all that is read in the background has been tried once. */
  tried(): Promise<void>;
  /** How its parts are ended. */
  ends: readonly Step[];
};

/** Everything below the listeners. */
export async function startCore(input: CoreInput): Promise<Core> {
  const { options, clock, log } = input;
  const metrics = createMetrics();
  const fleet = openFleetMeter(metrics, input);
  const plainHosts: string[] = [];
  const { egress, run } = openDoor(input, plainHosts, {});
  const lookups = openDoor(input, plainHosts, { max_connections: LOOKUP_CONNECTIONS });
  const pool = openPool(metrics);
  const { world, thread } = openWorld(input);
  const feeds = openFeeds({ run, world, pool, metrics, fleet }, input);
  watchFeeds(metrics, feeds.snapshot, clock.now);
  const add = createAdder({ world, feeds, plainHosts }, input);
  const countries = createCountries();
  const readiness = { ready: true };
  const sources = simulated(options.config.sources, input.sandbox);
  plainHosts.push(...hostsOf([sources.citybikes], { own: true }));
  const named = listSystems(sources, input.sandbox);
  plainHosts.push(...hostsOf(named, { own: true }));
  await add(named);
  feeds.start();
  const lending = lookupDeps({ run: lookups.run, metrics, fleet }, input);
  const asking = { ...lending, countries: countries.load };
  warnOfCosts(options.config, log);
  const places = openPlaces(options.config, input.sandbox, asking);
  const following = { clock, documents: input.storage.documents, onEvent: noteCatalogue(log) };
  const transit = openTransit(options.config, input.sandbox, {
    ...{ ...asking, ...following, world, feeds, log, store: input.storage.transit },
  });
  const weather = openWeather(options.config, input.sandbox, asking);
  const addresses = [places, transit, weather].flatMap((opened) => opened.addresses);
  plainHosts.push(...hostsOf(addresses, { own: true }));
  sayNotAsked([places, transit, weather], log);
  const registered = Promise.all([places.start(), transit.start()]);
  const catalogues = openCatalogues(sources, { ...following, run, world, add });
  watchCatalogues(metrics, [...catalogues.listed, ...transit.catalogues], clock.now);
  readiness.ready = catalogues.listed.length === 0;
  await catalogues.recall();
  const followed = catalogues.start().then(() => (readiness.ready = true));
  const tried = async (): Promise<void> => {
    await Promise.all([feeds.surveyed(), followed, registered]);
  };
  if (input.sandbox) await Promise.race([tried(), sleep(SURVEY_WAIT_MS)]);
  if (!world.isSurveyed()) await countries.load();
  return {
    ...{ world, feeds, places, transit, weather, catalogues, metrics, countries, readiness },
    ...{ drain: createDrainState(), fleet, tried },
    ends: [
      ["places", () => places.close()],
      ["catalogues", () => catalogues.close()],
      ["timetables", () => transit.close()],
      // At once: what waits to be parsed is dropped, and its flights end.
      ["feeds", () => Promise.all([feeds.close(), pool.close(), thread.close()])],
      ["counts of paid calls", () => asking.spending.close()],
      ["connections to sources", () => Promise.all([egress.close(), lookups.egress.close()])],
      ["metrics", () => metrics.close()],
    ],
  };
}

function openPool({ feedWorked }: Metrics): IngestPool {
  const worker_url = new URL("./workers/ingest.ts", import.meta.url);
  return createIngestPool({ inline: ingest, worker_url, onWork: feedWorked });
}

function openWorld({ options, storage, clock, log }: CoreInput): {
  world: World;
  thread: IdentityThread;
} {
  const overrides = options.config.identity;
  const thread = createIdentityThread(new URL("./workers/identity.ts", import.meta.url));
  const identity = overrides
    ? createIdentity({
        ...{ bridges: storage.bridges, overrides, now: clock.now, resolve: thread.resolve },
        pause: () => nextTurn(),
        onTrouble: (trouble) => log.warn(trouble, "identity"),
      })
    : null;
  return { world: createWorld(identity), thread };
}

/** Systems are known to the world only with what the fleet knows of them: who joins begins warm. */
function createAdder(
  { world, feeds, plainHosts }: { world: World; feeds: FeedRuntime; plainHosts: string[] },
  { storage, clock }: CoreInput,
): (systems: FeedSystem[]) => Promise<void> {
  return async (systems) => {
    await storage.bridges.prepare(
      systems.map(({ id }) => id),
      clock.now(),
    );
    for (const system of systems) world.register({ source_id: system.id, country: system.country });
    plainHosts.push(...hostsOf(systems, { own: false }));
    feeds.add(systems);
    await feeds.join();
  };
}

function openFleetMeter(metrics: Metrics, { storage, shared }: CoreInput): FleetMeter {
  const fleet = createFleetMeter(metrics);
  if (shared) fleet.watchShared(() => !shared.isAway());
  if (storage.fleet) fleet.watchStore(storage.fleet.isUp);
  fleet.watchSpool(storage.usage.depth);
  return fleet;
}

/** Loaded when somebody needs them. */
function createCountries(): Core["countries"] {
  const countries: Core["countries"] = {
    find: null,
    load: async () => (countries.find ??= await loadCountries()),
  };
  return countries;
}

/** A way out of its own: connections that one kind of call takes are not missing to another. */
function openDoor(
  { options, clock }: CoreInput,
  http_hosts: readonly string[],
  limits: { max_connections?: number },
): { egress: Egress; run: Run } {
  const egress = createEgress({ ...options.config.egress, http_hosts, ...limits });
  return { egress, run: createRun({ client: createClient(options, egress, clock), clock }) };
}

type FeedParts = {
  fleet: FleetMeter;
  run: Run;
  world: World;
  pool: IngestPool;
  metrics: Metrics;
};

function openFeeds({ run, world, pool, metrics, fleet }: FeedParts, input: CoreInput): FeedRuntime {
  const { clock, log, options, storage } = input;
  const { gbfs } = options.config.sources;
  return createFeeds({
    ...{ protocol: gbfsProtocol, run, clock, random: Math.random, sink: world },
    store: storage.feeds,
    ingest: pool.ingest,
    ...{ systems: [], timeout_ms: gbfs.timeout_ms, idle_s: gbfs.idle_s, survey: gbfs.survey },
    exchange: input.shared && countExchange(input.shared.exchange, fleet),
    limiter: input.shared && input.shared.limiter,
    onWork: metrics.feedWorked,
    onEvent: (event) => noteFeed(event, { metrics, log, tracing: input.tracing }),
  });
}

/** What sources that are asked per question, and registers, are put together with. */
function lookupDeps(
  { run, metrics, fleet }: Pick<FeedParts, "run" | "metrics" | "fleet">,
  { clock, log, tracing, shared, storage }: CoreInput,
): Parameters<typeof openPlaces>[2] & { spending: Spending } {
  const health = createLookupHealth(clock.now);
  const spent = shared ? shared.spendOver(storage.spend) : storage.spend;
  return {
    spending: new Spending(clock, spent),
    documents: storage.documents,
    ...(shared ? { shared: countAnswers(shared.answers, fleet) } : {}),
    ...{ run, clock, random: Math.random, cache: createLookupCache(clock), tiles: createTiles() },
    ...{ health, meter: createLookupMeter(metrics) },
    onAttempt: ({ trail, sent, ...attempt }) => {
      const { lookup_id: operation, ...told } = attempt;
      tracing?.called({ ...told, operation, sent: sent() });
      health.note(attempt);
      metrics.lookedUp(attempt.provider, attempt.status, attempt.elapsed_ms / 1000);
      if (attempt.status !== "ok" && attempt.reason !== "aborted") log.warn(attempt, "lookup");
      else if (log.isLevelEnabled("debug")) log.debug({ ...attempt, ...trail() }, "lookup");
    },
    onRegistry: (event) =>
      event.outcome === "ok" ? log.info(event, "registry") : log.warn(event, "registry"),
  };
}

/** Sources that are switched on and are not asked, for want of configuration: nothing else would say so. */
function sayNotAsked(opened: readonly Pick<OpenPlaces, "listSources">[], log: Logger): void {
  for (const { id, problem } of opened.flatMap((each) => each.listSources(0)))
    if (problem?.word === "not configured")
      log.warn({ source: id, reason: problem.reason }, `not asked: ${problem.message}`);
}

/** A key that costs money and has no bound spends whatever strangers ask for. */
function warnOfCosts({ mode, sources: { places, weather } }: Config, log: Logger): void {
  const paid = { google_maps: places.google_maps, openweathermap: weather.openweathermap };
  for (const [source, { enabled, api_key, calls_per_day }] of Object.entries(paid))
    if (mode === "live" && enabled && api_key !== null && calls_per_day === null)
      log.warn(
        { source },
        `sources.${source}.calls_per_day is not set: its key has no bound a day`,
      );
}

function createClient(
  { config, version, http_limits = {} }: ServiceOptions,
  egress: Egress,
  clock: AdjustableClock,
): ReturnType<typeof createHttpClient> {
  const contact = config.contact === null ? "" : ` (+${config.contact})`;
  return createHttpClient({
    egress,
    user_agent: `vicinity/${version}${contact}`,
    limits: http_limits,
    now: clock.now,
  });
}

/**
 * Plain http and other ports are spoken only where the operator's own entry says so; what a catalogue
 * says may be http, but on its own port (reliability 4.5 rules 1 and 2).
 */
function hostsOf(entries: readonly { url: string }[], { own }: { own: boolean }): string[] {
  return entries.flatMap(({ url }) => {
    const { protocol, host, port } = new URL(url);
    return (own || port === "") && (protocol === "http:" || port !== "") ? [host] : [];
  });
}

/** Listeners and sockets keep the process alive; a wait that nobody waits for any more must not. */
export function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, ms).unref());
}
