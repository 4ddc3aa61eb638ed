/** A rolling restart under load loses no request (reliability 2.4, Drain). */
import assert from "node:assert/strict";
import { Agent, get } from "node:http";
import { connect, type AddressInfo, type Socket } from "node:net";
import { test, type TestContext } from "node:test";
import { buildAdmin } from "#http/admin.ts";
import {
  createDrainState,
  drain,
  type DrainOptions,
  followSockets,
  keepAliveOf,
} from "#http/drain.ts";
import type { StubOptions } from "../support/server.ts";
import { okReply, stubServer } from "../support/server.ts";
import { call } from "../support/call.ts";

const PATH = "/v1/nearby?lat=1&lon=2";
const turn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));
const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

async function startInstance(options: StubOptions = {}) {
  const state = createDrainState();
  const nearby = async () => {
    await turn();
    return okReply();
  };
  const stub = stubServer({ drain: state, nearby, quiet: true, ...options });
  const sockets = followSockets(stub.app.server);
  const admin = buildAdmin({
    metrics: stub.metrics,
    drain: state,
    ready: () => true,
    api: null,
    host: "127.0.0.1",
  });
  await stub.app.listen({ port: 0, host: "127.0.0.1" });
  await admin.listen({ port: 0, host: "127.0.0.1" });
  const port = (stub.app.server.address() as AddressInfo).port;
  const adminPort = (admin.server.address() as AddressInfo).port;
  const { app } = stub;
  const end = (drain_options: DrainOptions): Promise<void> =>
    drain(state, { app, sockets }, drain_options);
  return { state, app, admin, port, adminPort, end, ready: true, pending: 0, noticed: () => {} };
}
type Instance = Awaited<ReturnType<typeof startInstance>>;

function ask(port: number, path: string, agent?: Agent): Promise<number> {
  return new Promise((resolve, reject) => {
    const request = get({ port, path, host: "127.0.0.1", ...(agent ? { agent } : {}) }, (reply) => {
      reply.resume();
      reply.on("end", () => resolve(reply.statusCode ?? 0));
      reply.on("error", reject);
    });
    request.on("error", reject);
  });
}

test("two instances, twelve rolling restarts under keep-alive load: no failed request", async () => {
  const instances: Instance[] = [await startInstance(), await startInstance()];
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  const load = { running: true };
  let chosen = 0;
  const seen = { ok: 0, failed: [] as string[] };
  const watch = async () => {
    while (load.running) {
      for (const one of instances) {
        one.ready = (await ask(one.adminPort, "/readyz").catch(() => 0)) === 200;
        if (!one.ready) one.noticed();
      }
      await turn();
    }
  };
  const client = async () => {
    while (load.running) {
      const able = instances.filter((one) => one.ready);
      const one = able[chosen++ % able.length];
      assert.ok(one, "no instance is ready");
      one.pending++;
      const status = await ask(one.port, PATH, agent).catch(String);
      one.pending--;
      if (status === 200) seen.ok++;
      else seen.failed.push(String(status));
    }
  };
  const clients = [watch(), ...Array.from({ length: 16 }, client)];
  for (let restart = 0; restart < 12; restart++) {
    const at = restart % 2;
    const old = instances[at] as Instance;
    const before = seen.ok;
    while (seen.ok < before + 100) await turn();
    // As long as the balancer needs to notice and what it has sent is on its way, however busy this
    // machine is.
    const noticed = new Promise<void>((resolve) => (old.noticed = resolve));
    const settled = async (): Promise<void> => {
      await noticed;
      while (old.pending > 0) await turn();
    };
    await old.end({
      delay_ms: 5_000,
      timeout_ms: 20_000,
      sleep: (ms) => (ms === 5_000 ? settled() : ms === 20_000 ? new Promise(() => {}) : sleep(20)),
    });
    await old.admin.close();
    instances[at] = await startInstance();
  }
  load.running = false;
  await Promise.all(clients);
  agent.destroy();
  for (const one of instances) await Promise.all([one.app.close(), one.admin.close()]);
  assert.deepEqual(seen.failed, []);
  assert.ok(seen.ok >= 1_200, `only ${seen.ok} requests`);
});

/** A connection of which nothing is kept from the test, and what came over it. */
async function open(t: TestContext, port: number) {
  const socket = connect(port, "127.0.0.1");
  t.after(() => socket.destroy());
  return follow(socket);
}

