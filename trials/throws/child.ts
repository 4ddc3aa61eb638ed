/** Runs a group of plants in a process of its own, whose end is a finding by itself. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import type { Findings } from "./findings.ts";

const HOOKS = fileURLToPath(new URL("./hooks.ts", import.meta.url));
const GROUPS = {
  threads: fileURLToPath(new URL("./threads.ts", import.meta.url)),
  steps: fileURLToPath(new URL("./steps.ts", import.meta.url)),
};
/** What is left open would keep it running. */
const TIMEOUT_MS = 20 * 60_000;

export async function runGroup(
  name: keyof typeof GROUPS,
  args: readonly (string | number)[],
): Promise<Findings> {
  const flags = ["--import", HOOKS, GROUPS[name], ...args.map(String)];
  const child = spawn(process.execPath, flags, {
    stdio: ["ignore", "pipe", "pipe"],
    timeout: TIMEOUT_MS,
    killSignal: "SIGKILL",
  });
  const [out, err, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, "close") as Promise<[number | null]>,
  ]);
  if (code === 0) return JSON.parse(out) as Findings;
  return { planted: 0, further: 0, wrong: [`${name}: the process ended with ${code}: ${err}`] };
}
