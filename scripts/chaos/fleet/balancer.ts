/** haproxy in front of the replicas, which it asks on their admin listeners whether they are ready. */
import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { nowMs, sleep } from "./clock.ts";
import { findPort, type Replica } from "./replica.ts";

export type Balancer = { url: string; port: number; close(): Promise<void> };

type Backend = Pick<Replica, "index" | "port" | "admin_port">;

const START_MS = 5_000;

/** null: there is no haproxy here. */
export async function startBalancer(replicas: readonly Backend[]): Promise<Balancer | null> {
  if (!hasBalancer()) return null;
  const folder = mkdtempSync(join(tmpdir(), "vicinity-balancer-"));
  const file = join(folder, "haproxy.cfg");
  const port = await findPort();
  writeFileSync(file, toConfiguration(port, replicas));
  // In the foreground, so that its end is ours to see.
  const child = spawn("haproxy", ["-db", "-f", file], { stdio: ["ignore", "ignore", "pipe"] });
  let said = "";
  child.stderr.on("data", (chunk: Buffer) => (said = (said + chunk.toString()).slice(-4_000)));
  const abandon = (): void => void child.kill("SIGKILL");
  process.once("exit", abandon);
  const url = `http://127.0.0.1:${port}`;
  const until = nowMs() + START_MS;
  while ((await statusOf(`${url}/health`)) !== 200) {
    if (nowMs() > until || child.exitCode !== null) throw new Error(`haproxy: ${said}`);
    await sleep(50);
  }
  return {
    ...{ url, port },
    async close() {
      process.off("exit", abandon);
      const gone = once(child, "exit");
      if (child.exitCode === null && child.kill("SIGTERM")) await gone;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export function hasBalancer(): boolean {
  try {
    execFileSync("haproxy", ["-v"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

/**
 * A replica is out as soon as it says that it drains, or says nothing for half a second. Only a
 * connection that failed is tried again: a question that was sent may have been counted.
 */
export function toConfiguration(port: number, replicas: readonly Backend[]): string {
  const servers = replicas.map(
    ({ index, port: own, admin_port }) =>
      `  server replica${index} 127.0.0.1:${own} check port ${admin_port}`,
  );
  return `${[
    "global",
    "  maxconn 4096",
    "defaults",
    "  mode http",
    "  timeout connect 1s",
    "  timeout client 30s",
    "  timeout server 30s",
    "  timeout check 500ms",
    "  retries 2",
    "  option redispatch 1",
    "  retry-on conn-failure",
    "  option forwardfor",
    "frontend api",
    `  bind 127.0.0.1:${port}`,
    "  default_backend replicas",
    "backend replicas",
    "  balance roundrobin",
    "  option httpchk GET /readyz",
    "  http-check expect status 200",
    "  default-server inter 100ms fall 1 rise 1",
    ...servers,
  ].join("\n")}\n`;
}

async function statusOf(url: string): Promise<number | null> {
  return await fetch(url).then(
    ({ status }) => status,
    () => null,
  );
}
