/** The composition root: configuration in, a running service out. The parts are listed in parts/. */
import type { Logger } from "pino";
import type { Sandbox } from "../../sandbox/main.ts";
import type { Config } from "#config/load.ts";
import type { Unapplied } from "#config/reload.ts";
import { ServingThread } from "#http/serving.ts";
import { guard, type NoteFault } from "#kit/guard.ts";
import { Faults } from "#observe/faults.ts";
import { openLog } from "#observe/log.ts";
import { type AdjustableClock, createClock } from "#process/clock.ts";
import { type Part, Starter, type StartProblem } from "#process/parts.ts";
import { createSteadyTime } from "#process/steady-time.ts";
import { toLine } from "#storage/error-line.ts";
import type { SandboxKey } from "#storage/sandbox-keys.ts";
import type { FeedRuntime } from "#upstream/feeds/feed-types.ts";
import type { World } from "#world/world.ts";
import type { Threads } from "./listeners.ts";
import type { Inputs, ServiceOptions } from "./parts/given.ts";
import type { Parts } from "./parts/parts.ts";
import { listLiveParts, listSandboxParts } from "./parts/sandbox.ts";
import { listServingParts } from "./parts/serving.ts";
import { listMainParts } from "./threads/main-parts.ts";
import { listSourceParts } from "./parts/sources.ts";
import { listStoreParts } from "./parts/stores.ts";

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
  /** The threads that serve; null: this one does. */
  threads: Threads | null;
  /** Takes note of what the configuration file has and is not served by. */
  noteUnapplied(unapplied: Unapplied): void;
  /** Sets readiness off, keeps serving for `delay_ms`, then closes everything. */
  close(options?: { delay_ms?: number }): Promise<void>;
};

/** The parts of a service; their order decides only between those that could both go first. */
export function listParts(input: Inputs): Part[] {
  return [
    ...listStoreParts(input),
    ...(input.options.config.mode === "live" ? listLiveParts() : listSandboxParts(input)),
    ...listSourceParts(input),
    ...listServingParts(input),
  ];
}

export async function startService(options: ServiceOptions): Promise<Service | StartProblem> {
  const { log, close: closeLog } = options.log ?? openLog(process.stdout, options.env);
  const faults = new Faults();
  faults.follow(log);
  const { note: onFault } = faults;
  const starter = new Starter<Parts>({ log, onFault });
  const started = await guard(
    async (): Promise<Service | StartProblem> => {
      const { workers = null } = options;
      const input = toDigestInput(options, { log, faults });
      if (workers) moveTogether(input.clock, () => starter.find("listeners")?.threads);
      const table = listParts(input);
      const parts = await starter.start(workers ? listMainParts(table, input, workers) : table);
      return "problem" in parts ? parts : toService(input, { parts, starter, closeLog });
    },
    (error): StartProblem => {
      onFault("start", error);
      return { problem: `the service could not be started: ${toLine(error)}` };
    },
  );
  if (!("problem" in started)) return started;
  // A part that is left open would keep the process alive.
  await starter.end();
  closeLog();
  return started;
}

function toDigestInput(
  options: ServiceOptions,
  { log, faults }: { log: Logger; faults: Faults },
): Inputs {
  const { note: onFault } = faults;
  const { time = createSteadyTime(), random = Math.random, thread_now } = options;
  const clock = createClock(time, (error) => onFault("timer", error));
  const serving = new ServingThread(thread_now);
  return {
    ...{ options, time, clock, random, log, onFault, serving },
    faults: () => faults.count,
    reads: true,
    together: null,
  };
}

/** Moves the time of threads with that of the service, which has the tasks that notify them what comes of it. */
function moveTogether(clock: AdjustableClock, findThreads: () => Threads | null | undefined): void {
  const { advance } = clock;
  clock.advance = async (ms) => {
    const threads = findThreads();
    await Promise.all([threads?.advance(ms), advance(ms)]);
    threads?.flush();
  };
}

function toService(
  input: Inputs,
  {
    parts,
    starter,
    closeLog,
  }: { parts: Parts; starter: Pick<Starter<Parts>, "tried" | "end">; closeLog(): void },
): Service {
  const { options, clock, log, onFault } = input;
  const { listeners, sandbox, keys, feeds, access, facts, clock_watch } = parts;
  return {
    url: listeners.url,
    admin_url: listeners.admin_url,
    threads: listeners.threads,
    ...feeds,
    ...{ sandbox, clock, log, onFault },
    keys: keys.keys,
    tried: () => starter.tried(),
    outdated: clock_watch.outdated,
    apply({ plans, digest }) {
      if (plans !== access.plans.all) {
        access.replacePlans(plans);
        listeners.threads?.replacePlans(plans);
      }
      facts.digest = digest;
    },
    noteUnapplied(unapplied) {
      facts.unapplied = unapplied;
    },
    async close({ delay_ms = options.config.server.drain_delay_ms } = {}) {
      await listeners.drain(delay_ms);
      await starter.end();
      log.info("closed");
      closeLog();
    },
  };
}
