/**
 * The balancer's own configuration (deploy/haproxy/haproxy.cfg), before two real processes: what is
 * substituted is names and ports. Replicas go away by SIGTERM and come back, and no request fails.
 */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { HANG_MS, sized } from "../../support/size.ts";
import { type Behind, freePort, startBalancer, WITHOUT } from "./balancer.ts";
import { ROOT, type Running, startProcess } from "./processes.ts";
import { type Client, createClient, createFolder, eventually, removeFolder } from "./support.ts";

const RESTARTS = sized(1, 2);
const PER_SECOND = sized(50, 150);
const LEAST_SENT = sized(100, 1_000);
/** Requests that show that a replica serves again. */
const SERVED = sized(15, 50);
const LEAST_SERVED = sized(SERVED, 200);
/** Several of its probes. */
const FROZEN_MS = sized(2_000, 8_000);
/** Beyond what the balancer takes to notice: 500 ms, twice. */
const DRAIN_DELAY_MS = 2_000;

type Replica = Behind & { data_dir: string };

test("the configuration is valid", { skip: WITHOUT }, () => {
  const file = join(ROOT, "deploy/haproxy/haproxy.cfg");
  const { status, stderr } = spawnSync("haproxy", ["-c", "-f", file], { encoding: "utf8" });
  assert.equal(status, 0, stderr);
});

test(
  `${RESTARTS} restarts behind it, ${PER_SECOND} requests a second: none fails`,
  { skip: WITHOUT },
  async (t) => {
    const client = createClient();
    t.after(client.close);
    const replicas = [await createReplica("vicinity-a"), await createReplica("vicinity-b")];
    const running = new Map<string, Running>();
    t.after(async () => {
      for (const { child, ended } of running.values()) {
        child.kill("SIGKILL");
        await ended;
      }
      for (const { data_dir } of replicas) await removeFolder(data_dir);
    });
    for (const replica of replicas) running.set(replica.name, await startReplica(replica));
    const balancer = await startBalancer(t, replicas);
    await eventually(() => isUp(client, balancer.url), {
      within_ms: HANG_MS,
      what: "the balancer",
    });
    const load = startLoad(client, balancer.url);
    for (let i = 0; i < RESTARTS; i++) {
      const replica = replicas[i % 2]!;
      const { child, ended } = running.get(replica.name)!;
      child.kill("SIGTERM");
      assert.deepEqual(await ended, { code: 0, signal: null });
      const before = countOf(balancer.log(), replica.name);
      running.set(replica.name, await startReplica(replica));
      // In rotation again before the other one goes.
      await eventually(
        () =>
          Promise.resolve(countOf(balancer.log(), replica.name) > before + SERVED ? true : null),
        { within_ms: HANG_MS, what: `${replica.name} in rotation` },
      );
    }
    // Stopped for a while it holds its requests, and takes no replica for away afterwards.
    const downs = (): number => balancer.log().split(" is DOWN").length;
    const before_downs = downs();
    balancer.freeze();
    await pause(FROZEN_MS);
    balancer.thaw();
    await pause(FROZEN_MS);
    assert.equal(downs(), before_downs);
    const { sent, failures } = await load.stop();
    t.diagnostic(`${sent} requests, ${failures.length} failed`);
    assert.deepEqual(failures, [], refusalsIn(balancer.log()));
    assert.ok(sent > LEAST_SENT, `${sent} requests`);
    const log = balancer.log();
    for (const { name } of replicas) assert.ok(countOf(log, name) > LEAST_SERVED, `${name} served`);
    assert.match(log, /vicinity-a is DOWN[\s\S]*vicinity-a is UP/);
    assert.doesNotMatch(log, /lat=|canary/, "no query in the log");
  },
);

/** The first lines of the log with refusals and changes of state. */
function refusalsIn(log: string): string {
  const lines = log.split("\n").filter((line) => / 50\d |is (UP|DOWN)/.test(line));
  return lines.slice(0, 20).join("\n");
}

function countOf(log: string, name: string): number {
  return log.split(`vicinity/${name} `).length - 1;
}

async function createReplica(name: string): Promise<Replica> {
  const data_dir = await createFolder();
  const settings = { server: { drain_delay_ms: DRAIN_DELAY_MS } };
  await writeFile(join(data_dir, "vicinity.json"), JSON.stringify(settings));
  return { name, data_dir, port: await freePort(), admin_port: await freePort() };
}

/** On the same ports every time, as the balancer knows it. */
async function startReplica({ data_dir, port, admin_port }: Replica): Promise<Running> {
  const { running } = await startProcess({
    data_dir,
    args: ["serve", "--sandbox", "--config", join(data_dir, "vicinity.json")],
    variables: { PORT: String(port), ADMIN_PORT: String(admin_port), LOG_LEVEL: "error" },
  });
  return running;
}

async function isUp(client: Client, url: string): Promise<true | null> {
  const status = await client.call(`${url}/health`).then(
    (reply) => reply.status,
    () => 0,
  );
  return status === 200 ? true : null;
}

/** Open loop: what is slow does not make the next request wait. */
function startLoad(client: Client, url: string) {
  const open = new Set<Promise<void>>();
  const failures: string[] = [];
  const begun = performance.now();
  let sent = 0;
  const ask = async (number: number): Promise<void> => {
    const path = `/v1/nearby?lat=${48.85 + (number % 300) / 1e5}&lon=2.35&limit=5&canary=1`;
    const outcome = await client.call(`${url}${path.replace("&canary=1", "")}`).then(
      ({ status }) => String(status),
      (error: Error) => error.message,
    );
    if (outcome !== "200") failures.push(outcome);
  };
  const timer = setInterval(() => {
    const due = Math.floor(((performance.now() - begun) / 1000) * PER_SECOND);
    for (; sent < due; sent++) {
      const one = ask(sent).finally(() => open.delete(one));
      open.add(one);
    }
  }, 5);
  return {
    async stop() {
      clearInterval(timer);
      await Promise.all(open);
      return { sent, failures };
    },
  };
}
