/**
 * The system clock was set back by an hour. No live feed was asked for any more, since nothing fell
 * due until the clock had caught up, and meanwhile what was held called itself fresh, at age 0.
 */
import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { createClock } from "#process/clock.ts";
import { isFresh } from "#stations/shards.ts";
import { createBottle, createCity, START_MS, turn } from "../unit/feeds/support.ts";

const HOUR_MS = 3_600_000;
const TTL_S = 30;

/** The system clock, the monotonic one and the timers of this process, all moved by hand. */
function takeTime(t: TestContext) {
  const time = { wall_ms: START_MS, monotonic_ms: 5_000 };
  t.mock.method(Date, "now", () => time.wall_ms);
  t.mock.method(performance, "now", () => time.monotonic_ms);
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const pass = async (seconds: number, each?: () => void): Promise<void> => {
    for (let s = 0; s < seconds; s++) {
      time.wall_ms += 1_000;
      time.monotonic_ms += 1_000;
      t.mock.timers.tick(1_000);
      for (let turns = 0; turns < 20; turns++) await turn();
      each?.();
    }
  };
  return { time, pass };
}

test("after a clock is set back by an hour live feeds are still read, and ages are right within a tenth", async (t) => {
  const { time, pass } = takeTime(t);
  const clock = createClock();
  const bottle = createBottle({ clock, idle_s: 3_600 });
  const city = createCity(bottle.upstream);
  city.publish("station_status", { stations: [] }, { ttl: TTL_S });
  const count = () => bottle.upstream.count("station_status.json");
  bottle.feeds.wake("a");
  await pass(120);
  const before = count();
  assert.ok(before >= 4, `${before} readings in two minutes`);

  time.wall_ms -= HOUR_MS;
  await pass(120, () => {
    const { live } = bottle.shard().status!;
    const age_ms = clock.now() - live!.validated_at_ms;
    assert.ok(age_ms >= 0 && age_ms <= 40_000, `an age of ${age_ms} ms`);
  });
  assert.ok(count() - before >= 3, `${count() - before} readings in the two minutes after`);

  // The publishers have stopped: what is held ages and is not reported as fresh.
  for (const { url } of bottle.upstream.requests)
    bottle.upstream.set(url, { failure: { status: "timeout", reason: "timeout" } });
  await pass(150);
  assert.equal(isFresh(bottle.shard().status, clock.now()), false);
  await bottle.feeds.close();
});

test("a clock set forward is followed at once, and timers of the hour skipped fall due", async (t) => {
  const { time, pass } = takeTime(t);
  const clock = createClock();
  let ran = false;
  clock.schedule(clock.now() + HOUR_MS, () => void (ran = true));
  await pass(1);
  time.wall_ms += HOUR_MS;
  assert.equal(clock.now(), time.wall_ms);
  await pass(60);
  assert.ok(ran);
});
