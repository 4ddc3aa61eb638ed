/** Runs a program to its end, with what it wrote. */
import { spawn } from "node:child_process";

export type Ran = { code: number | null; out: string; err: string };

const TIMEOUT_MS = 300_000;

export function execute(
  command: string,
  args: readonly string[],
  { cwd, env = {} }: { cwd: string; env?: Record<string, string> },
): Promise<Ran> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd,
      env: { ...process.env, ...env },
      stdio: ["ignore", "pipe", "pipe"],
      timeout: TIMEOUT_MS,
    });
    const out: Buffer[] = [];
    const err: Buffer[] = [];
    child.stdout.on("data", (chunk: Buffer) => out.push(chunk));
    child.stderr.on("data", (chunk: Buffer) => err.push(chunk));
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, out: textOf(out), err: textOf(err) }));
  });
}

function textOf(chunks: readonly Buffer[]): string {
  return Buffer.concat(chunks).toString();
}
