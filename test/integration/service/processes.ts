/** The program as a process of its own: started as a person starts it, on free ports. */
import { type ChildProcess, spawn } from "node:child_process";
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { HANG_MS } from "../../support/size.ts";
import { eventually, SMALL_WORLD } from "./support.ts";

export const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const PROGRAM = join(ROOT, "bin/vicinity");

export type Ready = { url: string; sandbox_url: string | null; admin_url: string; pid: number };
export type Ended = { code: number | null; signal: NodeJS.Signals | null };
export type Running = {
  child: ChildProcess;
  /** Both outputs so far. */
  output(): { out: string; err: string };
  ended: Promise<Ended>;
};

export type Launch = {
  data_dir: string;
  /** Absent: of this checkout. */
  cwd?: string;
  command?: string;
  args?: readonly string[];
  /** Of the simulated world, or "all"; absent: `SMALL_WORLD`. */
  cities?: string;
  variables?: Record<string, string>;
  /** In a group of its own, so that all that it starts can be ended with it. */
  detached?: boolean;
};

/** Nothing of the environment of the tests reaches it but what a program needs to run at all. */
export function launch({
  data_dir,
  cwd = ROOT,
  command = PROGRAM,
  args,
  ...wish
}: Launch): Running {
  const { cities = SMALL_WORLD, variables, detached = false } = wish;
  const { PATH = "", HOME = "" } = process.env;
  const child = spawn(command, args ?? ["serve", "--sandbox"], {
    cwd,
    detached,
    env: {
      PATH,
      HOME,
      PORT: "0",
      VICINITY_DATA_DIR: data_dir,
      VICINITY_READY_FILE: readyFile(data_dir),
      VICINITY_ENFORCE_LIMITS: "0",
      SANDBOX_CITIES: cities === "all" ? "" : cities,
      ...variables,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const texts = { out: "", err: "" };
  child.stdout.setEncoding("utf8").on("data", (text: string) => (texts.out += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (texts.err += text));
  const ended = new Promise<Ended>((resolve) => {
    child.once("close", (code, signal) => resolve({ code, signal }));
    child.once("error", (error) => {
      texts.err += error.message;
      resolve({ code: null, signal: null });
    });
  });
  return { child, output: () => texts, ended };
}

export function readyFile(data_dir: string): string {
  return join(data_dir, "ready.json");
}

/** The content of the ready file, once it is there; an error if the program ends before. */
export async function waitReady(running: Running, data_dir: string): Promise<Ready> {
  const state = { ended: false };
  const over = running.ended.then(({ code }) => {
    state.ended = true;
    const { out, err } = running.output();
    throw new Error(`ended with ${code} before it was ready: ${err || out}`);
  });
  const match = (async (): Promise<Ready | null> => {
    while (!state.ended) {
      const text = await readFile(readyFile(data_dir), "utf8").catch(() => null);
      if (text !== null) return JSON.parse(text) as Ready;
      await new Promise((resolve) => void setTimeout(resolve, 5));
    }
    return null;
  })();
  // Where it has ended, `over` rejects.
  return (await Promise.race([match, over])) ?? (await over);
}

/**
 * Until it knows where every system is: the start waits two seconds for it at most, and on a busy
 * machine it goes on behind the start.
 */
export async function untilSurveyed({ url }: Ready): Promise<void> {
  const isSurveyed = async (): Promise<true | null> => {
    const reply = await fetch(`${url}/v1/sources`);
    const { sources } = (await reply.json()) as { sources: { state: string }[] };
    return sources.every(({ state }) => state !== "not_surveyed") || null;
  };
  await eventually(isSurveyed, { within_ms: HANG_MS, what: "the survey" });
}

/** Started and ready. */
export async function startProcess(wish: Launch): Promise<{ running: Running; ready: Ready }> {
  await rm(readyFile(wish.data_dir), { force: true });
  const running = launch(wish);
  return { running, ready: await waitReady(running, wish.data_dir) };
}
