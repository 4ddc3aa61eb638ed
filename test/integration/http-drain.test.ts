/** A rolling restart under load loses no request (reliability 2.4, Drain). */
import assert from "node:assert/strict";
import { Agent, get } from "node:http";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import { buildAdmin } from "#http/admin.ts";
import { createDrainState, drain } from "#http/drain.ts";
import { okReply, stubServer } from "../support/server.ts";

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

async function startInstance() {
  const state = createDrainState();
  const nearby = async () => {
    await sleep(Math.random() * 4);
    return okReply();
  };
  const stub = stubServer({ drain: state, nearby });
  const admin = buildAdmin({ metrics: stub.metrics, drain: state, ready: () => true, api: null });
  await stub.app.listen({ port: 0, host: "127.0.0.1" });
  await admin.listen({ port: 0, host: "127.0.0.1" });
  const port = (stub.app.server.address() as AddressInfo).port;
  const adminPort = (admin.server.address() as AddressInfo).port;
  return { state, app: stub.app, admin, port, adminPort, ready: true };
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

test("two instances, six rolling restarts under keep-alive load: no failed request", async () => {
  const instances: Instance[] = [await startInstance(), await startInstance()];
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  const load = { running: true };
  let turn = 0;
  const seen = { ok: 0, failed: [] as string[] };
  const watch = async () => {
    while (load.running) {
      for (const one of instances) {
        one.ready = (await ask(one.adminPort, "/readyz").catch(() => 0)) === 200;
      }
      await sleep(10);
    }
  };
  const client = async () => {
    while (load.running) {
      const able = instances.filter((one) => one.ready);
      const one = able[turn++ % able.length];
      assert.ok(one, "no instance is ready");
      const status = await ask(one.port, "/v1/nearby?lat=1&lon=2", agent).catch(String);
      if (status === 200) seen.ok++;
      else seen.failed.push(String(status));
    }
  };
  const clients = [watch(), ...Array.from({ length: 16 }, client)];
  for (let restart = 0; restart < 6; restart++) {
    const at = restart % 2;
    const old = instances[at] as Instance;
    await sleep(100);
    await drain(old.state, [old.app], { delay_ms: 150, timeout_ms: 2000, sleep });
    await old.admin.close();
    instances[at] = await startInstance();
  }
  load.running = false;
  await Promise.all(clients);
  agent.destroy();
  for (const one of instances) await Promise.all([one.app.close(), one.admin.close()]);
  assert.deepEqual(seen.failed, []);
  assert.ok(seen.ok > 1000, `only ${seen.ok} requests`);
});

test("what is still in flight after the timeout is cut", async () => {
  const state = createDrainState();
  const { app } = stubServer({ drain: state, nearby: () => new Promise(() => {}) });
  await app.listen({ port: 0, host: "127.0.0.1" });
  const pending = ask((app.server.address() as AddressInfo).port, "/v1/nearby?lat=1&lon=2");
  const cut = assert.rejects(pending, /socket hang up|ECONNRESET/);
  await sleep(50);
  await drain(state, [app], { delay_ms: 0, timeout_ms: 50, sleep });
  await cut;
});

test("readiness says starting, ready, draining; liveness and metrics keep answering", async () => {
  const state = createDrainState();
  const stub = stubServer({ drain: state });
  let ready = false;
  const admin = buildAdmin({ metrics: stub.metrics, drain: state, ready: () => ready, api: null });
  const probe = async () => {
    const reply = await admin.inject("/readyz");
    return `${reply.statusCode} ${reply.payload}`;
  };
  assert.equal(await probe(), '503 {"status":"starting"}');
  ready = true;
  assert.equal(await probe(), '200 {"status":"ready"}');
  state.phase = "draining";
  assert.equal(await probe(), '503 {"status":"draining"}');
  assert.equal((await admin.inject("/livez")).statusCode, 200);

  await stub.app.inject("/v1/nearby?lat=1&lon=2");
  await stub.app.inject("/v1/nearby");
  await stub.app.inject("/canary");
  stub.metrics.feedIngested("ok");
  stub.metrics.watchFeedAges(() => [1, 2, 30]);
  await new Promise((resolve) => setImmediate(resolve));
  const { payload, headers } = await admin.inject("/metrics");
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
  assert.equal((await admin.inject("/health")).statusCode, 404);
});
