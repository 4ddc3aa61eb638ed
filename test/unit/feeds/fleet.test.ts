/** Feeds fetched once per fleet: how often publishers are asked, and what the other replicas receive. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { createNearby } from "#app/nearby.ts";
import { createOpenStates } from "#app/places/open-states.ts";
import { toBytes, toInput } from "../../support/answers.ts";
import { DOUBT_MS, LEASE_LIFE_MS } from "../../support/memory-exchange.ts";
import {
  assertPace,
  createFleetOf,
  gapsOf,
  type Replica,
  type TestFleet,
} from "./fleet-support.ts";
import { ask, createCity, START_MS, stationsOf, statusesOf, systemOf, turn } from "./support.ts";
import { sized } from "../../support/size.ts";

const STATUS = "station_status.json";
const STATIONS = "station_information.json";
const HTTP_500 = { status: "error", reason: "http_500" } as const;
const HOUR_MS = 3_600_000;
/** ±10 % of a minute, the request itself, and the lag of who did not fly last. */
const PACE = { least_ms: 54_000, most_ms: 67_600 };

function packsOf({ world }: Replica, id = "s0"): unknown[] {
  const shard = world.find(id)!.shard;
  if (!shard) return [];
  const { status, vehicles } = shard;
  return [shard.statics.buffer, status?.data?.state.buffer, vehicles?.data?.state.buffer];
}

test("each file is requested once per time to live, whichever replica wakes when", async () => {
  for (const seed of sized([1], [1, 2, 3])) {
    const fleet = createFleetOf({ replicas: 4, cities: 5, seed });
    await fleet.live(2 * HOUR_MS);
    for (const city of fleet.cities) {
      for (const file of [STATUS, "free_bike_status.json"])
        assertPace(fleet.times(`${city.base}/${file}`), { ...PACE, span_ms: 2 * HOUR_MS });
      const loads = fleet.times(`${city.base}/gbfs.json`).length;
      assert.ok(loads === 2 || loads === 3, "loaded, and hourly");
    }
    for (const replica of fleet.replicas)
      for (let i = 0; i < 5; i++)
        assert.deepEqual(packsOf(replica, `s${i}`), packsOf(fleet.replicas[0]!, `s${i}`));
    assert.equal(fleet.exchange.leases(), 0, "each was released");
  }
});

test("alone at the exchange it is as without one", async () => {
  const fleet = createFleetOf({ replicas: 1 });
  const alone = createFleetOf({ replicas: 1, exchange: null });
  await fleet.live(HOUR_MS);
  await alone.live(HOUR_MS);
  const [with_one, without] = [fleet, alone].map(({ times }) => times(STATUS).length);
  assert.ok(Math.abs(with_one! - without!) <= 2, `${with_one} and ${without}`);
  assertPace(fleet.times(STATUS), { ...PACE, span_ms: HOUR_MS });
});

test("a replica without questions adopts all the same, and polls nothing", async () => {
  const fleet = createFleetOf({ replicas: 3 });
  const [busy, ...idle] = fleet.replicas;
  await fleet.live(10 * 60_000, [busy!]);
  for (const replica of idle) {
    assert.deepEqual(packsOf(replica), packsOf(busy!));
    const { state, last_success_at_ms, error_rate_5m } = replica.feeds.find("s0")!;
    const own_feed = busy!.feeds.find("s0")!;
    assert.deepEqual(
      { state, last_success_at_ms, error_rate_5m },
      { state: "ok", last_success_at_ms: own_feed.last_success_at_ms, error_rate_5m: 0 },
    );
    assert.deepEqual(replica.feeds.health("s0"), busy!.feeds.health("s0"));
    assert.equal(replica.events.length, 0, "it has read nothing itself");
  }
  const request_count = fleet.upstream.requests.length;
  await fleet.clock.advance(HOUR_MS);
  assert.ok(
    fleet.upstream.requests.length - request_count <= 8 * 3,
    "the last five minutes of one",
  );
  assert.equal(idle[0]!.feeds.find("s0")!.state, "idle", "asleep, all of them");
});