function follow(socket: Socket) {
  const came = { text: "", error: null as Error | null };
  const over = new Promise<void>((resolve) => {
    socket.setEncoding("utf8");
    socket.on("data", (text: string) => (came.text += text));
    socket.on("error", (error) => (came.error = error));
    socket.on("close", () => resolve());
  });
  const send = (): void => void socket.write(`GET ${PATH} HTTP/1.1\r\nHost: x\r\n\r\n`);
  /** The answers so far, as status lines with what they say of the connection. */
  const answers = (): string[] =>
    came.text
      .split("HTTP/1.1 ")
      .slice(1)
      .map((answer) => {
        const [, connection = "keep-alive"] = /^connection: (.*)$/im.exec(answer) ?? [];
        return `${answer.slice(0, 3)} ${connection}`;
      });
  return { socket, came, over, send, answers };
}

/** A drain whose pauses end when the test says so: after the delay, then moment by moment. */
function handDrain(instance: Instance) {
  const delay = Promise.withResolvers<void>();
  let released = false;
  const pauses: (() => void)[] = [];
  const options: DrainOptions = {
    delay_ms: 5_000,
    timeout_ms: 20_000,
    sleep(ms) {
      if (ms === 5_000) return delay.promise;
      if (ms === 20_000) return new Promise(() => {});
      return new Promise((resolve) => void pauses.push(resolve));
    },
  };
  const ended = instance.end({
    ...options,
    sleep: (ms) => (released && ms < 5_000 ? turn() : options.sleep(ms)),
  });
  const nextPause = async (): Promise<void> => {
    while (pauses.length === 0) await turn();
    pauses.shift()!();
  };
  /** All pauses from now on are short. */
  const release = async (): Promise<void> => {
    released = true;
    for (const end of pauses.splice(0)) end();
    await ended;
  };
  return { release, endDelay: delay.resolve, nextPause };
}

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await turn();
}

test("a request that is still unread when the drain delay ends is answered, and its connection closed", async (t) => {
  const instance = await startInstance();
  const client = await open(t, instance.port);
  client.send();
  await until(() => client.answers().length === 1);
  const { release, endDelay } = handDrain(instance);
  // Written into the kernel in the same moment: the server has not read it.
  endDelay();
  client.send();
  await client.over;
  assert.deepEqual(client.answers(), ["200 keep-alive", "200 close"]);
  assert.equal(client.came.error, null);
  await release();
  await instance.admin.close();
});

test("a client that has just connected when the drain delay ends is accepted and answered", async (t) => {
  const instance = await startInstance();
  const { release, endDelay } = handDrain(instance);
  endDelay();
  const client = await open(t, instance.port);
  client.send();
  await client.over;
  assert.deepEqual(client.answers(), ["200 close"]);
  await release();
  await assert.rejects(ask(instance.port, PATH), /ECONNREFUSED/);
  await instance.admin.close();
});

test("an idle connection is served until it was quiet for a moment after the delay, then ended without a reset", async (t) => {
  const instance = await startInstance();
  const [late, idle, crossing] = await Promise.all([1, 2, 3].map(() => open(t, instance.port)));
  for (const client of [late!, idle!, crossing!]) client.send();
  await until(() => [late!, idle!, crossing!].every((each) => each.answers().length === 1));
  const { release, endDelay, nextPause } = handDrain(instance);
  endDelay();
  for (let turns = 0; turns < 10; turns++) await turn();
  assert.equal(instance.app.server.listening, false);
  late!.send();
  await late!.over;
  assert.deepEqual(late!.answers(), ["200 keep-alive", "200 close"], "after the delay");
  // The moment is over; the request is in the kernel, and has not been read.
  await nextPause();
  crossing!.send();
  await crossing!.over;
  assert.deepEqual(crossing!.answers(), ["200 keep-alive", "200 close"], "at the very end");
  await idle!.over;
  assert.equal(idle!.came.error, null);
  assert.deepEqual(idle!.answers(), ["200 keep-alive"]);
  await release();
  await instance.admin.close();
});

test("a request that crosses the end of its connection is not executed", async (t) => {
  let executed = 0;
  const nearby = () => {
    executed += 1;
    return okReply();
  };
  const instance = await startInstance({ nearby });
  const socket = connect({ port: instance.port, host: "127.0.0.1", allowHalfOpen: true });
  t.after(() => socket.destroy());
  const client = follow(socket);
  client.send();
  await until(() => client.answers().length === 1);
  const { release, endDelay, nextPause } = handDrain(instance);
  endDelay();
  await nextPause();
  await new Promise((resolve) => void socket.once("end", resolve));
  client.send();
  socket.end();
  await client.over;
  assert.equal(executed, 1);
  assert.equal(client.answers().length, 1);
  await release();
  await instance.admin.close();
});

