/** Demand, sleep, due times, back-off: when a system is asked, and when it is left alone. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { ask, createBottle, createCity, START_MS, START_S, systemOf } from "./support.ts";

const HTTP_500 = { status: "error", reason: "http_500" } as const;
const STATUS = "station_status.json";

test("a woken system is polled at its pace, and sleeps without questions", async () => {
  const bottle = createBottle({ idle_s: 300 });
  createCity(bottle.upstream);
  bottle.feeds.wake("a");
  await bottle.clock.advance(0);
  assert.equal(bottle.upstream.count(STATUS), 1, "loaded without a question waiting");
  for (let minute = 1; minute <= 4; minute++) {
    await bottle.clock.advance(60_000);
    assert.equal(bottle.upstream.count(STATUS), 1 + minute, "done before the clock resolves");
  }
  await bottle.clock.advance(60_000);
  await bottle.clock.advance(60_000);
  const asleep = bottle.upstream.requests.length;
  await bottle.clock.advance(86_400_000);
  assert.equal(bottle.upstream.requests.length, asleep);
  bottle.feeds.wake("a");
  await bottle.clock.advance(0);
  assert.ok(bottle.upstream.requests.length > asleep);
});

test("asking keeps a system awake; waking one that is awake starts nothing", async () => {
  const bottle = createBottle({ idle_s: 90 });
  createCity(bottle.upstream);
  for (let i = 0; i < 20; i++) {
    bottle.feeds.wake("a");
    await bottle.clock.advance(30_000);
  }
  assert.equal(bottle.upstream.count(STATUS), 10);
});

test("systems without questions near them cost nothing", async () => {
  const bottle = createBottle();
  bottle.feeds.start();
  await bottle.clock.advance(86_400_000);
  assert.equal(bottle.upstream.requests.length, 0);
  bottle.feeds.wake("unknown");
  const refused = await bottle.feeds.refresh("unknown", { begun_after_ms: 0 });
  assert.deepEqual(refused, { status: "unavailable", reason: "unknown_source" });
});

for (const [random, due_s] of [
  [0, 54],
  [0.5, 60],
  [0.999_999, 66],
] as const)
  test(`jitter ${random} polls a ttl of 60 s after ${due_s} s`, async () => {
    const bottle = createBottle({ random: () => random });
    createCity(bottle.upstream);
    bottle.feeds.wake("a");
    await bottle.clock.advance(0);
    await bottle.clock.advance(due_s * 1000 - 100);
    assert.equal(bottle.upstream.count(STATUS), 1);
    await bottle.clock.advance(200);
    assert.equal(bottle.upstream.count(STATUS), 2);
  });

for (const [ttl, due_s, shown_s] of [
  [0, 60, 60],
  ["soon", 60, 60],
  [1, 15, 1],
  [3600, 300, 3600],
] as const)
  test(`a ttl of ${ttl} is polled after ${due_s} s and shown as ${shown_s}`, async () => {
    const bottle = createBottle({ idle_s: 9_000 });
    const city = createCity(bottle.upstream, undefined, { vehicles: false });
    city.publish("station_status", { stations: [] }, { ttl });
    bottle.feeds.wake("a");
    await bottle.clock.advance(0);
    assert.equal(bottle.shard().status!.live!.ttl_s, shown_s);
    await bottle.clock.advance(due_s * 1000 - 1);
    assert.equal(bottle.upstream.count(STATUS), 1);
    await bottle.clock.advance(1);
    assert.equal(bottle.upstream.count(STATUS), 2);
  });

test("without a publisher's time the document has that of the fetch", async () => {
  const bottle = createBottle();
  const city = createCity(bottle.upstream);
  city.publish("station_status", { stations: [] }, { last_updated: START_S + 9_999 });
  await ask(bottle);
  assert.equal(bottle.shard().status!.live!.doc_s, START_S);
});

test("back-off doubles in the background, demand retries after 5 s, success ends it", async () => {
  const bottle = createBottle({ idle_s: 100_000 });
  const city = createCity(bottle.upstream, undefined, { vehicles: false });
  await ask(bottle);
  city.fail("station_status", HTTP_500);
  await bottle.clock.advance(60_000);
  const failed_at = [bottle.upstream.count(STATUS)];
  for (const wait of [5, 10, 20, 40, 80, 160, 300, 300]) {
    await bottle.clock.advance(wait * 1000 - 1);
    assert.equal(bottle.upstream.count(STATUS), failed_at.at(-1), `not before ${wait} s`);
    await bottle.clock.advance(1);
    failed_at.push(bottle.upstream.count(STATUS));
    assert.equal(failed_at.at(-1), failed_at.at(-2)! + 1, `after ${wait} s`);
  }
  assert.equal((await ask(bottle)).status, "error");
  assert.equal(bottle.upstream.count(STATUS), failed_at.at(-1), "answered at once");
  await bottle.clock.advance(5_000);
  city.publish("station_status", { stations: [] });
  assert.equal((await ask(bottle)).status, "ok");
  assert.equal(bottle.feeds.health("a").status, "ok");
  const recovered = bottle.upstream.count(STATUS);
  await bottle.clock.advance(60_000);
  assert.equal(bottle.upstream.count(STATUS), recovered + 1, "the old pace again");
});

test("Retry-After holds demand and polls, and ends with its time", async () => {
  const bottle = createBottle({ idle_s: 100_000 });
  const city = createCity(bottle.upstream, undefined, { vehicles: false });
  await ask(bottle);
  const retry_at_ms = START_MS + 160_000;
  city.fail("station_status", { status: "error", reason: "http_429", retry_at_ms });
  await bottle.clock.advance(60_000);
  const before = bottle.upstream.count(STATUS);
  await bottle.clock.advance(99_000);
  const refused = await ask(bottle);
  assert.deepEqual(refused, { status: "error", reason: "station_status:http_429" });
  assert.equal(bottle.upstream.count(STATUS), before);
  await bottle.clock.advance(1_000);
  city.publish("station_status", { stations: [] });
  await ask(bottle);
  assert.ok(bottle.upstream.count(STATUS) > before);
});

test("a question does not request the file whose publisher asked for a delay, but the other", async () => {
  const bottle = createBottle();
  const city = createCity(bottle.upstream);
  await ask(bottle);
  const retry_at_ms = START_MS + 1_000_000;
  city.fail("free_bike_status", { status: "error", reason: "http_429", retry_at_ms });
  await bottle.clock.advance(20_000);
  const result = await ask(bottle);
  await bottle.clock.advance(20_000);
  assert.deepEqual(await ask(bottle), result);
  assert.deepEqual(result, { status: "error", reason: "vehicle_status:http_429" });
  assert.equal(bottle.upstream.count("free_bike_status.json"), 2);
  assert.equal(bottle.upstream.count(STATUS), 3);
});

test("a system that cannot be loaded backs off as a whole", async () => {
  const bottle = createBottle();
  const city = createCity(bottle.upstream);
  city.fail("gbfs", { status: "unauthorized", reason: "http_401" });
  const refused = { status: "unauthorized", reason: "discovery:http_401" };
  assert.deepEqual(await ask(bottle), refused);
  for (let i = 0; i < 50; i++) assert.deepEqual(await ask(bottle), refused);
  assert.equal(bottle.upstream.requests.length, 1);
  assert.equal(bottle.feeds.snapshot()[0]!.state, "unauthorized");
  assert.equal(bottle.feeds.snapshot()[0]!.error_rate_5m, 1);
  createCity(bottle.upstream);
  await bottle.clock.advance(5_000);
  assert.equal(bottle.feeds.health("a").status, "ok", "polled again, as there had been a question");
});

test("the worst failure is reported", async () => {
  const bottle = createBottle();
  const city = createCity(bottle.upstream);
  await ask(bottle);
  await bottle.clock.advance(10_000);
  city.fail("station_status", { status: "timeout", reason: "deadline" });
  city.fail("free_bike_status", { status: "unauthorized", reason: "http_403" });
  assert.deepEqual(await ask(bottle), {
    status: "unauthorized",
    reason: "vehicle_status:http_403",
  });
});

test("the error rate is that of the last five minutes", async () => {
  const bottle = createBottle();
  const city = createCity(bottle.upstream);
  const rate = (): number | null => bottle.feeds.snapshot()[0]!.error_rate_5m;
  assert.equal(rate(), null);
  await ask(bottle);
  assert.equal(rate(), 0);
  city.fail("station_status", HTTP_500);
  await bottle.feeds.refresh("a", { begun_after_ms: 0 });
  assert.ok(rate()! > 0 && rate()! < 1);
  await bottle.clock.advance(1_000_000);
  await bottle.clock.advance(600_000);
  assert.equal(rate(), null);
});

test("credentials and the host policy go with every request of the policy's site", async () => {
  const auth = { kind: "query", name: "key", value: "secret" } as const;
  const url = "https://a.example/gbfs.json";
  for (const same_site_as of [["a.example"], null]) {
    const bottle = createBottle({ systems: [systemOf("a", url, { auth, same_site_as })] });
    const city = createCity(bottle.upstream);
    const elsewhere = "https://cdn.other/status.json";
    const feeds = ["system_information", "vehicle_types", "station_information"].map((name) => ({
      name,
      url: city.file(name),
    }));
    feeds.push({ name: "station_status", url: elsewhere });
    city.publish("gbfs", { en: { feeds } });
    await ask(bottle);
    for (const request of bottle.upstream.requests) {
      const foreign = same_site_as === null && request.url === elsewhere;
      assert.deepEqual(request.auth, foreign ? undefined : auth, request.url);
      assert.deepEqual(request.same_site_as, same_site_as ?? undefined);
    }
  }
});

test("no host gets more than six requests at a time", async () => {
  const ids = Array.from({ length: 10 }, (_, i) => `a${i}`);
  const bottle = createBottle({
    systems: ids.map((id) => systemOf(id, `https://one.example/${id}/gbfs.json`)),
  });
  for (const id of ids) createCity(bottle.upstream, `https://one.example/${id}`);
  const results = await Promise.all(ids.map((id) => ask(bottle, id)));
  assert.ok(results.every((result) => result.status === "ok"));
  assert.equal(bottle.upstream.peak(), 6);
});

test("closing ends what is in the air, and nothing begins any more", async () => {
  const bottle = createBottle();
  createCity(bottle.upstream);
  const request = ask(bottle);
  await bottle.feeds.close();
  await request;
  const before = bottle.upstream.requests.length;
  bottle.feeds.wake("a");
  await bottle.clock.advance(1_000_000);
  assert.deepEqual(await ask(bottle), { status: "unavailable", reason: "shutting_down" });
  assert.equal(bottle.upstream.requests.length, before);
});

test("a fault of our own in the polls does not spin", async () => {
  const bottle = createBottle({ ingest: () => Promise.reject(new Error("planted")) });
  createCity(bottle.upstream);
  bottle.feeds.wake("a");
  await bottle.clock.advance(0);
  assert.equal(bottle.events.length, 1);
  await bottle.clock.advance(59_000);
  assert.equal(bottle.events.length, 1);
});
