/**
 * The protocol's own tools, fetched by npm at a pinned version into a folder of their own: they are
 * judges of ours and no part of us. They run as programs, over sockets, like any host.
 */
import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readEnv } from "#config/env.ts";
import { loadConfig } from "#config/load.ts";
import { startService, type Service } from "../../src/main/service.ts";

const JUDGES = {
  conformance: { spec: "@modelcontextprotocol/conformance@0.1.16", bin: "conformance" },
  inspector: { spec: "@modelcontextprotocol/inspector@2.12.0", bin: "mcp-inspector" },
} as const;

export type Ran = { code: number | null; out: string; err: string };
export type Judge = {
  spec: string;
  run(args: readonly string[], env?: Record<string, string>): Promise<Ran>;
};

/** A judge and a sandbox service it may ask; both are gone afterwards. */
export async function withJudge(
  name: keyof typeof JUDGES,
  judge: (judge: Judge, service: Service) => Promise<void>,
): Promise<void> {
  const { spec, bin } = JUDGES[name];
  const folder = await mkdtemp(join(tmpdir(), "vicinity-mcp-"));
  const service = await startSandboxService(folder);
  const run: Judge["run"] = (args, env = {}) =>
    execute("npx", ["--yes", `--package=${spec}`, bin, ...args], { cwd: folder, env });
  await judge({ spec, run }, service);
  await service.close({ delay_ms: 0 });
  await rm(folder, { recursive: true, force: true });
}

async function startSandboxService(folder: string): Promise<Service> {
  const own = { PORT: "0", LOG_LEVEL: "silent", VICINITY_DATA_DIR: join(folder, "data") };
  const env = readEnv(own);
  if (!env.ok) throw new Error(env.message);
  const config = loadConfig({ mode: "sandbox", env: env.value });
  if (!config.ok) throw new Error(config.message);
  const service = await startService({ config: config.value, env: env.value, version: "judged" });
  if ("problem" in service) throw new Error(service.problem);
  return service;
}

const TIMEOUT_MS = 300_000;

function execute(
  command: string,
  args: readonly string[],
  { cwd, env }: { cwd: string; env: Record<string, string> },
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
