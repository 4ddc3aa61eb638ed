/** What the parts of a service are given, and what those are that others are made of. */
import type { Logger } from "pino";
import type { Sandbox } from "../../../sandbox/main.ts";
import type { ChangelogDocument } from "#api/changelog.ts";
import type { Catalogues } from "#app/catalogues.ts";
import type { OpenPlaces } from "#app/places/open-places.ts";
import type { SourceHistory } from "#app/source-history.ts";
import type { SourceQuality } from "#app/source-quality.ts";
import type { OpenTransit } from "#app/transit/open-transit.ts";
import type { OpenWeather } from "#app/weather/open-weather.ts";
import type { Whereabouts } from "#app/whereabouts.ts";
import type { Env } from "#config/env.ts";
import type { Config } from "#config/load.ts";
import type { Tracing } from "#core/trace.ts";
import type { DrainState } from "#http/drain.ts";
import type { Metrics } from "#http/metrics.ts";
import type { Pages } from "#http/pages/page-site.ts";
import type { ServingThread } from "#http/serving.ts";
import type { Shedder } from "#http/shedding.ts";
import type { NoteFault } from "#kit/guard.ts";
import type { ClockWatch } from "#observe/clock-watch.ts";
import type { FleetMeter } from "#observe/fleet-meter.ts";
import type { Log } from "#observe/log.ts";
import type { NodeFacts } from "#observe/node-facts.ts";
import type { loadTelemetry } from "#observe/open-telemetry.ts";
import type { StoreWatch } from "#observe/store-watch.ts";
import type { TileFile } from "#ports/base-maps.ts";
import type { Random } from "#ports.ts";
import type { AdjustableClock } from "#process/clock.ts";
import type { StartProblem } from "#process/parts.ts";
import type { SteadyTime } from "#process/steady-time.ts";
import type { Storage } from "#storage/open-storage.ts";
import type { ProvidedKeys } from "#storage/sandbox-keys.ts";
import type { Shared } from "#storage/valkey/open-valkey.ts";
import type { Bases } from "#upstream/bases/shelf.ts";
import type { GazetteerShelf } from "#upstream/bases/gazetteer.ts";
import type { SearchThread } from "#upstream/bases/search-thread.ts";
import type { SimulatedBase } from "#upstream/bases/simulated.ts";
import type { HttpLimits } from "#upstream/http.ts";
import type { Spending } from "#upstream/lookup/lookup-limits.ts";
import type { Outbound } from "#upstream/network.ts";
import type { OpenAccess, Together } from "../access/open-access.ts";
import type { Simulator } from "../simulator.ts";

export type ServiceOptions = {
  config: Config;
  env: Env;
  version: string;
  /** Commit that it was built from; absent or null: unknown. */
  commit?: string | null;
  /** Source of the clock's time; absent: the system. */
  time?: SteadyTime;
  /** Has begun to start; absent: it is started in this thread. */
  simulator?: Simulator;
  /** Reads the time by which requests pay for what they take, ms; absent: `performance.now`. */
  thread_now?: () => number;
  /** Source of jitter; absent: the runtime's. */
  random?: Random;
  /** Where its lines go; absent: to standard output. */
  log?: Pick<Log, "log" | "close">;
  /** Limits of a call to a source; absent: as shipped. */
  http_limits?: Partial<HttpLimits>;
  /** Threads that serve, and what runs in them; null or absent: the one of the service. */
  workers?: { count: number; worker_url: URL } | null;
};

/** What every part may use. */
export type Inputs = {
  options: ServiceOptions;
  /** What the clock follows, until the sandbox moves it. */
  time: SteadyTime;
  clock: AdjustableClock;
  random: Random;
  log: Logger;
  /** Receives what our own code throws where nothing waits for it, or where an outcome hides it. */
  onFault: NoteFault;
  /** How many were received. */
  faults: () => number;
  serving: ServingThread;
  /** Whether feeds, catalogues and archives are read here; false: by the main thread. */
  reads: boolean;
  /** What the threads that serve count together; null: this one is alone. */
  together: Together | null;
};

/** By name. */
export type Made = {
  changelog: { document: ChangelogDocument | null };
  /** null: no traces are configured. */
  telemetry: Exclude<Awaited<ReturnType<typeof loadTelemetry>>, StartProblem> | null;
  storage: Storage;
  /** null: this replica is alone. */
  shared: Shared | null;
  tracing: Tracing | null;
  /** The map where no base covers; null: none is configured. */
  tiles: TileFile | null;
  /** null: live. */
  sandbox: Sandbox | null;
  metrics: Metrics;
  fleet: FleetMeter;
  network: Outbound;
  history: SourceHistory;
  quality: SourceQuality;
  spending: Spending;
  /** Those of the configuration, and what the simulator fills in. */
  sources: Config["sources"];
  bases: Bases;
  gazetteer: GazetteerShelf;
  /** null: bases are switched off. */
  name_thread: SearchThread | null;
  simulated_base: SimulatedBase;
  whereabouts: Whereabouts;
  places: OpenPlaces;
  transit: OpenTransit;
  weather: OpenWeather;
  catalogues: Catalogues;
  /** False until the catalogues have been tried once: before, it is unknown what there is. */
  readiness: { ready: boolean };
  /** Of the sandbox, one for each plan; live: none. */
  keys: ProvidedKeys;
  shedding: Shedder;
  access: OpenAccess;
  store_watch: StoreWatch;
  clock_watch: ClockWatch;
  pages: Pages | null;
  drain: DrainState;
  facts: NodeFacts;
};
