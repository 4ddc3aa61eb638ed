/** One program of a checkout with its clock stopped, and its command line in the same folder. */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { atExit } from "../../test/support/at-exit.ts";
import type { Reply } from "./recording.ts";

const FREEZE = fileURLToPath(new URL("./freeze.ts", import.meta.url));
const READY_MS = 120_000;
/** The same for both programs: answers name the addresses of the service and of the simulator. */
const PORTS = { api: 28_480, simulator: 28_481, admin: 28_482 } as const;
export const ADMIN_TOKEN = "an-admin-token-of-this-trial";

export type ProgramWish = {
  root: string;
  folder: string;
  settings: object;
  variables: Readonly<Record<string, string>>;
};

export type FrozenProgram = {
  api: string;
  admin: string;
  simulator: string;
  /** Of the sandbox, one a plan. */
  keys: readonly string[];
  stop(): Promise<void>;
};

/** Nothing of the environment reaches it but what a program needs to run at all. */
function environmentOf({ folder, variables }: ProgramWish): Record<string, string> {
  const { PATH = "", HOME = "" } = process.env;
  return {
    PATH,
    HOME,
    PORT: String(PORTS.api),
    SANDBOX_PORT: String(PORTS.simulator),
    ADMIN_PORT: String(PORTS.admin),
    ADMIN_TOKEN,
    LOG_LEVEL: "error",
    VICINITY_DATA_DIR: join(folder, "data"),
    VICINITY_COMMIT: "0000000",
    SANDBOX_SEED: "1",
    VICINITY_ENFORCE_LIMITS: "0",
    NO_COLOR: "1",
    COLUMNS: "100",
    TZ: "UTC",
    LANG: "C.UTF-8",
    NODE_OPTIONS: `--import ${FREEZE}`,
    NODE_COMPILE_CACHE: join(folder, "cache"),
    ...variables,
  };
}

export async function startFrozen(wish: ProgramWish): Promise<FrozenProgram> {
  const { root, folder, settings } = wish;
  const ready = join(folder, "ready.json");
  const config = join(folder, "vicinity.json");
  await writeFile(config, JSON.stringify(settings));
  const child = spawn(join(root, "bin/vicinity"), ["serve", "--sandbox", "--config", config], {
    cwd: folder,
    env: { ...environmentOf(wish), VICINITY_READY_FILE: ready },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const stay = atExit(() => child.kill("SIGKILL"));
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => (output += text));
  const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
  await waitReady(ready, child, () => output);
  const origin = (port: number): string => `http://127.0.0.1:${port}`;
  return {
    api: origin(PORTS.api),
    admin: origin(PORTS.admin),
    simulator: origin(PORTS.simulator),
    keys: await waitKeys(() => output),
    async stop() {
      child.kill("SIGINT");
      const hard = setTimeout(() => child.kill("SIGKILL"), 10_000);
      await ended;
      clearTimeout(hard);
      stay();
    },
  };
}

async function waitReady(file: string, child: ChildProcess, output: () => string): Promise<void> {
  const until = performance.now() + READY_MS;
  for (;;) {
    if ((await readFile(file, "utf8").catch(() => null)) !== null) return;
    if (child.exitCode !== null || performance.now() > until) {
      child.kill("SIGKILL");
      throw new Error(`the program did not become ready:\n${output()}`);
    }
    await pause(50);
  }
}

/** The sandbox prints them once it answers. */
async function waitKeys(output: () => string): Promise<string[]> {
  for (let tries = 0; tries < 100; tries++) {
    const keys = [...output().matchAll(/^ +(\w+) +(svc_test_\w+)$/gm)].map(([, , key]) => key!);
    if (keys.length > 0) return keys;
    await pause(50);
  }
  throw new Error(`the program printed no keys:\n${output()}`);
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, ms));
}

const COMMAND_MS = 60_000;
const SHELL_FOLDER = "shell";
const OUTPUTS = "\n--- standard error\n";

/**
 * One command of the program's command line, in a folder that it shares with the other commands of its
 * stage; asks the program that runs. The reply has its exit code and both outputs.
 */
export async function runCommand(
  wish: ProgramWish,
  { args, input }: { args: readonly string[]; input: string },
): Promise<Reply> {
  const cwd = join(wish.folder, SHELL_FOLDER);
  await mkdir(cwd, { recursive: true });
  const child = spawn(join(wish.root, "bin/vicinity"), args, {
    cwd,
    env: { ...environmentOf(wish), VICINITY_DATA_DIR: join(cwd, "data") },
    stdio: ["pipe", "pipe", "pipe"],
  });
  const stay = atExit(() => child.kill("SIGKILL"));
  const timer = setTimeout(() => child.kill("SIGKILL"), COMMAND_MS);
  const texts = { out: "", err: "" };
  child.stdout.setEncoding("latin1").on("data", (text: string) => (texts.out += text));
  child.stderr.setEncoding("latin1").on("data", (text: string) => (texts.err += text));
  child.stdin.on("error", () => undefined);
  child.stdin.end(input);
  const status = await new Promise<number>((resolve) =>
    child.once("close", (code) => resolve(code ?? -1)),
  );
  clearTimeout(timer);
  stay();
  const body = [texts.out, texts.err].map((text) => withoutPaths(text, wish)).join(OUTPUTS);
  return { status, headers: [], body };
}

/** Where the programs and their folders lie, and how full the disk is, is not theirs. */
function withoutPaths(text: string, { root, folder }: ProgramWish): string {
  return text
    .replaceAll(folder, "FOLDER")
    .replaceAll(root.replace(/\/$/, ""), "PROGRAM")
    .replaceAll(/\b[\d.,]+ [kMGT]?B are free there/g, "SPACE are free there");
}
