/** One refresh: first load, unchanged bodies, failures that stay their own, statics that change. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { isFresh } from "#stations/shard/shard.ts";
import {
  ask,
  bikeAt,
  createBottle,
  createCity,
  pollFor,
  START_MS,
  stationsOf,
  statusesOf,
} from "./support.ts";

const HTTP_500 = { status: "error", reason: "http_500" } as const;

test("a first load brings statics and live parts, with ages and a box", async () => {
  const bottle = createBottle();
  createCity(bottle.upstream);
  assert.deepEqual(await ask(bottle), { status: "ok", cache: "miss" });
  const { statics, status, vehicles, alerts, box } = bottle.shard();
  assert.equal(statics.count, 2);
  assert.equal(statics.meta.network.name, "City");
  assert.deepEqual([...status!.data!.vehicles], [3, 3]);
  assert.equal(vehicles!.data!.count, 1);
  assert.equal(alerts, null, "not offered");
  assert.deepEqual(status!.live, {
    validated_at_ms: START_MS,
    doc_s: START_MS / 1000 - 10,
    ttl_s: 60,
  });
  assert.deepEqual(box, { south: 48.85, west: 2.35, north: 48.86, east: 2.36 });
  assert.equal(bottle.feeds.health("a").status, "ok");
});

test("a hundred refreshes at once share one: one request per file", async () => {
  const bottle = createBottle();
  createCity(bottle.upstream);
  const requests = Array.from({ length: 100 }, () => ask(bottle));
  const results = await Promise.all(requests);
  assert.ok(results.every((result) => result.status === "ok"));
  for (const name of ["gbfs", "system_information", "vehicle_types", "station_information"])
    assert.equal(bottle.upstream.count(`${name}.json`), 1, name);
  assert.equal(bottle.upstream.count("station_status.json"), 1);
  assert.equal(bottle.upstream.count("free_bike_status.json"), 1);
});

test("callers that need a refresh begun after the running one wait for the next, together", async () => {
  const bottle = createBottle();
  const city = createCity(bottle.upstream);
  const gate = Promise.withResolvers<void>();
  city.hold("station_status", gate.promise);
  // Not woken: the moved clock would wait for a poll that waits for the gate.
  const refresh = (begun_after_ms: number) => bottle.feeds.refresh("a", { begun_after_ms });
  const early = refresh(START_MS);
  await bottle.clock.advance(100);
  const late = [refresh(START_MS + 100), refresh(START_MS + 100)];
  const joined = refresh(START_MS);
  city.hold("station_status", Promise.resolve());
  gate.resolve();
  assert.equal((await early).status, "ok");
  assert.equal(await joined, await early);
  await Promise.all(late);
  assert.equal(bottle.upstream.count("station_status.json"), 2);
});

test("304 and an equal body keep the pointers and renew the age", async () => {
  const bottle = createBottle();
  const city = createCity(bottle.upstream);
  city.publish("station_status", { stations: statusesOf(2, 3) }, {}, '"v1"');
  await ask(bottle);
  const before = bottle.shard();
  await bottle.clock.advance(20_000);
  const jobs = bottle.jobs.length;
  const result = await ask(bottle);
  const after = bottle.shard();
  assert.deepEqual(result, { status: "ok", cache: "revalidated" });
  assert.equal(bottle.jobs.length, jobs, "nothing was parsed");
  assert.equal(bottle.upstream.requests.at(-2)!.etag, '"v1"');
  assert.notEqual(after, before);
  assert.equal(after.statics, before.statics);
  assert.equal(after.status!.data, before.status!.data);
  assert.equal(after.vehicles!.data, before.vehicles!.data, "equal body without a validator");
  assert.equal(after.status!.live!.validated_at_ms, START_MS + 20_000);
  assert.equal(after.vehicles!.live!.validated_at_ms, START_MS + 20_000);
  assert.equal(after.status!.live!.doc_s, before.status!.live!.doc_s);
});

test("a failing live file keeps its last good data with their age; the other goes on", async () => {
  const bottle = createBottle();
  const city = createCity(bottle.upstream);
  await ask(bottle);
  const before = bottle.shard();
  await bottle.clock.advance(10_000);
  city.fail("station_status", HTTP_500);
  city.publish("free_bike_status", { bikes: [bikeAt(48.9)] });
  const result = await ask(bottle);
  const after = bottle.shard();
  assert.deepEqual(result, { status: "error", reason: "station_status:http_500" });
  assert.equal(after.status, before.status, "data and age");
  assert.notEqual(after.vehicles!.data, before.vehicles!.data);
  assert.deepEqual(bottle.feeds.health("a"), {
    name: bottle.feeds.find("a")!.name,
    status: "error",
    reason: "station_status:http_500",
    last_success_at_ms: START_MS + 10_000,
    last_attempt_at_ms: START_MS + 10_000,
  });
});

test("a live file that fails at first load is offered and unread, not absent", async () => {
  const bottle = createBottle();
  const city = createCity(bottle.upstream);
  city.fail("station_status", { status: "timeout", reason: "deadline" });
  await ask(bottle);
  assert.deepEqual(bottle.shard().status, { data: null, live: null });
  assert.equal(isFresh(bottle.shard().status, START_MS), false);
  assert.equal(bottle.shard().vehicles!.data!.count, 1);
});

test("a slow live file does not hold the others back", async () => {
  const bottle = createBottle();
  const city = createCity(bottle.upstream);
  await ask(bottle);
  await bottle.clock.advance(10_000);
  const gate = Promise.withResolvers<void>();
  city.hold("free_bike_status", gate.promise);
  city.publish("station_status", { stations: statusesOf(2, 9) });
  const request = ask(bottle);
  for (let i = 0; i < 20; i++) await new Promise((resolve) => void setImmediate(resolve));
  assert.deepEqual([...bottle.shard().status!.data!.vehicles], [9, 9]);
  gate.resolve();
  await request;
});

for (const [what, body, reason] of [
  ["not JSON", "<html>", "not_json"],
  ["of the wrong shape", { hello: 1 }, "wrong_shape"],
] as const)
  test(`a body that is ${what} is a failure, and its etag is not remembered`, async () => {
    const bottle = createBottle();
    const city = createCity(bottle.upstream);
    await ask(bottle);
    const before = bottle.shard();
    await bottle.clock.advance(20_000);
    bottle.upstream.set(city.file("station_status"), { body, etag: '"bad"' });
    const result = await ask(bottle);
    assert.deepEqual(result, { status: "error", reason: `station_status:${reason}` });
    assert.equal(bottle.shard().status, before.status);
    await bottle.clock.advance(6_000);
    await ask(bottle);
    const last = bottle.upstream.requests.findLast(({ url }) =>
      url.endsWith("station_status.json"),
    );
    assert.equal(last!.etag, null);
  });

test("a listed optional file that is 404 counts as not offered", async () => {
  const bottle = createBottle();
  const city = createCity(bottle.upstream, undefined, { extra: ["system_alerts"] });
  bottle.upstream.remove(city.file("vehicle_types"));
  assert.equal((await ask(bottle)).status, "ok");
  assert.equal(bottle.shard().alerts, null);
  assert.deepEqual(bottle.shard().statics.meta.types, []);
  assert.equal(bottle.feeds.health("a").status, "ok");
});

for (const name of ["station_information", "station_status", "free_bike_status"])
  test(`a listed ${name} that is 404 is a failure`, async () => {
    const bottle = createBottle();
    const city = createCity(bottle.upstream);
    bottle.upstream.remove(city.file(name));
    const result = await ask(bottle);
    const file = name === "free_bike_status" ? "vehicle_status" : name;
    assert.deepEqual(result, { status: "error", reason: `${file}:http_404` });
  });

test("vehicle types that fail at first load fail the refresh; later the old ones stay", async () => {
  const bottle = createBottle();
  const city = createCity(bottle.upstream);
  city.fail("vehicle_types", HTTP_500);
  assert.deepEqual(await ask(bottle), { status: "error", reason: "vehicle_types:http_500" });
  assert.equal(bottle.puts.length, 0);
  createCity(bottle.upstream);
  await bottle.clock.advance(6_000);
  assert.equal((await ask(bottle)).status, "ok");
  const before = bottle.shard();
  city.fail("vehicle_types", HTTP_500);
  city.publish("station_information", { stations: stationsOf(3) });
  for (let i = 0; i < 8; i++) {
    bottle.feeds.wake("a");
    await bottle.clock.advance(60_000);
  }
  assert.ok(bottle.upstream.count("vehicle_types.json") >= 3);
  assert.equal(bottle.shard().statics, before.statics);
  assert.equal(bottle.feeds.health("a").reason, "vehicle_types:http_500");
});

test("when the statics change, live packs are made against them in the same refresh", async () => {
  const bottle = createBottle();
  const city = createCity(bottle.upstream);
  city.publish("station_status", { stations: statusesOf(3, 4) }, {}, '"s1"');
  await ask(bottle);
  const before = bottle.shard();
  assert.equal(before.status!.data!.vehicles.length, 2);
  city.publish("station_information", { stations: stationsOf(3) });
  await pollFor(bottle, 6);
  const after = bottle.shard();
  assert.notEqual(after.statics, before.statics);
  assert.equal(after.statics.count, 3);
  assert.deepEqual(
    [...after.status!.data!.vehicles],
    [4, 4, 4],
    "laid out again in spite of its etag",
  );
  for (const shard of bottle.puts)
    assert.equal(shard.status!.data!.vehicles.length, shard.statics.count, "never a mixture");
});

test("statics that are the same but for their time keep the pack", async () => {
  const bottle = createBottle();
  const city = createCity(bottle.upstream);
  await ask(bottle);
  const before = bottle.shard();
  city.publish(
    "station_information",
    { stations: stationsOf(2) },
    { last_updated: START_MS / 1000 },
  );
  await pollFor(bottle, 6);
  assert.equal(bottle.upstream.count("station_information.json"), 2);
  assert.equal(bottle.shard().statics, before.statics);
});

test("new statics wait when a live file would be lost with the old ones", async () => {
  const bottle = createBottle();
  const city = createCity(bottle.upstream);
  await ask(bottle);
  const before = bottle.shard();
  city.publish("station_information", { stations: stationsOf(3) });
  city.fail("free_bike_status", HTTP_500);
  await pollFor(bottle, 6);
  assert.equal(bottle.shard().statics, before.statics);
  assert.equal(bottle.shard().vehicles!.data, before.vehicles!.data);
  assert.ok(bottle.shard().status!.live!.validated_at_ms > START_MS, "the other one goes on");
  city.publish("free_bike_status", { bikes: [bikeAt(48.85)] });
  await pollFor(bottle, 12);
  assert.equal(bottle.shard().statics.count, 3);
  assert.equal(bottle.shard().vehicles!.data!.count, 1);
});

test("alerts and zones come with the polls", async () => {
  const bottle = createBottle();
  const extra = ["system_alerts", "geofencing_zones"];
  const city = createCity(bottle.upstream, undefined, { extra });
  city.publish("system_alerts", { alerts: [{ alert_id: "x", type: "other", summary: "S" }] });
  const zones = { type: "FeatureCollection", features: [] };
  city.publish("geofencing_zones", { geofencing_zones: zones });
  await ask(bottle);
  assert.equal(bottle.shard().alerts!.data!.count, 1);
  await bottle.clock.advance(1);
  assert.ok(bottle.shard().zones);
  await pollFor(bottle, 3);
  assert.ok(bottle.upstream.count("system_alerts.json") >= 3, "at the pace of the street");
  assert.equal(bottle.upstream.count("geofencing_zones.json"), 1, "at static pace");
});

test("violation 14: coordinates from the status are there at first load", async () => {
  const bottle = createBottle();
  const city = createCity(bottle.upstream);
  city.publish("station_information", { stations: [{ station_id: "s0", name: "No place" }] });
  const [status] = statusesOf(1, 3) as object[];
  city.publish("station_status", { stations: [{ ...status, lat: 48.85, lon: 2.35 }] });
  await ask(bottle);
  assert.equal(bottle.shard().statics.count, 1);
});

test("a broken system_information costs a name, not the system", async () => {
  const bottle = createBottle();
  const city = createCity(bottle.upstream);
  bottle.upstream.set(city.file("system_information"), { body: "<html>" });
  assert.equal((await ask(bottle)).status, "ok");
  assert.equal(bottle.shard().statics.count, 2);
});

test("a bug below does not reject, and the system can be asked again", async () => {
  const bottle = createBottle({
    ingest: () => Promise.reject(new Error("planted")),
  });
  createCity(bottle.upstream);
  assert.deepEqual(await ask(bottle), { status: "error", reason: "internal" });
  assert.equal(bottle.events.at(-1)!.kind, "fault");
  assert.equal((await ask(bottle)).status, "error");
});