test("requests still under way after the timeout are cut, and reported as waited for", async () => {
  const request = Promise.withResolvers<void>();
  const nearby = () => {
    request.resolve();
    return new Promise<never>(() => {});
  };
  const instance = await startInstance({ nearby });
  const cut = assert.rejects(ask(instance.port, PATH), /socket hang up|ECONNRESET/);
  await request.promise;
  const waiting: number[] = [];
  const timeout = Promise.withResolvers<void>();
  const onWait = (connections: number): void => {
    waiting.push(connections);
    timeout.resolve();
  };
  const input = { delay_ms: 0, timeout_ms: 50, onWait };
  await instance.end({ ...input, sleep: (ms) => (ms === 50 ? timeout.promise : turn()) });
  await cut;
  assert.deepEqual(waiting, [1]);
  await instance.admin.close();
});

test("idle connections are advertised as living shorter than the drain delay, and live longer", async (t) => {
  for (const [delay_ms, advertised_ms] of [
    [0, 1_000],
    [1_000, 1_000],
    [2_000, 1_000],
    [5_000, 4_000],
    [10_000, 9_000],
    [10_500, 9_000],
    [120_000, 65_000],
  ] as const) {
    const { advertised_ms: keep_alive_ms, buffer_ms } = keepAliveOf(delay_ms);
    assert.equal(keep_alive_ms, advertised_ms, `${delay_ms}`);
    assert.equal(keep_alive_ms + buffer_ms, 65_000);
    if (delay_ms >= 2_000) assert.ok(keep_alive_ms < delay_ms);
  }
  const instance = await startInstance();
  t.after(() => Promise.all([instance.app.close(), instance.admin.close()]));
  const client = await open(t, instance.port);
  client.send();
  await until(() => client.answers().length === 1);
  assert.match(client.came.text, /^keep-alive: timeout=4(,|\r)/im);
  client.socket.destroy();
});

test("readiness says starting, ready, failing, draining; liveness and metrics keep answering", async () => {
  const state = createDrainState();
  const stub = stubServer({ drain: state });
  let ready = false;
  let problem: string | null = null;
  const admin = buildAdmin({
    metrics: stub.metrics,
    drain: state,
    ready: () => ready,
    problem: () => problem,
    api: null,
    host: "127.0.0.1",
  });
  const probe = async () => {
    const reply = await call(admin, { url: "/readyz" });
    return `${reply.statusCode} ${reply.payload}`;
  };
  assert.equal(await probe(), '503 {"status":"starting"}');
  ready = true;
  assert.equal(await probe(), '200 {"status":"ready"}');
  problem = "a.db-wal lost its name";
  assert.equal(await probe(), '503 {"status":"failing","reason":"a.db-wal lost its name"}');
  state.phase = "draining";
  assert.equal(await probe(), '503 {"status":"draining"}');
  assert.equal((await call(admin, { url: "/livez" })).statusCode, 200);

  await call(stub.app, { url: "/v1/nearby?lat=1&lon=2" });
  await call(stub.app, { url: "/v1/nearby" });
  await call(stub.app, { url: "/canary" });
  stub.metrics.feedIngested("ok");
  stub.metrics.watchFeedAges(() => [1, 2, 30]);
  await new Promise((resolve) => setImmediate(resolve));
  const { payload, headers } = await call(admin, { url: "/metrics" });
  assert.match(String(headers["content-type"]), /^text\/plain/);
  for (const line of [
    'svc_http_request_duration_seconds_count{route="/v1/nearby",method="GET",status="200"} 1',
    'svc_http_request_duration_seconds_count{route="any",method="GET",status="4xx"} 2',
    'svc_http_requests_total{route="/v1/nearby",method="GET",status="400"} 1',
    'svc_http_request_duration_seconds_bucket{le="+Inf",route="any",method="GET",status="4xx"} 2',
    'svc_http_requests_total{route="unmatched",method="GET",status="404"} 1',
    "# TYPE svc_http_request_duration_seconds histogram",
    'svc_http_inflight{class="keyed"} 0',
    "svc_draining 1",
    'svc_feed_ingest_total{outcome="ok"} 1',
    'svc_feed_age_seconds{quantile="1"} 30',
  ]) {
    assert.ok(payload.includes(line), line);
  }
  assert.match(payload, /svc_eventloop_delay_seconds{quantile="0.99"} /);
  assert.doesNotMatch(payload, /canary/);
  assert.equal((await call(admin, { url: "/health" })).statusCode, 404);
});
