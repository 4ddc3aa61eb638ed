/** The program: the command line, and the two long-running commands it hands over to. */
import { access, constants, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import type { Logger } from "pino";
import { findCityProblem } from "../sandbox/world/cities.ts";
import { runCli } from "#cli/main.ts";
import { DATA_DIR, type Env } from "#config/env.ts";
import type { Config } from "#config/load.ts";
import type { BaseStore } from "#ports/bases.ts";
import type {
  ExtractOptions,
  ExtractResult,
  CliImportOptions,
  GivenIo,
  SandboxOptions,
  ServeOptions,
  StoreOptions,
} from "#cli/io.ts";
import { openAdminStores } from "#storage/store-deployment.ts";
import { type AdminStorage, openAdminStorage, type DataPlace } from "#storage/open-storage.ts";
import { attempt, detach, guard, type NoteFault } from "#kit/guard.ts";
import { pathProblem } from "#kit/path-problem.ts";
import { readBuild } from "#observe/build.ts";
import { createClock } from "#process/clock.ts";
import { collectWhenQuiet, setHeapGrowth } from "#process/heap.ts";
import { Lifecycle } from "#process/lifecycle.ts";
import { findPortProblem, type Wanted } from "#process/free-ports.ts";
import { untilClosed } from "#process/until-closed.ts";
import type { Service } from "./main/service.ts";
import type { ServiceOptions } from "./main/parts/given.ts";
import { printMessage } from "#cli/print/print-message.ts";
import { bannerFor, sandboxBanner } from "#cli/print/banner.ts";
import { Hangup } from "#process/hangup.ts";
import { countWorkers, findWorkersProblem } from "#process/worker-count.ts";
import { findLogProblem, formatOf, openLog } from "#observe/log.ts";
import { Reload } from "#config/reload.ts";

// What reads the output may stop early, as `head` does. The exit code is still that of the work.
process.stdout.on("error", ignoreClosedPipe);
process.stderr.on("error", ignoreClosedPipe);

/** Entry of a thread that serves next to others. */
const SERVING_THREAD = new URL("./main/workers/serve.ts", import.meta.url);

const importGtfs = timetableImports();
process.exitCode = await runCli(process.argv.slice(2), {
  serve,
  sandbox,
  openOwn,
  importGtfs,
  importBase,
  openStore,
});

async function serve(options: ServeOptions): Promise<number> {
  const hangup = new Hangup();
  const mode = options.sandbox ? "sandbox" : "live";
  // Loaded here, and below: the commands that only ask need neither every source nor a server.
  const { loadConfig } = await import("#config/load.ts");
  const { config: file, env } = options;
  const load = () => loadConfig({ mode, env, ...(file === undefined ? {} : { file }) });
  const loaded = load();
  if (!loaded.ok) return refuse(loaded.message);
  const unwritable = findLogProblem(env);
  if (unwritable !== null) return refuse(unwritable);
  const workers = countWorkers(options.workers);
  const unshared = findWorkersProblem(workers, env);
  if (unshared !== null) return refuse(unshared);
  // Before the simulator and the sources, which take seconds.
  const taken = await findPortProblem(listAddresses(env, mode));
  if (taken !== null) return refuse(taken);
  let log = openLog(process.stdout, env);
  logWarnings(() => log.log);
  setHeapGrowth();
  const build = readBuild(env.commit);
  const begin = async (service_options: Pick<ServiceOptions, "config" | "env">) => {
    // Ahead of the service's modules, so that both load at once.
    const simulator = mode === "sandbox" ? await beginSimulator(service_options.env) : null;
    const { startService } = await import("./main/service.ts");
    return startService({
      ...{ ...service_options, ...build, log },
      workers: workers === 1 ? null : { count: workers, worker_url: SERVING_THREAD },
      ...(simulator && { simulator }),
    });
  };
  const started = await begin({ config: loaded.value, env });
  if ("problem" in started) return refuse(started.problem);
  const failed = Promise.withResolvers<number>();
  const lifecycle = new Lifecycle(started, {
    // Where callers, probes and scrapes look for it, with the plans of now.
    async start(before) {
      log = openLog(process.stdout, env);
      const again = await begin({ config: reload.current, env: withPorts(env, before) });
      if (!("problem" in again)) again.noteUnapplied(reload.unapplied);
      return again;
    },
    onProblem: (problem) => failed.resolve(refuse(problem)),
  });
  const onFault: NoteFault = (part, error) => lifecycle.service.onFault(part, error);
  const reload = new Reload({
    config: loaded.value,
    load,
    reopen() {
      log.reopen();
      lifecycle.service.threads?.reopenLog();
    },
    apply: (next) => lifecycle.service.apply(next),
    onUnapplied: (unapplied) => lifecycle.service.noteUnapplied(unapplied),
    log: () => log.log,
  });
  hangup.follow(() =>
    attempt(
      () => reload.run(),
      (error) => onFault("reload", error),
    ),
  );
  // Nothing waited for it, so that nothing is lost by it (docs/operations.md, VicinityInternalErrors).
  process.on("unhandledRejection", (error) => onFault("unhandled rejection", error));
  detach(started.tried().then(collectWhenQuiet), (error) => onFault("start", error));
  // A person at the keyboard is no load balancer, and without a file none is configured.
  const isAlone = loaded.value.file === null;
  const closed = untilClosed(
    async (signal) => {
      await lifecycle.end(signal === "SIGINT" || isAlone ? { delay_ms: 0 } : {});
    },
    (error) => onFault("uncaught exception", error),
    ["SIGHUP"],
  );
  sayStarted(started, { config: loaded.value, env, version: build.version });
  return await Promise.race([closed, failed.promise]);
}

function listAddresses(env: Env, mode: "sandbox" | "live"): Wanted[] {
  const { host, port, admin_host, admin_port, sandbox_port } = env;
  const simulator = { host: "127.0.0.1", port: sandbox_port, variable: "SANDBOX_PORT" };
  return [
    { host, port, variable: "PORT" },
    { host: admin_host, port: admin_port, variable: "ADMIN_PORT" },
    ...(mode === "sandbox" ? [simulator] : []),
  ];
}

/** For people as text. Among lines of JSON it would be none; there the line `listening` says the same. */
function sayStarted(
  started: Service,
  { config, env, version }: { config: Config; env: Env; version: string },
): void {
  const isAmongLines = env.log_file === null && formatOf(process.stdout, env) === "json";
  if (!started.sandbox && isAmongLines) return;
  const program = { command: findCommand(), version };
  process.stdout.write(bannerFor(process.stdout, started, config, program));
}

function withPorts(env: Env, { url, admin_url }: Pick<Service, "url" | "admin_url">): Env {
  return { ...env, port: Number(new URL(url).port), admin_port: Number(new URL(admin_url).port) };
}

/** Warnings of the runtime and of packages, which would come between lines of JSON. */
function logWarnings(log: () => Pick<Logger, "warn">): void {
  process.removeAllListeners("warning");
  process.on("warning", ({ name, message, code }: Error & { code?: string }) =>
    log().warn({ warning: name, code }, message),
  );
}

async function beginSimulator({ sandbox_seed: seed, sandbox_port: port, ...env }: Env) {
  const { sandbox_cities: cities } = env;
  if (findCityProblem(cities ?? []) !== null) return null;
  const { startSimulator } = await import("./main/simulator.ts");
  return startSimulator({ seed, port, ...(cities && { cities }) });
}

/**
 * A service for the one host of a command. What it keeps is in a folder that goes with it, unless the
 * environment names one.
 */
async function openOwn({ sandbox: simulated, env: given }: ServeOptions) {
  const { loadConfig } = await import("#config/load.ts");
  const isBrief = given.data_dir === DATA_DIR;
  const data_dir = isBrief ? await mkdtemp(join(tmpdir(), "vicinity-mcp-")) : given.data_dir;
  const forget = async (): Promise<void> => {
    if (isBrief) await rm(data_dir, { recursive: true, force: true });
  };
  const env = { ...given, data_dir, port: 0, admin_port: 0, log_level: given.log_level ?? "error" };
  const loaded = loadConfig({ mode: simulated ? "sandbox" : "live", env });
  const started = loaded.ok
    ? await startOwn(loaded.value, env, simulated)
    : { problem: loaded.message };
  if ("problem" in started) {
    await forget();
    return started;
  }
  process.on("unhandledRejection", (error) => started.onFault("unhandled rejection", error));
  return {
    url: started.url,
    async close() {
      await started.close({ delay_ms: 0 });
      await forget();
    },
  };
}

/** The output is the protocol's, so that the log goes to standard error. */
async function startOwn(config: Config, env: Env, simulated: boolean) {
  const log = openLog(process.stderr, env);
  logWarnings(() => log.log);
  const simulator = simulated ? await beginSimulator(env) : null;
  const { startService } = await import("./main/service.ts");
  const build = readBuild(env.commit);
  return startService({ config, env, ...build, log, ...(simulator && { simulator }) });
}

async function sandbox({ seed, port, env }: SandboxOptions): Promise<number> {
  const cities = env.sandbox_cities ?? [];
  const problem = findCityProblem(cities);
  if (problem !== null) return refuse(`SANDBOX_CITIES: ${problem}`);
  const { startSandbox } = await import("../sandbox/main.ts");
  const started = await startSandbox({
    seed: seed ?? env.sandbox_seed,
    port: port ?? env.sandbox_port,
    ...(env.sandbox_cities && { cities }),
  });
  process.stdout.write(sandboxBanner(started));
  return await untilClosed(() => started.close());
}

/** Imports timetables, of one command all by the same; loaded here, so that others need no importer. */
function timetableImports(): GivenIo["importGtfs"] {
  const deps = {
    capacity: capacityOf,
    openStore: (options: CliImportOptions) => openAdminStorage(toPlace(options)),
    sayUnstored,
    onFault: sayFault,
  };
  const load = async () => {
    const { TimetableImports } = await import("./main/timetable-imports.ts");
    return new TimetableImports(deps);
  };
  let loaded: ReturnType<typeof load> | undefined;
  return async (options) => {
    const unreadable = await findUnreadable(options.path);
    if (unreadable !== null) return { ok: false, problem: unreadable };
    return await (await (loaded ??= load())).run(options);
  };
}

/** Imports into the folder of bases of the mode, which a running service checks every few seconds. */
async function importBase(options: ExtractOptions): Promise<ExtractResult> {
  const unreadable = await findUnreadable(options.path);
  if (unreadable !== null) return { ok: false, problem: unreadable };
  const store = openAdminStorage(toPlace(options));
  if ("problem" in store) return { ok: false, problem: store.problem };
  const read = options.format === null ? importExtract : importAddresses;
  const result = await sayUnstored(options, () => read(options, store.bases));
  store.close();
  return typeof result === "string" ? { ok: false, problem: result } : result;
}

/** What the disk does not take is thrown; then, and where it is stopped, nothing of it is left. */
async function importExtract(
  { path, base_id: id, region, without, onProgress, signal, ...options }: ExtractOptions,
  bases: BaseStore,
): Promise<ExtractResult> {
  const { threadBaseImport } = await import("#osm/reader/import-paged.ts");
  const worker_url = new URL("./main/workers/base.ts", import.meta.url);
  const read = threadBaseImport({ worker_url, onFault: sayFault });
  const draft = await bases.begin(id);
  try {
    // Only now, since what ended imports have left has gone.
    const capacity = await capacityOf(options);
    const input = { id, region, now_ms: Date.now(), capacity, without, onProgress };
    const result = await read(path, { ...input, target: draft, ...(signal && { signal }) });
    if (result.ok) await draft.commit();
    return result;
  } finally {
    await draft.remove();
  }
}

/** Says why a file that is to be imported cannot be read; null: it can. */
async function findUnreadable(path: string): Promise<string | null> {
  return await guard(
    () => access(path, constants.R_OK).then(() => null),
    (error) => pathProblem(error, { name: "FILE", path }, "read"),
  );
}

/** Of the folder that the store is in, which is there when an import begins. */
async function capacityOf(options: Pick<StoreOptions, "sandbox" | "env">) {
  const { measureCapacity } = await import("#osm/reader/capacity.ts");
  const { data_dir, mode } = toPlace(options);
  return await measureCapacity(join(data_dir, mode));
}

/** A list is one pack, which is made in memory. */
async function importAddresses(options: ExtractOptions, bases: BaseStore): Promise<ExtractResult> {
  const { path, base_id: id, region, format, onProgress, signal } = options;
  const reader = await import("#osm/reader/address-files.ts");
  const { createGeocoderSection } = await import("#osm/geocoder/geocoder-section.ts");
  const { countryAt, loadCountries } = await import("#app/country.ts");
  const find = await loadCountries();
  const section = createGeocoderSection({ countryAt: (lat, lon) => countryAt(find, lat, lon) });
  const input = { id, region, format: format!, section, capacity: await capacityOf(options) };
  const result = await reader.importAddresses(path, {
    ...{ ...input, now_ms: Date.now(), onProgress },
    ...(signal && { signal }),
  });
  if (!result.ok) return result;
  await bases.put(id, result.pack);
  return { ok: true, report: result.report };
}

/** What the task resolves with; else why it could not be stored, in one line. What was there before is still there. */
async function sayUnstored<T>(
  { env }: Pick<StoreOptions, "env">,
  task: () => Promise<T>,
): Promise<T | string> {
  const { describe } = await import("#kit/run/run-problem.ts");
  const place = { name: "VICINITY_DATA_DIR", path: env.data_dir };
  return await guard(
    task,
    (error) => pathProblem(error, place, "write") ?? describe(error, "store"),
  );
}

/** Opens the stores also while a service runs, which notices what is written. */
function openStore(options: StoreOptions): Promise<AdminStorage | { problem: string }> {
  const opening = options.reads === true ? "read" : "command";
  const deployment = { ...toPlace(options), store_url: options.env.store_url };
  const { uses_folder = false } = options;
  return openAdminStores(deployment, { clock: createClock(), opening, uses_folder });
}

function toPlace({ sandbox: simulated, env }: Pick<StoreOptions, "sandbox" | "env">): DataPlace {
  return { data_dir: env.data_dir, mode: simulated ? "sandbox" : "live" };
}

/** Of a command: the stack of a defect, in addition to the one line that it ends with. */
function sayFault(part: string, error: unknown): void {
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
  process.stderr.write(`vicinity: ${part}: ${stack}\n`);
}

function ignoreClosedPipe(error: NodeJS.ErrnoException): void {
  if (error.code !== "EPIPE" && error.code !== "ERR_STREAM_DESTROYED") throw error;
}

function refuse(message: string): number {
  printMessage(process.stderr, message);
  return 1;
}

/** The launcher, as it can be typed in the present folder. */
function findCommand(): string {
  const launcher = fileURLToPath(new URL("../bin/vicinity", import.meta.url));
  const short = relative(process.cwd(), launcher);
  return short.startsWith("..") ? launcher : short;
}
