/** The program itself as a process of its own, on its simulator, with a folder that goes away. */
import { spawn, type ChildProcess } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export type RunningService = {
  port: number;
  /** The simulator, which knows the truth. */
  sandbox_url: string;
  /** What it wrote: log lines of errors. */
  output(): string;
  /** How it ended, when it was not told to. */
  ended(): string | null;
  close(): Promise<void>;
};

const MAIN = fileURLToPath(new URL("../../src/main.ts", import.meta.url));
const START_MS = 30_000;
const KEPT_CHARS = 20_000;

export async function startFuzzedService(): Promise<RunningService> {
  const folder = mkdtempSync(join(tmpdir(), "vicinity-fuzz-"));
  const ready = join(folder, "ready.json");
  const config = join(folder, "vicinity.json");
  // What is judged is the API; the pages for people have tests of their own.
  writeFileSync(config, JSON.stringify({ explorer: { enabled: false } }));
  const child = spawn(process.execPath, [MAIN, "serve", "--sandbox", "--config", config], {
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      ...{ PATH: process.env["PATH"], HOST: "127.0.0.1", PORT: "0", SANDBOX_SEED: "1" },
      ...{ LOG_LEVEL: "error", VICINITY_DATA_DIR: folder, VICINITY_READY_FILE: ready },
    },
  });
  const watch = follow(child);
  const { url, sandbox_url } = await waitForReady(ready, watch);
  const close = async (): Promise<void> => {
    const gone = new Promise((resolve) => child.once("exit", resolve));
    // At the keyboard's signal nothing is drained.
    if (child.exitCode === null && child.signalCode === null && child.kill("SIGINT")) await gone;
    rmSync(folder, { recursive: true, force: true });
  };
  return { port: Number(new URL(url).port), sandbox_url, ...watch, close };
}

type Watch = { output(): string; ended(): string | null };

function follow(child: ChildProcess): Watch {
  let output = "";
  let ended: string | null = null;
  const add = (chunk: Buffer): void => {
    output = (output + chunk.toString()).slice(-KEPT_CHARS);
  };
  child.stdout?.on("data", add);
  child.stderr?.on("data", add);
  child.on("exit", (code, signal) => (ended = signal ?? `exit code ${code}`));
  return { output: () => output, ended: () => ended };
}

type Ready = { url: string; sandbox_url: string };

async function waitForReady(file: string, watch: Watch): Promise<Ready> {
  for (const until = Date.now() + START_MS; Date.now() < until;) {
    if (existsSync(file)) return JSON.parse(readFileSync(file, "utf8")) as Ready;
    if (watch.ended() !== null) break;
    await new Promise((resolve) => void setTimeout(resolve, 20));
  }
  throw new Error(`the service did not start (${watch.ended() ?? "too slow"}):\n${watch.output()}`);
}
