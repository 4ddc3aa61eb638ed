/**
 * Rolling restarts of two replicas under clients that keep connections alive with pauses longer than
 * the drain delay, as seen behind a balancer of layer 4: a new connection goes to a replica that is
 * ready, an open one stays where it is. Some clients honour `Keep-Alive: timeout`, some do not.
 */
import { spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { readArguments } from "./arguments.ts";
import { type Ready, type Running, startProcess } from "../test/integration/service/processes.ts";

type Replica = { folder: string; running: Running; ready: Ready };
type Tally = Record<"honouring" | "ignoring", { requested: number; lost: Record<string, number> }>;

export async function run(args: readonly string[]): Promise<number> {
  const { restarts, requests, delay_ms, stop_ms, ...values } = readArguments(args, {
    restarts: 20,
    clients: 800,
    requests: 100_000,
    delay_ms: 5000,
    stop_ms: 200,
  });
  const replicas = [await startReplica(delay_ms), await startReplica(delay_ms)];
  process.once("exit", () => {
    for (const { running } of replicas) running.child.kill("SIGKILL");
  });
  const clients = startClients(values.clients, delay_ms, replicas);
  for (let restart = 0; restart < restarts || clients.requested() < requests; restart++) {
    const at = restart % 2;
    const old = replicas[at]!;
    await sleep(delay_ms);
    old.running.child.kill("SIGTERM");
    // A balancer notices within a second, whatever becomes of the replica.
    await sleep(Math.min(1_000, delay_ms / 2));
    clients.use([replicas[1 - at]!.ready.url]);
    // By turns before the end of the delay, and before idle connections are closed.
    const worst_ms = delay_ms + (restart % 4 < 2 ? 0 : QUIET_MS);
    await sleep(Math.max(0, worst_ms - Math.min(1_000, delay_ms / 2) - stop_ms / 2));
    await stopFor(old, stop_ms);
    const { code } = await old.running.ended;
    if (code !== 0) console.log(`  a replica ended with ${code}`);
    await rm(old.folder, { recursive: true, force: true });
    replicas[at] = await startReplica(delay_ms);
    clients.use(replicas.map(({ ready }) => ready.url));
    console.log(`  restart ${restart + 1}: ${clients.requested()} requests`);
  }
  const tally = await clients.end();
  for (const { running, folder } of replicas) {
    running.child.kill("SIGKILL");
    await running.ended;
    await rm(folder, { recursive: true, force: true });
  }
  return report(tally);
}

/** As long as idle connections must be quiet (src/http/drain.ts). */
const QUIET_MS = 400;

async function startReplica(drain_delay_ms: number): Promise<Replica> {
  const folder = await mkdtemp(join(tmpdir(), "vicinity-restarts-"));
  const file = join(folder, "vicinity.json");
  // The clients represent callers of many addresses.
  const server = { drain_delay_ms, max_connections_per_address: null };
  await writeFile(file, JSON.stringify({ server }));
  const variables = { LOG_LEVEL: "warn" };
  const args = ["serve", "--sandbox", "--config", file];
  return { folder, ...(await startProcess({ cities: "all", data_dir: folder, args, variables })) };
}

async function stopFor({ running }: Replica, stop_ms: number): Promise<void> {
  if (stop_ms === 0 || running.child.exitCode !== null) return;
  running.child.kill("SIGSTOP");
  await sleep(stop_ms);
  running.child.kill("SIGCONT");
}

/** In a process of their own, so that they never wait for us. */
function startClients(count: number, delay_ms: number, replicas: readonly Replica[]) {
  const child = spawn(
    process.execPath,
    [new URL("restarts/clients.ts", import.meta.url).pathname, String(count), String(delay_ms)],
    { stdio: ["ignore", "inherit", "inherit", "ipc"] },
  );
  let tally: Tally = {
    honouring: { requested: 0, lost: {} },
    ignoring: { requested: 0, lost: {} },
  };
  const over = new Promise<void>((resolve) => void child.once("exit", () => resolve()));
  child.on("message", (counts) => (tally = counts as Tally));
  const use = (urls: readonly string[]): void => void child.send({ urls });
  use(replicas.map(({ ready }) => ready.url));
  return {
    use,
    requested: () => tally.honouring.requested + tally.ignoring.requested,
    async end() {
      child.send({ end: true });
      await over;
      return tally;
    },
  };
}

/** HTTP allows a client that ignores `Keep-Alive` to lose a request: that is not a finding. */
function report(tally: Tally): number {
  let findings = 0;
  for (const [kind, { requested, lost }] of Object.entries(tally)) {
    const count = Object.values(lost).reduce((sum, each) => sum + each, 0);
    console.log(`  ${kind} clients: ${requested} requests, ${count} lost ${JSON.stringify(lost)}`);
    if (kind === "honouring" && count > 0) findings += 1;
  }
  return findings;
}
