/**
 * A rolling restart loses no request (reliability 2.4, Drain): two processes behind clients that do
 * what a load balancer does, ask /readyz and keep connections alive. Each process goes away by
 * SIGTERM and comes back, in turn, while requests arrive at a steady pace.
 */
import assert from "node:assert/strict";
import { Agent, request } from "node:http";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { HANG_MS, sized } from "../../support/size.ts";
import { type Ready, type Running, startProcess } from "./processes.ts";
import { createFolder, eventually, removeFolder } from "./support.ts";

const RESTARTS = sized(1, 6);
const PER_SECOND = sized(30, 300);
const LEAST_SENT = sized(40, 1_000);
const PROBE_MS = 50;
const DRAIN_DELAY_MS = 400;

type Backend = {
  name: string;
  data_dir: string;
  running: Running;
  ready: Ready;
  in_rotation: boolean;
};
type Tally = { ok: number; closing: number; failures: string[]; by_pid: Map<number, number> };

const agent = new Agent({ keepAlive: true, maxSockets: 64 });
const backends: Backend[] = [];

before(async () => {
  backends.push(...(await Promise.all([createBackend("a"), createBackend("b")])));
});
after(async () => {
  agent.destroy();
  for (const { running, data_dir } of backends) {
    running.child.kill("SIGKILL");
    await running.ended;
    await removeFolder(data_dir);
  }
});

test(`${RESTARTS} restarts in turn at ${PER_SECOND} requests a second: none fails`, async (t) => {
  const tally: Tally = { ok: 0, closing: 0, failures: [], by_pid: new Map() };
  const probes = setInterval(() => void probeAll(), PROBE_MS);
  t.after(() => clearInterval(probes));
  await probeAll();
  const load = startLoad(tally);
  for (const backend of backends) await untilServed(backend, tally);
  for (let i = 0; i < RESTARTS; i++) await restart(backends[i % 2]!, tally);
  const sent = await load.stop();
  t.diagnostic(`${sent} requests, ${tally.failures.length} failed, ${tally.closing} said close`);
  assert.deepEqual(tally.failures, []);
  assert.equal(tally.ok, sent);
  // Otherwise this test would show nothing.
  assert.ok(sent > LEAST_SENT, `${sent} requests`);
  assert.ok(tally.closing > 0, "no request was served while draining");
  assert.equal(tally.by_pid.size, RESTARTS + 2, "every process has served");
});

async function createBackend(name: string): Promise<Backend> {
  const data_dir = await createFolder();
  const settings = { server: { drain_delay_ms: DRAIN_DELAY_MS } };
  await writeFile(join(data_dir, "vicinity.json"), JSON.stringify(settings));
  return { name, data_dir, ...(await spawn(data_dir)), in_rotation: false };
}

function spawn(data_dir: string): Promise<{ running: Running; ready: Ready }> {
  const config = join(data_dir, "vicinity.json");
  return startProcess({ data_dir, args: ["serve", "--sandbox", "--config", config] });
}

/** As an orchestrator does it: the next one is taken down when this one serves again. */
async function restart(backend: Backend, tally: Tally): Promise<void> {
  backend.running.child.kill("SIGTERM");
  assert.deepEqual(await backend.running.ended, { code: 0, signal: null }, backend.name);
  backend.in_rotation = false;
  Object.assign(backend, await spawn(backend.data_dir));
  await untilServed(backend, tally);
}

async function untilServed({ name, ready }: Backend, { by_pid }: Tally): Promise<void> {
  await eventually(async () => (by_pid.has(ready.pid) ? true : null), {
    within_ms: HANG_MS,
    what: `${name} serves`,
  });
}

async function probeAll(): Promise<void> {
  await Promise.all(
    backends.map(async (backend) => {
      const { admin_url } = backend.ready;
      const status = await get(`${admin_url}/readyz`).then(
        (reply) => reply.status,
        () => 0,
      );
      // An answer about a process that has been replaced meanwhile says nothing.
      if (admin_url === backend.ready.admin_url) backend.in_rotation = status === 200;
    }),
  );
}

/** Open loop: what is slow does not make the next request wait. */
function startLoad(tally: Tally): { stop(): Promise<number> } {
  const open = new Set<Promise<void>>();
  const begun = performance.now();
  let sent = 0;
  const timer = setInterval(() => {
    const due = Math.floor(((performance.now() - begun) / 1000) * PER_SECOND);
    for (; sent < due; sent++) {
      const one = ask(sent, tally).finally(() => open.delete(one));
      open.add(one);
    }
  }, 5);
  return {
    async stop() {
      clearInterval(timer);
      await Promise.all(open);
      return sent;
    },
  };
}

async function ask(number: number, tally: Tally): Promise<void> {
  const serving = backends.filter((backend) => backend.in_rotation);
  const backend = serving[number % serving.length];
  if (!backend) return void tally.failures.push("no backend is in rotation");
  const { url, pid } = backend.ready;
  // Around Paris and London, all different.
  const [lat, lon] = number % 3 ? [48.8566, 2.3522] : [51.5074, -0.1278];
  const shift = ((number % 400) - 200) / 100_000;
  try {
    const reply = await get(`${url}/v1/nearby?lat=${lat + shift}&lon=${lon - shift}&limit=5`);
    if (reply.status !== 200) return void tally.failures.push(`${reply.status} of ${backend.name}`);
    tally.ok++;
    if (reply.closing) tally.closing++;
    tally.by_pid.set(pid, (tally.by_pid.get(pid) ?? 0) + 1);
  } catch (error) {
    tally.failures.push(`${(error as Error).message} of ${backend.name}`);
  }
}

function get(url: string): Promise<{ status: number; closing: boolean }> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { agent }, (response) => {
      const { statusCode = 0, headers } = response;
      response.resume().once("error", reject);
      response.once("end", () =>
        resolve({ status: statusCode, closing: headers.connection === "close" }),
      );
    });
    sent.once("error", reject).end();
  });
}