test("a question waits for another replica's refresh, and reports its result", async () => {
  const fleet = createFleetOf({ replicas: 3, upstream_ms: 500 });
  const results = fleet.replicas.map((replica) => ask(replica, "s0"));
  await fleet.clock.advance(5_000);
  for (const result of results) assert.deepEqual(await result, { status: "ok", cache: "miss" });
  assert.equal(fleet.times(STATUS).length, 1);
  const before = fleet.replicas.map((replica) => packsOf(replica));
  // Another minute, nothing new: all are asked once, by one.
  await fleet.clock.advance(125_000);
  const again = fleet.replicas.map((replica) =>
    replica.feeds.refresh("s0", { begun_after_ms: fleet.clock.now() - 50 }),
  );
  await fleet.clock.advance(5_000);
  for (const result of again)
    assert.deepEqual(await result, { status: "ok", cache: "revalidated" });
  assert.deepEqual(
    fleet.replicas.map((replica) => packsOf(replica)),
    before,
  );
  assert.ok(
    fleet.replicas.every(
      ({ world }, i) => world.find("s0")!.shard!.statics === fleet.replicas[i]!.puts[0]!.statics,
    ),
    "the object of old",
  );
});

test("a question that requires a refresh begun after it gets no older one", async () => {
  const fleet = createFleetOf({ replicas: 2, upstream_ms: 1_000 });
  const [a, b] = fleet.replicas;
  await fleet.live(1_000, [a!]);
  await fleet.clock.advance(30_000);
  const first = ask(a!, "s0");
  await fleet.clock.advance(5);
  const request_count = fleet.times(STATUS).length;
  const second = ask(b!, "s0");
  await fleet.clock.advance(5_000);
  assert.deepEqual(await first, await second);
  assert.equal(fleet.times(STATUS).length, request_count + 1, "begun after the second came");
});

test("a holder that is killed in the air costs one request more", async () => {
  const fleet = createFleetOf({ replicas: 3 });
  const [first, ...others] = fleet.replicas;
  await fleet.live(60_000, [first!]);
  const never = new Promise<void>(() => {});
  fleet.cities[0]!.hold("station_status", never);
  const killed = fleet.times(STATUS).length;
  while (fleet.times(STATUS).length === killed) await fleet.live(1_000, fleet.replicas);
  first!.kill();
  fleet.cities[0]!.publish("station_status", { stations: statusesOf(3, 9) });
  const at_ms = fleet.clock.now();
  const answer = ask(others[0]!, "s0");
  await fleet.clock.advance(LEASE_LIFE_MS + 1_000);
  assert.equal((await answer).status, "ok");
  assert.deepEqual(packsOf(others[1]!), packsOf(others[0]!));
  const times = fleet.times(STATUS);
  assert.equal(times.length, killed + 2);
  assert.ok(times.at(-1)! + START_MS - at_ms <= LEASE_LIFE_MS + 500, "replaced at once");
  await fleet.live(HOUR_MS, others);
  const later = fleet.times(STATUS).slice(killed + 1);
  assertPace(later, { ...PACE, span_ms: HOUR_MS });
});

test("a replica that was frozen during a refresh publishes nothing over what others have read since", async () => {
  const fleet = createFleetOf({ replicas: 2 });
  const [frozen, other] = fleet.replicas;
  await fleet.live(60_000, [frozen!]);
  const { promise: gate, resolve: thaw } = Promise.withResolvers<void>();
  fleet.cities[0]!.hold("station_status", gate);
  const before = fleet.times(STATUS).length;
  while (fleet.times(STATUS).length === before) await fleet.live(1_000, [frozen!]);
  frozen!.kill();
  fleet.cities[0]!.publish("station_status", { stations: statusesOf(3, 9) });
  await fleet.live(10_000, [other!]);
  const packs = packsOf(other!);
  frozen!.revive();
  thaw();
  await fleet.live(1_000, [other!]);
  assert.deepEqual(packsOf(other!), packs);
  assert.deepEqual(packsOf(frozen!), packs, "it takes over what it has missed");
});

test("without the store each acts alone at once; afterwards they are a fleet again", async () => {
  const fleet = createFleetOf({ replicas: 3 });
  await fleet.live(10 * 60_000);
  fleet.exchange.setAway(true);
  const request_count = fleet.times(STATUS).length;
  const at_ms = fleet.clock.now();
  await Promise.all([
    ...fleet.replicas.map(async (replica) => {
      assert.equal((await ask(replica, "s0")).status, "ok");
      assert.ok(fleet.clock.now() - at_ms < 1_000);
    }),
    fleet.clock.advance(1_000),
  ]);
  assert.equal(fleet.times(STATUS).length, request_count + 3);
  await wakeAll(fleet, 30 * 60_000);
  const away = fleet.times(STATUS).length - request_count;
  assert.ok(away >= 3 * 25 && away <= 3 * 36, `${away} of each their own`);
  fleet.exchange.setAway(false);
  await wakeAll(fleet, 2 * 60_000);
  const back = fleet.times(STATUS).length;
  await wakeAll(fleet, HOUR_MS);
  assertPace(fleet.times(STATUS).slice(back), { ...PACE, span_ms: HOUR_MS });
  for (const replica of fleet.replicas)
    assert.deepEqual(packsOf(replica), packsOf(fleet.replicas[0]!));
});

