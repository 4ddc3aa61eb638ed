/** The composition root: configuration in, a running service out. Nothing else wires parts together. */
import { writeFile, rename } from "node:fs/promises";
import type { Logger } from "pino";
import type { Sandbox } from "../../sandbox/main.ts";
import { forgetExpired } from "#app/datasets/retention.ts";
import { guard, type NoteFault } from "#kit/guard.ts";
import { pathProblem } from "#kit/path-problem.ts";
import { createClock, type AdjustableClock } from "./clock.ts";
import { createSteadyTime, type SteadyTime } from "./steady-time.ts";
import type { Env } from "#config/env.ts";
import type { Config } from "#config/load.ts";
import { drain, type DrainState } from "#http/drain.ts";
import { ServingThread } from "#http/serving.ts";
import { Shedder } from "#http/shedding.ts";
import { countDecisions, countUsage } from "#observe/access-meter.ts";
import { countLimits } from "#observe/fleet-ports.ts";
import type { TileFile } from "#ports/base-maps.ts";
import type { Claims } from "#ports/claims.ts";
import type { Storage } from "#storage/open.ts";
import type { Shared } from "#storage/valkey/open.ts";
import { openTileFile } from "#upstream/pmtiles/file.ts";
import type { FeedRuntime } from "#upstream/feeds/types.ts";
import { type World } from "#world/world.ts";
import { openAccess } from "./access/open.ts";
import { provideSandboxKeys, type SandboxKey } from "./access/sandbox-keys.ts";
import {
  bootstrap,
  type Bootstrap,
  type CoreInput,
  type ServiceOptions,
  type StartProblem,
  type ShutdownStep,
} from "./bootstrap.ts";
import { Faults } from "./faults.ts";
import { openLog } from "./log.ts";
import { toLine } from "#storage/error-line.ts";
import { listen, type Listeners, openPages } from "./listen.ts";
import { type Core, sleep, startCore } from "./engine.ts";
import { ClockWatch } from "./clock-watch.ts";
import { readDescriptorLimit } from "./descriptors.ts";
import { announce, createFacts } from "./node.ts";
import type { Unapplied } from "./reload.ts";
import { StoreWatch } from "./store-watch.ts";

export type Service = {
  url: string;
  admin_url: string;
  sandbox: Sandbox | null;
  /** Keys of the sandbox, one for each plan; live: none. */
  keys: readonly SandboxKey[];
  world: World;
  feeds: FeedRuntime;
  /** Resolves when all that is read in the background has been tried once. */
  tried(): Promise<void>;
  clock: AdjustableClock;
  log: Logger;
  /** Receives what nothing else has caught: it is logged and counted. */
  onFault: NoteFault;
  /** Resolves when it is to be closed and started again, since its time is wrong by too much. */
  outdated: Promise<void>;
  /** Serves by these plans from now on, and calls its configuration by this digest. */
  apply(next: Pick<Config, "plans" | "digest">): void;
  /** Takes note of what the configuration file has and is not served by. */
  noteUnapplied(unapplied: Unapplied): void;
  /** Sets readiness off, keeps serving for `delay_ms`, then closes everything. */
  close(options?: { delay_ms?: number }): Promise<void>;
};

/** Time that usage left by an earlier process may delay the start. */
const USAGE_WAIT_MS = 5_000;

export async function startService(options: ServiceOptions): Promise<Service | StartProblem> {
  const { log, close: closeLog } = options.log ?? openLog(process.stdout, options.env);
  const faults = new Faults();
  faults.follow(log);
  const { note: onFault } = faults;
  /** Steps that end what has been started, the latest first. */
  const ends: ShutdownStep[] = [["log", closeLog]];
  const open = (): Promise<Service | StartProblem> => {
    const time = options.time ?? createSteadyTime();
    const clock = createClock(time, (error) => onFault("timer", error));
    return openParts({ options, time, clock, log, onFault, faults: () => faults.count, ends });
  };
  const started = await guard(open, (error): StartProblem => {
    onFault("start", error);
    return { problem: `the service could not be started: ${toLine(error)}` };
  });
  // A part that is left open would keep the process alive.
  if ("problem" in started) await endInTurn({ log, onFault }, ends);
  return started;
}

type Begun = Pick<CoreInput, "options" | "clock" | "log" | "onFault" | "faults"> & {
  /** What the clock follows, until the sandbox moves it. */
  time: SteadyTime;
  /** Takes the steps that end what is started. */
  ends: ShutdownStep[];
};

type Opened = { base: Bootstrap; /** null: none is configured. */ tile_file: TileFile | null };

async function openParts(begun: Begun): Promise<Service | StartProblem> {
  const { options, log, ends } = begun;
  const base = await bootstrap(options, begun, (end) => ends.unshift(end));
  if ("problem" in base) return base;
  const tile_file = await openTiles(options, log);
  if (tile_file && "problem" in tile_file) return tile_file;
  ends.unshift(["tiles", () => tile_file?.close()]);
  return await startParts(begun, { base, tile_file });
}

