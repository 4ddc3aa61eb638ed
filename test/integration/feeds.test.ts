/** The feed runtime over real sockets: a host of ours, the real client, the real parsing thread. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { test, type TestContext } from "node:test";
import { createManualClock } from "../support/manual-clock.ts";
import { gbfsProtocol } from "#stations/index.ts";
import { createEgress } from "#upstream/egress.ts";
import { IngestPool } from "#upstream/feeds/ingest-pool.ts";
import { createHttpClient } from "#upstream/http.ts";
import { createRun } from "#upstream/run.ts";
import { createWorld } from "#world/world.ts";
import {
  ask,
  type Bottle,
  createBottle,
  START_MS,
  START_S,
  stationsOf,
  statusesOf,
  systemOf,
} from "../unit/feeds/support.ts";
import { noFault } from "../support/faults.ts";

type Host = { origin: string; files: Map<string, unknown>; seen: { path: string; etag: string }[] };

test("loads, polls with validators, and survives a host that goes away", {}, async (t) => {
  const host = await listen(t);
  const bottle = await bottleOf(t, host);
  assert.deepEqual(await ask(bottle), { status: "ok", cache: "miss" });
  assert.equal(bottle.shard().statics.count, 500);
  const before = bottle.shard();
  await bottle.clock.advance(60_000);
  assert.equal(host.seen.at(-1)!.etag, '"station_status"', "a conditional request");
  assert.equal(bottle.shard().status!.data, before.status!.data);
  assert.equal(bottle.shard().status!.live!.validated_at_ms, START_MS + 60_000);
  host.files.delete("station_status");
  await bottle.clock.advance(60_000);
  assert.equal(bottle.feeds.health("a").reason, "station_status:http_404");
  assert.equal(bottle.shard().status!.data, before.status!.data);
});

test("a survey records in the world where a system is", {}, async (t) => {
  const host = await listen(t);
  const world = createWorld();
  world.register({ source_id: "a", country: "FR" });
  const bottle = await bottleOf(t, host, {
    sink: world,
    survey: { enabled: true, concurrency: 8 },
  });
  assert.equal(world.isSurveyed(), false);
  bottle.feeds.start();
  await bottle.feeds.surveyed();
  assert.equal(world.isSurveyed(), true);
  assert.equal(world.find("a")!.box!.south, 48.85);
  assert.equal(world.find("a")!.shard, null);
  await ask(bottle);
  assert.equal(world.find("a")!.shard!.statics.count, 500);
});

async function bottleOf(
  t: TestContext,
  host: Host,
  options: Parameters<typeof createBottle>[0] = {},
): Promise<Bottle> {
  const clock = createManualClock(START_MS);
  const egress = createEgress({ allow_private: true });
  const client = createHttpClient({ egress, user_agent: "test", now: clock.now });
  const pool = new IngestPool({
    onFault: noFault,
    inline: gbfsProtocol.ingest,
    worker_url: new URL("../../src/main/workers/ingest.ts", import.meta.url),
  });
  const bottle = createBottle({
    clock,
    run: createRun({ client, clock, onFault: noFault }),
    ingest: (job) => pool.ingest(job),
    systems: [systemOf("a", `${host.origin}/gbfs`, { country: "FR" })],
    ...options,
  });
  t.after(async () => {
    await bottle.feeds.close();
    await pool.close();
    await egress.close();
  });
  return bottle;
}

/** A GBFS host with etags; its station file is big enough for the parsing thread. */
async function listen(t: TestContext): Promise<Host> {
  const host: Host = { origin: "", files: new Map(), seen: [] };
  const server = createServer((request, response) => answer(host, request, response));
  await once(server.listen(0, "127.0.0.1"), "listening");
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  host.origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const names = ["system_information", "station_information", "station_status"];
  const feeds = names.map((name) => ({ name, url: `${host.origin}/${name}` }));
  host.files.set("gbfs", { en: { feeds } });
  host.files.set("system_information", { system_id: "a", language: "en", name: "City" });
  host.files.set("station_information", { stations: stationsOf(500) });
  host.files.set("station_status", { stations: statusesOf(500, 3) });
  return host;
}

function answer(host: Host, request: IncomingMessage, response: ServerResponse): void {
  const name = (request.url ?? "").slice(1);
  const data = host.files.get(name);
  const etag = `"${name}"`;
  host.seen.push({ path: name, etag: request.headers["if-none-match"] ?? "" });
  if (data === undefined) return void response.writeHead(404).end();
  if (request.headers["if-none-match"] === etag) return void response.writeHead(304).end();
  response.writeHead(200, { "content-type": "application/json", etag });
  response.end(JSON.stringify({ last_updated: START_S, ttl: 60, version: "2.3", data }));
}
