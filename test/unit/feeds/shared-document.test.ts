/** Systems whose files are one document, of a publisher that counts requests (CityBikes). */
import assert from "node:assert/strict";
import { test } from "node:test";
import { citybikesProtocol } from "#stations/citybikes/citybikes-protocol.ts";
import { ask, createBottle, createUpstream, START_MS, systemOf } from "./support.ts";
import { createMemoryLimiter } from "#storage/embedded/limiter.ts";
import { createManualClock } from "../../support/manual-clock.ts";
import type { FeedSystem } from "#upstream/feeds/feed-types.ts";

const URL_OF = (id: string): string => `https://api.example/v2/networks/${id}`;
const NEAR = { south: 48, west: 2, north: 49, east: 3 };

function networkOf(id: string, change: Partial<FeedSystem> = {}): FeedSystem {
  return systemOf(`citybikes:${id}`, URL_OF(id), {
    protocol: citybikesProtocol,
    near: NEAR,
    ...change,
  });
}

function bodyOf(id: string): unknown {
  const station = { id: "s", name: "S", latitude: 48.85, longitude: 2.35 };
  const counts = { free_bikes: 3, empty_slots: 4, timestamp: new Date(START_MS).toISOString() };
  return { network: { id, name: id, stations: [{ ...station, ...counts, extra: {} }] } };
}

function bottleOf(ids: readonly string[]) {
  const clock = createManualClock(START_MS);
  const upstream = createUpstream(clock);
  for (const id of ids) upstream.set(URL_OF(id), { body: bodyOf(id) });
  const systems = ids.map((id) => networkOf(id));
  return createBottle({ clock, upstream, systems, idle_s: 100_000 });
}

test("one document is one request, at the first load and at every poll", async () => {
  const bottle = bottleOf(["a"]);
  await ask(bottle, "citybikes:a");
  assert.equal(bottle.upstream.requests.length, 1);
  const shard = bottle.shard("citybikes:a");
  assert.equal(shard.statics.count, 1);
  assert.equal(shard.status!.data!.vehicles[0], 3);
  bottle.feeds.wake("citybikes:a");
  await bottle.clock.advance(180_000);
  assert.equal(bottle.upstream.requests.length, 2);
  await bottle.clock.advance(3_600_000 - 180_000);
  // Twenty live polls, and once more for the static part.
  assert.ok(bottle.upstream.requests.length <= 22, String(bottle.upstream.requests.length));
});

test("a network is looked for about its city until it has been read, and costs no survey", async () => {
  const bottle = bottleOf(["a"]);
  bottle.feeds.start();
  await bottle.feeds.surveyed();
  await bottle.clock.advance(3_600_000);
  assert.equal(bottle.upstream.requests.length, 0);
  assert.deepEqual(bottle.boxes.get("citybikes:a"), NEAR);
  await ask(bottle, "citybikes:a");
  const { south, north } = bottle.boxes.get("citybikes:a")!;
  assert.deepEqual([south, north], [48.85, 48.85]);
});

test("the publisher's hourly limit holds over all networks; beyond it they are rate limited", async () => {
  const ids = Array.from({ length: 320 }, (_, i) => `n${i}`);
  const bottle = bottleOf(ids);
  const results = await Promise.all(ids.map((id) => ask(bottle, `citybikes:${id}`)));
  assert.equal(bottle.upstream.requests.length, 300);
  const refused = results.filter((result) => result.status !== "ok");
  assert.equal(refused.length, 20);
  for (const result of refused) {
    assert.ok(result.status === "unavailable");
    assert.match(result.reason, /rate_limited$/);
  }
  await bottle.clock.advance(12_000);
  const late = ids.filter((_, i) => results[i]!.status !== "ok");
  await ask(bottle, `citybikes:${late[0]}`);
  assert.equal(bottle.upstream.requests.length, 301, "one more every twelve seconds");
});

test("an unknown network is a failure, not an empty one", async () => {
  const bottle = bottleOf(["a"]);
  bottle.upstream.remove(URL_OF("a"));
  const result = await ask(bottle, "citybikes:a");
  assert.equal(result.status, "error");
  assert.equal(bottle.puts.length, 0);
});

test("in a fleet the limit holds over all replicas", async () => {
  const clock = createManualClock(START_MS);
  const upstream = createUpstream(clock);
  const ids = Array.from({ length: 320 }, (_, i) => `n${i}`);
  for (const id of ids) upstream.set(URL_OF(id), { body: bodyOf(id) });
  const systems = ids.map((id) => networkOf(id));
  const limiter = createMemoryLimiter({ max_buckets: 10 });
  const replicas = [0, 1].map(() => createBottle({ clock, upstream, systems, limiter }));
  const results = await Promise.all(ids.map((id, i) => ask(replicas[i % 2]!, `citybikes:${id}`)));
  assert.equal(upstream.requests.length, 300);
  const refused = results.filter((result) => result.status === "unavailable");
  assert.equal(refused.length, 20);
  const late = results.findIndex((result) => result.status !== "ok");
  await clock.advance(12_000);
  await ask(replicas[late % 2]!, `citybikes:n${late}`);
  assert.equal(upstream.requests.length, 301);
});