/** The map where no base covers; a problem is one line. */
async function openTiles(
  { config: { explorer } }: ServiceOptions,
  log: Logger,
): Promise<TileFile | StartProblem | null> {
  if (!explorer.enabled || explorer.pmtiles === null) return null;
  return await openTileFile(explorer.pmtiles, (err) => log.error({ err }, "explorer.pmtiles"));
}

async function startParts(
  begun: Begun,
  { base, tile_file }: Opened,
): Promise<Service | StartProblem> {
  const { options, time, clock, log, onFault, faults, ends } = begun;
  const { config, env } = options;
  const { storage, shared, tracing, changelog } = base;
  const sandbox = config.mode === "sandbox" ? await openSandbox(options, { time, clock }) : null;
  ends.unshift(["simulator", () => sandbox?.close()]);
  const serving = new ServingThread(options.thread_now);
  const given = { options, storage, shared, clock, sandbox, log, tracing, serving };
  const core = await startCore({ ...given, onFault, faults }, (end) => ends.unshift(end));
  const keys = sandbox ? await openSandboxKeys(begun, storage.accounts) : [];
  // What a killed process left may be counted already, which only the ledger can decide.
  const counted = guard(
    () => storage.usage.start(),
    (error) => onFault("usage", error),
  );
  await Promise.race([counted, sleep(USAGE_WAIT_MS)]);
  const shedder = openShedder(core);
  const access = openAccess({
    config,
    env,
    clock,
    log,
    onFault,
    shedder,
    ...countAccess(core, { storage, shared }, clock),
  });
  access.plans.watch(core.metrics);
  storage.datasets.start();
  const { store_watch, clock_watch } = openWatches(begun, { core, storage });
  ends.unshift(["callers", () => access.close()], ["shedding", () => shedder.close()]);
  const http = await listen({
    ...core,
    access,
    store_watch,
    claims: findClaims(storage, shared),
    serving,
    storage,
    options,
    clock,
    log,
    onFault,
    faults,
    tracing,
    changelog,
    pages: openPages({ ...options, onFault }, sandbox, findPublicKey(keys)),
    tile_file,
  });
  if ("problem" in http) return http;
  ends.unshift(["listeners", () => Promise.all([http.server.close(), http.admin.close()])]);
  const unwritten = await writeReadyFile(env, http, sandbox);
  if (unwritten !== null) return unwritten;
  const facts = createFacts({ ...given, onFault }, core);
  ends.unshift(["facts", announce({ ...given, onFault }, { facts, core, http })]);
  const { url, admin_url } = http;
  const file = config.file ?? "defaults";
  log.info({ url, admin_url, mode: config.mode, file, ...facts.describe() }, "listening");
  return {
    ...http,
    ...core,
    keys,
    sandbox,
    clock,
    log,
    onFault,
    outdated: clock_watch.outdated,
    apply({ plans, digest }) {
      if (plans !== access.plans.all) access.replacePlans(plans);
      facts.digest = digest;
    },
    noteUnapplied(unapplied) {
      facts.unapplied = unapplied;
    },
    close: async ({ delay_ms = config.server.drain_delay_ms } = {}) => {
      const timeout_ms = config.server.drain_timeout_ms;
      await closeListeners(http, core.drain, { ...begun, delay_ms, timeout_ms });
      const isLast = (step: ShutdownStep): boolean => step[0] === "log";
      await endInTurn(
        begun,
        ends.filter((step) => !isLast(step) && step[0] !== "listeners"),
      );
      log.info("closed");
      await endInTurn(begun, ends.filter(isLast));
    },
  };
}

async function closeListeners(
  { server: app, sockets, admin, watch }: Listeners,
  state: DrainState,
  begun: Pick<Begun, "log" | "onFault"> & { delay_ms: number; timeout_ms: number },
): Promise<void> {
  const { log, delay_ms, timeout_ms } = begun;
  log.info({ delay_ms, connections: sockets.open.size }, "draining");
  const onWait = (connections: number): void =>
    log.info({ waiting_for: "requests", connections, timeout_ms }, "closing");
  // Their callers listen again, by now elsewhere.
  watch.close();
  await drain(state, { app, sockets }, { delay_ms, timeout_ms, sleep, onWait });
  await endInTurn(begun, [["admin listener", () => admin.close()]]);
}

