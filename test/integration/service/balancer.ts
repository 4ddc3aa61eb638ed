/** haproxy with the shipped configuration (deploy/haproxy), for tests of it. */
import assert from "node:assert/strict";
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { ROOT } from "./processes.ts";
import { createFolder, removeFolder } from "./support.ts";

/** A reason to skip, where it is not installed. */
export const WITHOUT =
  spawnSync("haproxy", ["-v"]).status === 0 ? false : "haproxy is not installed (package haproxy)";

/** A replica behind the balancer; `name` as in its configuration. */
export type Behind = { name: string; port: number; admin_port: number };

export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => void server.close(resolve));
  return port;
}

export type Balancer = {
  url: string;
  log(): string;
  /** SIGSTOP and SIGCONT. */
  freeze(): void;
  thaw(): void;
};

/** `changes`: further texts of the configuration to be replaced. */
export async function startBalancer(
  t: TestContext,
  replicas: readonly Behind[],
  changes: Readonly<Record<string, string>> = {},
): Promise<Balancer> {
  const port = await freePort();
  const text = await readFile(join(ROOT, "deploy/haproxy/haproxy.cfg"), "utf8");
  let own = replace(text, "bind :8080", `bind 127.0.0.1:${port}`);
  for (const { name, port: at, admin_port } of replicas)
    own = replace(
      own,
      `server ${name} ${name}:8080`,
      `server ${name} 127.0.0.1:${at} port ${admin_port}`,
    );
  for (const [from, to] of Object.entries(changes)) own = replace(own, from, to);
  const folder = await createFolder();
  const file = join(folder, "haproxy.cfg");
  await writeFile(file, own);
  // In the foreground, and one process: it ends with the test.
  const child: ChildProcess = spawn("haproxy", ["-db", "-f", file]);
  let log = "";
  child.stdout!.setEncoding("utf8").on("data", (each: string) => (log += each));
  child.stderr!.setEncoding("utf8").on("data", (each: string) => (log += each));
  const ended = new Promise((resolve) => void child.once("close", resolve));
  t.after(async () => {
    child.kill("SIGKILL");
    await ended;
    await removeFolder(folder);
  });
  return {
    url: `http://127.0.0.1:${port}`,
    log: () => log,
    freeze: () => void child.kill("SIGSTOP"),
    thaw: () => void child.kill("SIGCONT"),
  };
}

/** Replaces a text that must be there: otherwise the configuration would keep names that do not resolve. */
function replace(text: string, from: string, to: string): string {
  assert.ok(text.includes(from), from);
  return text.replace(from, to);
}