test("a poll waits for a store in doubt, a question does not, nor a poll it waits for", async () => {
  const fleet = createFleetOf({ replicas: 1 });
  const [replica] = fleet.replicas;
  const { exchange, upstream } = fleet;
  await fleet.live(60_000);
  exchange.setDoubtful(true);
  const untilPolled = async (): Promise<number> => {
    const before = exchange.calls.lease;
    while (exchange.calls.lease === before) await fleet.live(50);
    return upstream.requests.length;
  };
  const patient = await untilPolled();
  await fleet.clock.advance(DOUBT_MS - 100);
  assert.equal(upstream.requests.length, patient, "no caller waits for it");
  await fleet.clock.advance(500);
  assert.ok(upstream.requests.length > patient);
  for (const joins of [true, false]) {
    const request = joins ? await untilPolled() : upstream.requests.length;
    const answer = ask(replica!, "s0");
    await fleet.clock.advance(300);
    const first = await Promise.race([answer.then(({ status }) => status), turn()]);
    assert.equal(first, "ok", joins ? "a poll's" : "its own");
    assert.ok(upstream.requests.length > request);
    await fleet.clock.advance(10_000);
  }
});

test("a replica that waits for another's refresh notices a lost store by its lease, and acts alone", async () => {
  const fleet = createFleetOf({ replicas: 2 });
  const [holder, other] = fleet.replicas;
  const city = fleet.cities[0]!;
  await fleet.live(5_000, [holder!]);
  await fleet.clock.advance(30_000);
  const { promise: gate, resolve } = Promise.withResolvers<void>();
  city.hold("station_status", gate);
  const theirs = ask(holder!, "s0");
  await fleet.clock.advance(500);
  const request_count = fleet.upstream.requests.length;
  const ours = ask(other!, "s0");
  await fleet.clock.advance(100);
  assert.equal(fleet.upstream.requests.length, request_count, "the other one flies");
  // As long as what may bring megabytes is given.
  fleet.exchange.setAway(true, 1_000);
  await fleet.clock.advance(500);
  assert.ok(fleet.upstream.requests.length > request_count, "alone, half a second later at most");
  resolve();
  await fleet.clock.advance(5_000);
  for (const { status } of await Promise.all([theirs, ours])) assert.equal(status, "ok");
});

test("no replica goes back to data older than what it has read alone", async () => {
  const fleet = createFleetOf({ replicas: 2 });
  const [a, b] = fleet.replicas;
  await fleet.live(5_000, [a!]);
  fleet.exchange.setAway(true);
  await fleet.clock.advance(30_000);
  fleet.cities[0]!.publish("station_status", { stations: statusesOf(3, 8) });
  const alone = ask(b!, "s0");
  await fleet.clock.advance(5_000);
  await alone;
  const packs = packsOf(b!);
  fleet.exchange.setAway(false);
  await joined(fleet, b!);
  assert.notDeepEqual(packsOf(a!), packs);
  assert.equal(packsOf(b!)[1], packs[1], "the very object");
  await fleet.live(120_000);
  assert.deepEqual(packsOf(a!), packsOf(b!));
});

test("data published during a replica's own refresh is taken over after it", async () => {
  const fleet = createFleetOf({ replicas: 2 });
  const [a, b] = fleet.replicas;
  const city = fleet.cities[0]!;
  await fleet.live(5_000, [a!]);
  await fleet.clock.advance(30_000);
  const { promise: gate, resolve } = Promise.withResolvers<void>();
  city.hold("station_status", gate);
  fleet.exchange.setAway(true);
  const alone = ask(b!, "s0");
  await fleet.clock.advance(1_000);
  fleet.exchange.setAway(false);
  city.publish("station_status", { stations: statusesOf(3, 8) });
  const shared = ask(a!, "s0");
  await fleet.clock.advance(5_000);
  await shared;
  city.fail("station_status", HTTP_500);
  resolve();
  await fleet.clock.advance(2_000);
  await alone;
  assert.deepEqual([...b!.world.find("s0")!.shard!.status!.data!.vehicles], [8, 8, 8]);
});

