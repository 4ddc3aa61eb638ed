/** The program as a trial runs it: a process of its own on its simulator, with a folder that goes away. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  launch,
  type Ready,
  type Running,
  startProcess,
  waitReady,
} from "../test/integration/service/processes.ts";
import { atExit } from "../test/support/at-exit.ts";

type SandboxKey = { plan: string; key: string };
export type Program = {
  ready: Ready;
  /** One a plan. */
  keys: readonly SandboxKey[];
  pid(): number;
  output(): string;
  /** How it ended, if it did so by itself. */
  ended(): string | null;
  restart(signal: "SIGKILL" | "SIGINT"): Promise<Ready>;
  close(): Promise<void>;
};

type Wish = {
  /** Of the configuration, in addition. */
  settings?: object;
  /** Called with the data folder before the program starts. */
  prepare?: (data_dir: string) => Promise<void>;
};

/** The program as a process of its own, on its simulator, with a folder that goes away. */
export async function startProgram({ settings, prepare }: Wish = {}): Promise<Program> {
  const data_dir = await mkdtemp(join(tmpdir(), "vicinity-requests-"));
  const config = join(data_dir, "vicinity.json");
  // The API is judged; the pages for people have tests of their own.
  await writeFile(config, JSON.stringify({ explorer: { enabled: false }, ...settings }));
  await prepare?.(data_dir);
  const start = (): Promise<{ running: Running; ready: Ready }> =>
    startProcess({
      cities: "all",
      data_dir,
      args: ["serve", "--sandbox", "--config", config],
      variables: { SANDBOX_SEED: "1", LOG_LEVEL: "error", ADMIN_PORT: "0" },
    });
  let { running, ready } = await start();
  let ended: string | null = null;
  const watch = (): void => {
    const { child } = running;
    child.once("exit", (code, signal) => {
      if (child === running.child && !isEnding) ended = signal ?? `exit code ${code}`;
    });
  };
  let isEnding = false;
  watch();
  const stay = atExit(() => running.child.kill("SIGKILL"));
  const end = async (signal: "SIGKILL" | "SIGINT"): Promise<void> => {
    isEnding = true;
    running.child.kill(signal);
    await running.ended;
  };
  return {
    ready,
    keys: await readKeys(running),
    ended: () => ended,
    pid: () => running.child.pid!,
    output: () => running.output().err.slice(-20_000),
    restart: async (signal) => {
      await end(signal);
      ({ running, ready } = await start());
      isEnding = false;
      watch();
      return ready;
    },
    close: async () => {
      // Nothing is drained at the keyboard's signal.
      await end("SIGINT");
      stay();
      await rm(data_dir, { recursive: true, force: true });
    },
  };
}

/** The findings of a task over a program of its own; that the program ended by itself is one more. */
export async function judgeProgram(task: (program: Program) => Promise<number>): Promise<number> {
  const program = await startProgram();
  try {
    const findings = await task(program);
    const ended = program.ended();
    if (ended !== null) console.log(`  the program ended by itself: ${ended}`);
    return findings + (ended === null ? 0 : 1);
  } finally {
    await program.close();
  }
}

/** A real process of the checkout `root`, with its limits in force and on free ports. */
export async function withLimits<T>(
  { root, cities }: { root: string; cities: string },
  task: (ready: Ready) => Promise<T>,
): Promise<T> {
  const data_dir = await mkdtemp(join(tmpdir(), "vicinity-trial-"));
  const running = launch({
    cities,
    data_dir,
    command: join(root, "bin/vicinity"),
    args: ["serve", "--sandbox"],
    variables: { VICINITY_ENFORCE_LIMITS: "1", ADMIN_PORT: "0", LOG_LEVEL: "error" },
  });
  try {
    return await task(await waitReady(running, data_dir));
  } finally {
    running.child.kill("SIGKILL");
    await running.ended;
    await rm(data_dir, { recursive: true, force: true });
  }
}

/** The sandbox prints a key for each plan once it answers. */
async function readKeys(running: Running): Promise<SandboxKey[]> {
  for (let tries = 0; tries < 100; tries++) {
    const keys = [...running.output().out.matchAll(/^ +(\w+) +(svc_test_\w+)$/gm)];
    if (keys.length > 0) return keys.map(([, plan, key]) => ({ plan: plan!, key: key! }));
    await new Promise((resolve) => void setTimeout(resolve, 100));
  }
  throw new Error(`the program printed no keys:\n${running.output().out}`);
}
