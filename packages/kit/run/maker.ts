/**
 * Programs of ours that make a file, each in a process of its own: what a thread has used for it, some
 * hundred megabytes, would stay with the service.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import type { Socket } from "node:net";
import { fileURLToPath } from "node:url";
import { guard } from "#kit/guard.ts";

export type Maker = {
  /** The program, which finds `args` in `process.argv`, from the third on. */
  url: URL;
  args: readonly string[];
  /** Of its objects; beyond it the process ends. */
  max_heap_mb: number;
  timeout_ms: number;
};

const STACK_CHARS = 16_384;

/** Resolves when the process has ended. `onFault`: receives what has ended it. null: it has made its file; else why not, in one line. */
export async function runMaker(
  { url, args, max_heap_mb, timeout_ms }: Maker,
  { signal, onFault }: { signal: AbortSignal; onFault: (error: unknown) => void },
): Promise<string | null> {
  if (signal.aborted) return "stopped";
  const flags = [...listLoaders(), `--max-old-space-size=${max_heap_mb}`];
  const child = spawn(process.execPath, [...flags, fileURLToPath(url), ...args], {
    // Its input ends with this process, however that ends (`endWithService`).
    stdio: ["pipe", "pipe", "pipe"],
    // A Ctrl-C is for the service, which ends it.
    detached: true,
    timeout: timeout_ms,
    killSignal: "SIGKILL",
  });
  let message = "";
  let cried = "";
  child.stdout.on("data", (bytes: Buffer) => (message += bytes.toString("utf8")));
  child.stderr.on("data", (bytes: Buffer) => {
    if (cried.length < STACK_CHARS) cried += bytes.toString("utf8");
  });
  const stop = (): void => {
    child.kill("SIGKILL");
  };
  signal.addEventListener("abort", stop, { once: true });
  const end = await guard(
    async () => (await once(child, "close")) as [code: number | null, signal: string | null],
    (error) => {
      onFault(error);
      return null;
    },
  );
  signal.removeEventListener("abort", stop);
  if (end === null) return "could not be started";
  const [code, ended_by] = end;
  // What it throws ends it, and its stack is all that it leaves.
  if (code !== 0 && message === "" && cried !== "")
    onFault(Object.assign(new Error("a process of ours ended"), { stack: cried }));
  return code === 0 ? null : message.trim() || `ended by ${ended_by ?? `code ${code}`}`;
}

/** Flags by which this process loads its modules where it is a dependency (bin/types.js). */
function listLoaders(): string[] {
  const at = process.execArgv.indexOf("--import");
  return at === -1 ? [] : process.execArgv.slice(at, at + 2);
}

/** In the process: it ends when the service that started it does, also where that was killed. */
export function endWithService(): void {
  process.stdin.once("close", () => process.exit(1)).resume();
  (process.stdin as Socket).unref();
}

/** In the process: it fails, and the caller gets the line. */
export function failMaker(problem: string): void {
  process.stdout.write(problem);
  process.exitCode = 1;
}
