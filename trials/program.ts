/** The program as a trial runs it: a process of its own on its simulator, with a folder that goes away. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Ready, type Running, startProcess } from "../test/integration/service/processes.ts";
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

/** The sandbox prints a key for each plan once it answers. */
async function readKeys(running: Running): Promise<SandboxKey[]> {
  for (let tries = 0; tries < 100; tries++) {
    const keys = [...running.output().out.matchAll(/^ +(\w+) +(svc_test_\w+)$/gm)];
    if (keys.length > 0) return keys.map(([, plan, key]) => ({ plan: plan!, key: key! }));
    await new Promise((resolve) => void setTimeout(resolve, 100));
  }
  throw new Error(`the program printed no keys:\n${running.output().out}`);
}
