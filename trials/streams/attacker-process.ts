/** Starts the attacker as a process, so that its work is none of the callers'. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { StreamAttacked } from "./attacks.ts";

const SCRIPT = fileURLToPath(new URL("./attacker.ts", import.meta.url));

/** Resolves when all its connections were tried. */
export async function startStreamAttacker(name: string, url: string, seconds: number) {
  const child = spawn(process.execPath, [SCRIPT, name, new URL(url).port, String(seconds)], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const lines = createInterface({ input: child.stdout });
  const ended = once(child, "exit");
  const failed = ended.then(([code]) => {
    throw new Error(`the attacker ended with ${String(code)}`);
  });
  // Where it ends as it should, nothing waits for that.
  failed.catch(() => undefined);
  await Promise.race([once(lines, "line"), failed]);
  return {
    async stop(): Promise<StreamAttacked> {
      const last = once(lines, "line");
      child.stdin.end();
      const [line] = (await Promise.race([last, failed])) as [string];
      await ended;
      return JSON.parse(line) as StreamAttacked;
    },
  };
}