/** What looks after the store and the clock while the service runs. */
function openWatches(
  { options, time, clock, log, ends }: Begun,
  { core, storage }: { core: Core; storage: Storage },
) {
  const { metrics } = core;
  const { random = Math.random } = options;
  const store_watch = new StoreWatch({ files: storage.files, clock, log, metrics });
  const clock_watch = new ClockWatch({ time, clock, metrics, log, random });
  const reasonOf = (): string | null =>
    storage.health.find(({ failing }) => failing !== null)?.failing?.reason ?? null;
  const stopForgetting = forgetExpired(storage.datasets, clock, () =>
    log.error({ reason: reasonOf() }, "expired datasets cannot be forgotten"),
  );
  metrics.watch("svc_data_free_bytes", () => [{ labels: {}, value: storage.space().free }]);
  metrics.watch("svc_data_floor_bytes", () => [{ labels: {}, value: storage.space().floor }]);
  const limit = readDescriptorLimit();
  if (limit !== null) metrics.watch("process_max_fds", () => [{ labels: {}, value: limit }]);
  ends.unshift(
    ["names of files", () => store_watch.close()],
    ["clock", () => clock_watch.close()],
    ["expiry of datasets", stopForgetting],
  );
  return { store_watch, clock_watch };
}

/** Of the sandbox; a store that is away gets them when it comes. */
async function openSandboxKeys(
  { options, clock, onFault, ends }: Begun,
  accounts: Storage["accounts"],
): Promise<SandboxKey[]> {
  const provided = await provideSandboxKeys(accounts, { ...toGiven(options, clock), onFault });
  ends.unshift(["keys", provided.close]);
  return provided.keys;
}

function toGiven({ config, env }: ServiceOptions, clock: AdjustableClock) {
  return { plans: Object.keys(config.plans), seed: env.sandbox_seed, now_ms: clock.now() };
}

/** An answer is found again only where replicas share their datasets. */
function findClaims({ fleet }: Storage, shared: Shared | null): Claims | null {
  return fleet && (shared?.claims ?? fleet.claims);
}

function openShedder({ metrics }: Core): Shedder {
  const shedder = new Shedder({ inflight: metrics.inflight });
  metrics.watchShed(() => shedder.state().shed);
  return shedder;
}

function countAccess(
  { metrics, fleet }: Core,
  { storage, shared }: Pick<CoreInput, "storage" | "shared">,
  { wall }: Pick<AdjustableClock, "wall">,
) {
  const usage = countUsage(storage.usage, metrics, wall);
  const limiter = shared ? countLimits(shared.limiter, shared.isAway, fleet) : undefined;
  return { decisions: countDecisions(metrics), storage: { ...storage, usage }, limiter };
}

/** The simulator's clock carries the service's along, and what falls due happens before it answers. */
async function openSandbox(
  { env, simulator }: ServiceOptions,
  { time, clock }: { time: SteadyTime; clock: AdjustableClock },
): Promise<Sandbox> {
  // Stores keep whole milliseconds, and refuse anything else.
  const follow = (advance_s: number): Promise<void> => clock.advance(Math.round(advance_s * 1000));
  if (simulator) return await simulator.open(clock.now, follow);
  const { startSandbox } = await import("../../sandbox/main.ts");
  return await startSandbox({
    now: time.now,
    seed: env.sandbox_seed,
    port: env.sandbox_port,
    ...(env.sandbox_cities && { cities: env.sandbox_cities }),
    onAdvance: follow,
  });
}

/** Writes the file in one step, so that a waiting process reads it whole or not at all. */
async function writeReadyFile(
  { ready_file }: Env,
  http: Listeners,
  sandbox: Sandbox | null,
): Promise<StartProblem | null> {
  if (ready_file === null) return null;
  const ready = {
    url: http.url,
    sandbox_url: sandbox?.url ?? null,
    admin_url: http.admin_url,
    pid: process.pid,
  };
  const draft = `${ready_file}.${process.pid}`;
  const write = async (): Promise<null> => {
    await writeFile(draft, `${JSON.stringify(ready)}\n`);
    await rename(draft, ready_file);
    return null;
  };
  return await guard(write, (error): StartProblem => {
    const problem = pathProblem(error, { name: "VICINITY_READY_FILE", path: ready_file }, "write");
    if (problem === null) throw error;
    return { problem };
  });
}

/** A part that takes longer to end is named in the log. */
const SLOW_MS = 250;

/** Ends the parts in turn, also after one that throws, and logs what a slow end waits for. */
async function endInTurn(
  { log, onFault }: Pick<Begun, "log" | "onFault">,
  steps: readonly ShutdownStep[],
): Promise<void> {
  for (const [part, end] of steps) {
    const begun_ms = performance.now();
    const timer = setTimeout(() => log.info({ waiting_for: part }, "closing"), SLOW_MS);
    await guard(end, (error) => onFault(`end of ${part}`, error));
    clearTimeout(timer);
    const elapsed_ms = Math.round(performance.now() - begun_ms);
    if (elapsed_ms >= SLOW_MS) log.info({ part, elapsed_ms }, "closed a part");
  }
}

/** Of the sandbox, where every visitor may use it; null: live. */
function findPublicKey(keys: readonly SandboxKey[]): string | null {
  return (keys.find(({ plan }) => plan === "developer") ?? keys[0])?.key ?? null;
}