async function wakeAll({ replicas, clock }: TestFleet, ms: number) {
  for (let left = ms; left > 0; left -= 60_000) {
    for (const { feeds } of replicas) feeds.wake("s0");
    await clock.advance(60_000);
  }
}

test("a store that has lost everything is refilled", async () => {
  const fleet = createFleetOf({ replicas: 3 });
  await fleet.live(HOUR_MS);
  fleet.exchange.wipe();
  await fleet.live(10 * 60_000);
  assertPace(fleet.times(STATUS), { ...PACE, span_ms: HOUR_MS });
  const late = fleet.join();
  await joined(fleet, late);
  assert.deepEqual(packsOf(late), packsOf(fleet.replicas[0]!));
});

test("lost notices cost no request", async () => {
  const fleet = createFleetOf({ replicas: 3 });
  fleet.exchange.setMuted(true);
  await wakeAll(fleet, 2 * HOUR_MS);
  assertPace(fleet.times(STATUS), { ...PACE, span_ms: 2 * HOUR_MS });
  fleet.exchange.setMuted(false);
  await wakeAll(fleet, 5 * 60_000);
  for (const replica of fleet.replicas)
    assert.deepEqual(packsOf(replica), packsOf(fleet.replicas[0]!));
});

test("failures and their back-off are shared, and so is the recovery", async () => {
  const fleet = createFleetOf({ replicas: 3, upstream_ms: 0 });
  await wakeAll(fleet, 5 * 60_000);
  fleet.cities[0]!.fail("station_status", HTTP_500);
  const before = fleet.times(STATUS).length;
  await wakeAll(fleet, 30 * 60_000);
  const failed = gapsOf(fleet.times(STATUS).slice(before));
  [5, 10, 20, 40, 80, 160, 300, 300].forEach((wait_s, i) => {
    assert.ok(failed[i]! >= 0.9 * wait_s * 1000 && failed[i]! <= 1.1 * wait_s * 1000 + 1_100);
  });
  const health = fleet.replicas.map(({ feeds }) => feeds.health("s0"));
  for (const each of health) assert.deepEqual(each, health[0]);
  assert.equal(health[0]!.reason, "station_status:http_500");
  for (const { feeds } of fleet.replicas) assert.equal(feeds.find("s0")!.state, "error");
  fleet.cities[0]!.publish("station_status", { stations: statusesOf(3, 4) });
  await wakeAll(fleet, 6 * 60_000);
  for (const { feeds } of fleet.replicas) assert.equal(feeds.health("s0").status, "ok");
});

test("Retry-After holds the questions of all replicas", async () => {
  const fleet = createFleetOf({ replicas: 3 });
  const retry_at_ms = START_MS + 600_000;
  fleet.cities[0]!.fail("gbfs", { status: "unavailable", reason: "http_429", retry_at_ms });
  const first = ask(fleet.replicas[0]!, "s0");
  await fleet.clock.advance(5_000);
  const refused = await first;
  assert.deepEqual(refused, { status: "unavailable", reason: "discovery:http_429" });
  for (let i = 0; i < 50; i++) {
    const replica = fleet.replicas[i % 3]!;
    const [result] = await Promise.all([ask(replica, "s0"), fleet.clock.advance(10_000)]);
    assert.deepEqual(result, refused);
  }
  assert.equal(fleet.upstream.requests.length, 1);
});

async function joined({ clock }: TestFleet, replica: Replica) {
  const join = replica.feeds.join();
  await clock.advance(1_000);
  await join;
}

test("a replica that joins is warm without asking a publisher, and goes on where the others are", async () => {
  const fleet = createFleetOf({
    replicas: 2,
    cities: 20,
    survey: { enabled: true, concurrency: 8 },
  });
  for (const { feeds } of fleet.replicas) feeds.start();
  await fleet.clock.advance(20_000);
  await fleet.live(60_000);
  assert.equal(fleet.times(STATIONS).length, 40, "surveyed once and loaded once");
  const late = fleet.join();
  await joined(fleet, late);
  late.feeds.start();
  await late.feeds.surveyed();
  for (let i = 0; i < 20; i++)
    assert.deepEqual(packsOf(late, `s${i}`), packsOf(fleet.replicas[0]!, `s${i}`));
  assert.equal(late.store.listMemos().length, 20, "for the next start");
  assert.ok(late.world.isSurveyed());
  assert.deepEqual(late.events, [], "it has read nothing itself");
  // The others go; what it does next, it does as they would have.
  for (const replica of fleet.replicas.slice(0, 2)) replica.kill();
  await fleet.live(HOUR_MS, [late]);
  assertPace(fleet.times(`s7.example/${STATUS}`), { ...PACE, span_ms: HOUR_MS });
});

