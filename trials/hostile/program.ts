/** The program under trial: the one of a checkout, started as a person starts it, in live mode. */
import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { atExit } from "../../test/support/at-exit.ts";
import type { Delay } from "./probe.ts";

const PROBE = fileURLToPath(new URL("./probe.ts", import.meta.url));
const OWN_ROOT = fileURLToPath(new URL("../..", import.meta.url));
const READY_MS = 60_000;

export type Program = {
  url: string;
  admin_url: string;
  /** null while it runs. */
  ended(): string | null;
  /** Most resident memory seen since the last call, MB. */
  peakMemory_mb(): number;
  /** Since the last call; null: the process did not answer in time. */
  readDelay(): Promise<Delay | null>;
  stop(): Promise<void>;
};

type Addresses = Pick<Program, "url" | "admin_url">;

/** `root`: of the checkout; `folder`: for its data, settings and measurements. */
export async function startProgram(
  root: string,
  folder: string,
  settings: object,
): Promise<Program> {
  await mkdir(folder, { recursive: true });
  const config = join(folder, "vicinity.json");
  const ready = join(folder, "ready.json");
  await writeFile(config, JSON.stringify(settings));
  const child = spawn(join(root, "bin/vicinity"), ["serve", "--config", config], {
    cwd: root,
    env: {
      PATH: process.env["PATH"] ?? "",
      HOME: process.env["HOME"] ?? "",
      PORT: "0",
      LOG_LEVEL: "silent",
      VICINITY_DATA_DIR: join(folder, "data"),
      VICINITY_CONTACT: "trials@example.org",
      VICINITY_ENFORCE_LIMITS: "0",
      VICINITY_READY_FILE: ready,
      // Another checkout is left as it is; this one starts as it always does.
      ...(root === OWN_ROOT ? {} : { NODE_COMPILE_CACHE: join(folder, "cache") }),
      NODE_OPTIONS: `--import ${PROBE}`,
      HOSTILE_PROBE: join(folder, "delay.json"),
    },
    stdio: ["ignore", "ignore", "pipe"],
  });
  const stay = atExit(() => child.kill("SIGKILL"));
  let errors = "";
  child.stderr
    .setEncoding("utf8")
    .on("data", (text: string) => (errors = (errors + text).slice(-2_000)));
  let over: string | null = null;
  const ended = new Promise<void>((resolve) => {
    child.once("close", (code, signal) => {
      stay();
      over = `the process ended (${signal ?? `exit code ${code}`}): ${errors.trim().slice(0, 200)}`;
      resolve();
    });
  });
  const until = performance.now() + READY_MS;
  for (;;) {
    const text = await readFile(ready, "utf8").catch(() => null);
    if (text !== null)
      return toProgram(child, JSON.parse(text) as Addresses, {
        folder,
        ended,
        over: () => over,
      });
    if (over !== null || performance.now() > until) {
      child.kill("SIGKILL");
      throw new Error(over ?? "the program did not become ready");
    }
    await sleep(20);
  }
}

function toProgram(
  child: ChildProcess,
  { url, admin_url }: Addresses,
  { folder, ended, over }: { folder: string; ended: Promise<void>; over: () => string | null },
): Program {
  const memory = watchMemory(child.pid!);
  return {
    url,
    admin_url,
    ended: over,
    peakMemory_mb: memory.peak,
    readDelay: () => readDelay(child, join(folder, "delay.json")),
    async stop() {
      memory.stop();
      child.kill("SIGINT");
      const hard = setTimeout(() => child.kill("SIGKILL"), 5_000);
      await ended;
      clearTimeout(hard);
    },
  };
}

/** Asks a process that has loaded the probe. */
export async function readDelay(child: ChildProcess, file: string): Promise<Delay | null> {
  await rm(file, { force: true });
  child.kill("SIGWINCH");
  for (let waited_ms = 0; waited_ms < 20_000; waited_ms += 20) {
    const text = await readFile(file, "utf8").catch(() => null);
    if (text !== null) return JSON.parse(text) as Delay;
    await sleep(20);
  }
  return null;
}

/** The operating system's own figure, a few dozen times a second. */
function watchMemory(pid: number): { peak(): number; stop(): void } {
  let most_kb = 0;
  const look = (): void => {
    most_kb = Math.max(most_kb, residentOf(pid));
  };
  const timer = setInterval(look, 25);
  return {
    peak() {
      look();
      const peak_mb = most_kb / 1024;
      most_kb = 0;
      return peak_mb;
    },
    stop: () => clearInterval(timer),
  };
}

/** Kilobytes; 0: the process is gone. */
function residentOf(pid: number): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, "utf8");
    return Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0);
  } catch {
    return 0;
  }
}

export function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, ms));
}
