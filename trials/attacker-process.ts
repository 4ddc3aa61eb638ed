/** Starts an attacker as a process, so that its work is none of the callers'. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";

/** Resolves when all its connections were tried; `stop` ends it and returns what it has seen. */
export async function startProcess<T>(script: string, args: readonly string[]) {
  const child = spawn(process.execPath, [script, ...args], { stdio: ["pipe", "pipe", "inherit"] });
  const lines = createInterface({ input: child.stdout });
  const ended = once(child, "exit");
  const failed = ended.then(([code]) => {
    throw new Error(`the attacker ended with ${String(code)}`);
  });
  // Where it ends as it should, nothing waits for that.
  failed.catch(() => undefined);
  await Promise.race([once(lines, "line"), failed]);
  return {
    async stop(): Promise<T> {
      const last = once(lines, "line");
      child.stdin.end();
      const [line] = (await Promise.race([last, failed])) as [string];
      await ended;
      return JSON.parse(line) as T;
    },
  };
}