test("a replica that joins while the store is away is ready in time, with nothing", async () => {
  const fleet = createFleetOf({ replicas: 1 });
  await fleet.live(60_000);
  fleet.exchange.setAway(true);
  const late = fleet.join();
  await joined(fleet, late);
  assert.deepEqual(packsOf(late), []);
});

test("a survey is made once for all, and its failures count for all", async () => {
  const survey = { enabled: true, concurrency: 8 };
  const fleet = createFleetOf({ replicas: 3, cities: 12, survey });
  fleet.cities[5]!.fail("gbfs", HTTP_500);
  for (const { feeds } of fleet.replicas) feeds.start();
  await fleet.clock.advance(20_000);
  assert.equal(fleet.times(STATIONS).length, 11);
  assert.equal(fleet.times(`s5.example/gbfs.json`).length, 1);
  await Promise.all(fleet.replicas.map(({ feeds }) => feeds.surveyed()));
  for (const { feeds } of fleet.replicas) {
    assert.equal(feeds.find("s4")!.entity_count, 3);
    assert.equal(feeds.find("s5")!.state, "error");
  }
  await fleet.clock.advance(24 * HOUR_MS - 20_000);
  await fleet.clock.advance(3 * HOUR_MS);
  assert.equal(fleet.times(STATIONS).length, 22, "renewed daily, once");
  const failed = gapsOf(fleet.times(`s5.example/gbfs.json`));
  assert.ok(failed[0]! >= 27_000 && failed[1]! >= 54_000 && failed[2]! >= 108_000);
});

test("a replica that stops during a refresh releases the lease, and its end is no failure of the publisher", async () => {
  const fleet = createFleetOf({ replicas: 2, upstream_ms: 0 });
  const [leaving, staying] = fleet.replicas;
  await fleet.live(10_000, [leaving!]);
  const { promise: gate, resolve } = Promise.withResolvers<void>();
  fleet.cities[0]!.hold("station_status", gate);
  const before = fleet.times(STATUS).length;
  while (fleet.times(STATUS).length === before) await fleet.live(1_000, [leaving!]);
  fleet.cities[0]!.publish("station_status", { stations: statusesOf(3, 1) });
  const closed = leaving!.feeds.close();
  resolve();
  await fleet.clock.advance(100);
  await closed;
  assert.equal(fleet.exchange.leases(), 0);
  await fleet.live(2_000, [staying!]);
  assert.equal(staying!.feeds.health("s0").status, "ok");
  assert.equal(staying!.feeds.find("s0")!.error_rate_5m, 0);
  assert.equal(fleet.times(STATUS).length, before + 2, "the other goes on at once");
});

test("clocks that differ by two seconds change nothing that is seen", async () => {
  const fleet = createFleetOf({ replicas: 0, cities: 2 });
  for (const skew_ms of [-2_000, 0, 2_000]) fleet.join({ skew_ms });
  await fleet.live(2 * HOUR_MS);
  for (const city of fleet.cities)
    assertPace(fleet.times(`${city.base}/${STATUS}`), {
      least_ms: PACE.least_ms - 4_000,
      most_ms: PACE.most_ms + 4_000,
      span_ms: 2 * HOUR_MS,
    });
  for (const { world, clock, feeds } of fleet.replicas) {
    const { live } = world.find("s0")!.shard!.status!;
    assert.ok(live!.validated_at_ms <= clock.now(), "nothing is from the future");
    assert.ok(clock.now() - live!.validated_at_ms <= PACE.most_ms + 4_000);
    assert.equal(feeds.health("s0").status, "ok");
  }
});

test("a clock an hour ahead delays no replica for an hour", async () => {
  const fleet = createFleetOf({ replicas: 0 });
  const [wrong, right] = [HOUR_MS, 0].map((skew_ms) => fleet.join({ skew_ms }));
  await fleet.live(60_000, [wrong!]);
  const before = fleet.times(STATUS).length;
  await fleet.live(10 * 60_000, [right!]);
  assert.ok(fleet.times(STATUS).length - before >= 8);
  assert.ok(right!.world.find("s0")!.shard!.status!.live!.validated_at_ms <= right!.clock.now());
});

