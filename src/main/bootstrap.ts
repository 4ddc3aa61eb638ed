/**
 * Opens all that is needed before serving: the changelog, the log, traces, and the stores, those of
 * this process and those it shares with the other replicas of a fleet.
 */
import type { Tracing } from "#core/trace.ts";
import { existsSync } from "node:fs";
import type { Logger } from "pino";
import { findCityProblem } from "../../sandbox/world/cities.ts";
import type { Sandbox } from "../../sandbox/main.ts";
import type { AdjustableClock } from "./clock.ts";
import type { HttpLimits } from "#upstream/http.ts";
import type { Simulator } from "./simulator.ts";
import type { SteadyTime } from "./steady-time.ts";
import type { Env } from "#config/env.ts";
import type { Config } from "#config/load.ts";
import type { NoteFault } from "#kit/guard.ts";
import type { ChangelogDocument } from "#api/changelog.ts";
import type { Random } from "#ports.ts";
import { createTelemetry, loadTelemetry } from "#observe/open-telemetry.ts";
import { createTracing } from "#observe/tracing.ts";
import type { ServingThread } from "#http/serving.ts";
import { openStores } from "#storage/deployment.ts";
import type { HealthEvent } from "#storage/health.ts";
import { createMemoryLimiter } from "#storage/embedded/limiter.ts";
import type { Storage } from "#storage/open.ts";
import { openShared, type Shared } from "#storage/valkey/open.ts";
import { isUrl } from "./catalogue.ts";
import { readChangelog } from "./changelog.ts";
import { type Log, throttled } from "./log.ts";

export type Bootstrap = {
  changelog: ChangelogDocument | null;
  storage: Storage;
  /** null: this replica is alone. */
  shared: Shared | null;
  /** null: no traces are configured. */
  tracing: Tracing | null;
};

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
};

/** Reason why the service could not be started, in one line. */
export type StartProblem = { problem: string };

/** A part of the service, and how it is ended. */
export type ShutdownStep = readonly [part: string, end: () => unknown];

/** Input with which the parts of the service are opened. */
export type CoreInput = Pick<Bootstrap, "storage" | "shared" | "tracing"> & {
  log: Logger;
  /** Receives what our own code throws where nothing waits for it, or where an outcome hides it. */
  onFault: NoteFault;
  /** How many were received. */
  faults: () => number;
  options: ServiceOptions;
  clock: AdjustableClock;
  sandbox: Sandbox | null;
  serving: ServingThread;
};

/** `onOpened`: takes the end of each part that is open, to be called after those that use it. */
export async function bootstrap(
  options: ServiceOptions,
  { clock, log, onFault }: Pick<CoreInput, "clock" | "log" | "onFault">,
  onOpened: (end: ShutdownStep) => void,
): Promise<Bootstrap | StartProblem> {
  const { config, env } = options;
  const missing = findMissing(options);
  if (missing) return missing;
  const changelog = readChangelog(config.changelog);
  if ("problem" in changelog) return changelog;
  const traces = await prepareTraces(options);
  if ("problem" in traces) return traces;
  const storage = await openStores(
    { data_dir: env.data_dir, mode: config.mode, store_url: env.store_url },
    // Stores break and come back while the service runs.
    {
      clock,
      onFault: throttled((err, unsaid) => log.error({ err, unsaid }, "store")),
      onHealth: (event) => sayHealth(log, event),
      onDefect: onFault,
      onNote: (line) => log.warn({ store: "data folder" }, line),
      onMigrated: (migration) => log.info(migration, "store migrated"),
      onMade: () => log.info({ store: "postgresql" }, "the tables of the store were made"),
      onWaiting: (event) => log.warn(event, WAITS),
      onJoined: (event) => log.info(event, "the store that was waited for is there"),
    },
  );
  if ("problem" in storage) return storage;
  onOpened(["stores", () => closeStores(storage)]);
  const shared = await openFleet(options, log, onFault);
  if (shared !== null && "problem" in shared) return shared;
  if (shared) onOpened(["shared store", () => shared.close()]);
  const tracing = traces.open(log);
  if (tracing) onOpened(["traces", () => tracing.close()]);
  return {
    changelog: changelog.document,
    storage,
    shared,
    tracing,
  };
}

const WAITS =
  "the store is away at the start: callers without a key are served, and it is joined when it comes";

/** Stores with threads first: what they have accepted must be kept. */
async function closeStores(storage: Storage): Promise<void> {
  const { usage, datasets, transit } = storage;
  await Promise.all([usage.close(), datasets.close(), transit.close()]);
  await storage.close();
}

/** Addresses and keys whose rates are remembered; about 200 bytes each. */
const BUCKETS_MAX = 200_000;

/** null: no other replica is named. Lost connections are made again; each is logged once. */
async function openFleet(
  { env, config, version }: ServiceOptions,
  log: Logger,
  onFault: NoteFault,
): Promise<Shared | null | StartProblem> {
  if (env.shared_url === null) return null;
  return await openShared({
    url: env.shared_url,
    mode: config.mode,
    release: version,
    insurance: createMemoryLimiter({ max_buckets: BUCKETS_MAX }),
    onRefused: (event) => log.warn(event, "shared store refuses"),
    onHealth: (event) => sayHealth(log, event),
    onFault,
  });
}

/** One line when writes to a store begin to fail, and one when they succeed again. */
function sayHealth(log: Logger, event: HealthEvent): void {
  const { state, ...members } = event;
  if (state === "back") log.info(members, "store back");
  else log.error(members, "store away");
}

function findMissing({ config, env }: ServiceOptions): StartProblem | null {
  const city = config.mode === "sandbox" ? findCityProblem(env.sandbox_cities ?? []) : null;
  if (city !== null) return { problem: `SANDBOX_CITIES: ${city}` };
  const { catalogue } = config.sources.gbfs;
  if (catalogue === null || isUrl(catalogue) || existsSync(catalogue)) return null;
  return { problem: `config: sources.gbfs.catalogue: no such file ${catalogue}` };
}

/** Loaded only where they are configured. */
async function prepareTraces({
  env: { traces },
  version,
}: ServiceOptions): Promise<{ open(log: Logger): Tracing | null } | StartProblem> {
  if (traces === null) return { open: () => null };
  const loaded = await loadTelemetry();
  if ("problem" in loaded) return loaded;
  return {
    open(log) {
      const onProblem = (message: string): void => log.warn({ message }, "traces");
      return createTracing(createTelemetry(loaded, { ...traces, version, onProblem }));
    },
  };
}
