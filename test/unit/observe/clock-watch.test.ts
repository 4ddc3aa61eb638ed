/** How far the service is ahead of the clock: a gauge, and beyond a bound a start over. */
import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { createMetrics } from "#http/metrics.ts";
import { createClock } from "#process/clock.ts";
import { ClockWatch } from "#observe/clock-watch.ts";
import { createSteadyTime } from "#process/steady-time.ts";

const DAY_MS = 86_400_000;
const BEGIN_MS = Date.UTC(2026, 10, 26, 9);

function create(t: TestContext, random = 0) {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const sources = { wall_ms: BEGIN_MS, monotonic_ms: 1_000 };
  const time = createSteadyTime({
    wall: () => sources.wall_ms,
    monotonic: () => sources.monotonic_ms,
  });
  const clock = createClock(time);
  const metrics = createMetrics();
  const lines: string[] = [];
  const note = (_: object, text: string): void => void lines.push(text);
  const watch = new ClockWatch({
    time,
    clock,
    metrics,
    log: { warn: note, error: note } as ConstructorParameters<typeof ClockWatch>[0]["log"],
    random: () => random,
  });
  t.after(() => {
    watch.close();
    metrics.close();
  });
  let outdated = false;
  void watch.outdated.then(() => (outdated = true));
  return {
    clock,
    lines,
    step: (ms: number) => (sources.wall_ms += ms),
    async pass(seconds: number) {
      for (let s = 0; s < seconds; s++) {
        sources.wall_ms += 1_000;
        sources.monotonic_ms += 1_000;
        t.mock.timers.tick(1_000);
        await Promise.resolve();
      }
    },
    isOutdated: () => outdated,
    ahead_s: async () => Number(/^svc_clock_ahead_seconds (\S+)$/m.exec(metrics.text())?.[1]),
    wall_ms: () => sources.wall_ms,
  };
}

test("six days forward for six seconds and back: moments are right at once, and the service starts over within minutes", async (t) => {
  const watched = create(t);
  await watched.pass(10);
  watched.step(6 * DAY_MS);
  await watched.pass(6);
  assert.equal(watched.clock.now(), watched.wall_ms(), "a step forward is followed");
  watched.step(-6 * DAY_MS);
  await watched.pass(10);
  assert.equal(watched.clock.wall(), watched.wall_ms());
  assert.ok(watched.clock.now() - watched.wall_ms() > 5 * DAY_MS, "differences do not go back");
  assert.ok((await watched.ahead_s()) > 5 * 86_400);
  assert.equal(watched.isOutdated(), false, "a clock that is still being set is waited for");
  await watched.pass(70);
  assert.equal(watched.isOutdated(), true);
  const far = watched.lines.filter((line) => /starts over/.test(line));
  assert.equal(far.length, 1, "it is said once");
});

test("a step back of four minutes is made up for within fifty, without a start over", async (t) => {
  const watched = create(t);
  watched.step(-240_000);
  await watched.pass(60);
  assert.ok((await watched.ahead_s()) > 200);
  await watched.pass(2_500);
  assert.equal(watched.isOutdated(), false);
  assert.equal(await watched.ahead_s(), 0);
  assert.equal(watched.clock.now(), watched.clock.wall());
});

test("a clock that is set to and fro every half minute starts nothing over", async (t) => {
  const watched = create(t);
  for (let i = 0; i < 20; i++) {
    watched.step(3_600_000);
    await watched.pass(30);
    watched.step(-3_600_000);
    await watched.pass(30);
  }
  assert.equal(watched.isOutdated(), false);
});

test("replicas start over at different moments", async (t) => {
  const watched = create(t, 0.9);
  watched.step(-3_600_000);
  await watched.pass(120);
  assert.equal(watched.isOutdated(), false);
  await watched.pass(90);
  assert.equal(watched.isOutdated(), true);
});