test("other stations are other stations everywhere, by one load", async () => {
  const fleet = createFleetOf({ replicas: 3 });
  await fleet.live(60_000);
  const city = fleet.cities[0]!;
  city.publish("station_information", { stations: stationsOf(5, 40) });
  city.publish("station_status", { stations: statusesOf(5, 2) });
  await fleet.live(HOUR_MS + 10 * 60_000);
  for (const replica of fleet.replicas) {
    assert.equal(replica.world.find("s0")!.shard!.statics.count, 5);
    assert.equal(replica.world.find("s0")!.shard!.status!.data!.meta.rows, 5);
  }
  const pace = { least_ms: 270_000, most_ms: 331_600, span_ms: HOUR_MS };
  assertPace(fleet.times(STATIONS).slice(1), pace);
});

test("the same answers to the letter, whichever replica is asked", async () => {
  const fleet = createFleetOf({ replicas: 4, cities: 3 });
  await fleet.live(20 * 60_000);
  await fleet.clock.advance(2_000);
  let stations = 0;
  for (let city = 0; city < 3; city++) {
    const answers = await Promise.all(fleet.replicas.map((replica) => answerOf(replica, city)));
    for (const answer of answers) assert.equal(answer, answers[0]);
    stations += answers[0]!.split(`"type":"station"`).length - 1;
  }
  assert.equal(stations, 3);
});

/** What is answered around the first station of a city. */
async function answerOf({ world, feeds, clock }: Replica, city: number): Promise<string> {
  const countries = () => Promise.resolve(() => []);
  const timezones = () => Promise.resolve(() => "Etc/UTC");
  const openStates = createOpenStates({ countries, timezones });
  const nothing = { findRetained: null, openStates, findLines: () => null };
  const nearby = createNearby({ world, feeds, clock, countries, ...nothing });
  const answered = nearby(toInput({ clock }, { lat: 40 + city, lon: 2.35 }));
  const reply = answered instanceof Promise ? await answered : answered;
  assert.ok(reply.kind === "ok");
  return toBytes(reply).toString();
}

test("replicas that are configured otherwise go on by themselves, side by side", async () => {
  const fleet = createFleetOf({ replicas: 1 });
  const { url } = fleet.cities[0]!;
  for (let i = 0; i < 2; i++) fleet.join({ systems: [systemOf("s0", url, { mode_hint: "car" })] });
  await wakeAll(fleet, HOUR_MS);
  const times = fleet.times(STATUS).length;
  assert.ok(times >= 2 * 53 && times <= 2 * 67, `${times}: one of each kind a minute`);
  const [old, ...others] = fleet.replicas.map((replica) => packsOf(replica));
  assert.deepEqual(others[0], others[1]);
  assert.notDeepEqual(old, others[0]);
});

test("a system that has moved is another one at the exchange for the replicas that know it", async () => {
  const fleet = createFleetOf({ replicas: 2 });
  await fleet.live(60_000);
  const moved = createCity(fleet.upstream, "https://moved.example", { lat: 41, stations: 4 });
  const systems = [systemOf("s0", moved.url)];
  for (const { feeds } of fleet.replicas) feeds.add(systems);
  await fleet.live(10 * 60_000);
  for (const { world } of fleet.replicas) assert.equal(world.find("s0")!.shard!.statics.count, 4);
  const times = fleet.times("moved.example/station_status.json").length;
  assert.ok(times >= 8 && times <= 12, `${times}, with those of the new pack`);
});

test("an unreadable entry is reported, and its data are read from the publisher", async () => {
  const fleet = createFleetOf({ replicas: 1 });
  const { exchange } = fleet.exchange.join();
  await fleet.live(1_000);
  const [stored] = await settled(fleet, exchange.list());
  const lease = await settled(fleet, exchange.lease(stored!.source_id));
  await settled(fleet, lease.publish("1 nonsense {}", new Map()));
  const late = fleet.join();
  await joined(fleet, late);
  assert.deepEqual(packsOf(late), []);
  assert.deepEqual(
    late.events.map(({ kind, reason }) => [kind, reason]),
    [["fault", "not_adopted"]],
  );
  await fleet.live(120_000);
  assert.deepEqual(packsOf(late), packsOf(fleet.replicas[0]!));
});

/** What a call of the exchange comes to, when the time that it takes has passed. */
async function settled<T>({ clock }: TestFleet, call: Promise<T>): Promise<Exclude<T, string>> {
  await clock.advance(100);
  return (await call) as Exclude<T, string>;
}
