/** haproxy in front of the replicas, which it asks on their admin listeners whether they are ready. */
import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { nowMs, sleep } from "./clock.ts";
import { findPort, type Replica } from "./replica.ts";
import { atExit } from "../../../test/support/at-exit.ts";

export type Balancer = { url: string; port: number; close(): Promise<void> };

type Backend = Pick<Replica, "index" | "port" | "admin_port">;

const SHIPPED = new URL("../../../deploy/haproxy/haproxy.cfg", import.meta.url);
const START_MS = 5_000;

/** null: there is no haproxy here. */
export async function startBalancer(
  replicas: readonly Backend[],
  how: { once: boolean },
): Promise<Balancer | null> {
  if (!hasBalancer()) return null;
  const folder = mkdtempSync(join(tmpdir(), "vicinity-balancer-"));
  const file = join(folder, "haproxy.cfg");
  const port = await findPort();
  writeFileSync(file, toConfiguration(readFileSync(SHIPPED, "utf8"), { port, replicas, ...how }));
  // In the foreground, so that its end is ours to see.
  const child = spawn("haproxy", ["-db", "-f", file], { stdio: ["ignore", "ignore", "pipe"] });
  let message = "";
  child.once("error", (error) => {
    message += error.message;
  });
  child.stderr.on(
    "data",
    (chunk: Buffer) => (message = (message + chunk.toString()).slice(-4_000)),
  );
  const abandon = (): void => {
    child.kill("SIGKILL");
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  };
  const forget = atExit(abandon);
  const url = `http://127.0.0.1:${port}`;
  const until = nowMs() + START_MS;
  while ((await statusOf(`${url}/health`)) !== 200) {
    if (nowMs() > until || child.exitCode !== null) throw new Error(`haproxy: ${message}`);
    await sleep(50);
  }
  return {
    url,
    port,
    async close() {
      forget();
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
 * The balancer that is shipped, with these replicas in the place of those of compose.yaml. `once`: only
 * a connection that failed is tried again, since a question that was sent may have been counted, and
 * who counts questions must know how many there were.
 */
function toConfiguration(
  shipped: string,
  how: { port: number; replicas: readonly Backend[]; once: boolean },
): string {
  const { port, replicas } = how;
  const servers = replicas.map(
    ({ index, port: own_port, admin_port }) =>
      `    server replica${index} 127.0.0.1:${own_port} check port ${admin_port}`,
  );
  const remaining = shipped.split("\n").filter((line) => !/^\s+server\s/.test(line));
  const text = [...remaining, ...servers, ""].join("\n");
  // Descriptors are for all the trial together.
  const small = replaceOnce(text, /maxconn 8000/, "maxconn 2000");
  const bound = replaceOnce(small, /bind :8080/, `bind 127.0.0.1:${port}`);
  return how.once ? replaceOnce(bound, /conn-failure empty-response/, "conn-failure") : bound;
}

function replaceOnce(text: string, what: RegExp, by: string): string {
  if (!what.test(text)) throw new Error(`the configuration of the balancer has no ${what.source}`);
  return text.replace(what, by);
}

async function statusOf(url: string): Promise<number | null> {
  return await fetch(url).then(
    ({ status }) => status,
    () => null,
  );
}
