/** Time that never goes back, whatever is done to the system clock. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { createSteadyTime } from "#process/steady-time.ts";

const HOUR_MS = 3_600_000;

function open() {
  const sources = { wall_ms: 1_800_000_000_000, monotonic_ms: 77 };
  const time = createSteadyTime({
    wall: () => sources.wall_ms,
    monotonic: () => sources.monotonic_ms,
  });
  const pass = (ms: number): void => {
    sources.wall_ms += ms;
    sources.monotonic_ms += ms;
  };
  return { sources, time, pass };
}

test("while the system clock is left alone it is the time", () => {
  const { sources, time, pass } = open();
  for (let i = 0; i < 100; i++) {
    pass(997);
    assert.equal(time.now(), sources.wall_ms);
  }
});

test("after a step back time goes on, a tenth slower, until the two agree", () => {
  const { sources, time, pass } = open();
  const steps: number[] = [];
  time.watch((step_ms) => steps.push(step_ms));
  const at_ms = time.now();
  sources.wall_ms -= HOUR_MS;
  assert.equal(time.now(), at_ms);
  pass(60_000);
  assert.equal(time.now(), at_ms + 54_000);
  for (let minute = 0; minute < 600; minute++) {
    pass(60_000);
    time.now();
  }
  assert.equal(time.now(), sources.wall_ms);
  assert.deepEqual(steps, [-HOUR_MS]);
});

test("half a second is a step, in either direction, and less is none", () => {
  for (const [step_ms, expected] of [
    [-499, []],
    [-500, [-500]],
    [499, []],
    [500, [500]],
  ] as const) {
    const { sources, time } = open();
    const steps: number[] = [];
    time.watch((each_ms) => steps.push(each_ms));
    const at_ms = time.now();
    sources.wall_ms += step_ms;
    assert.equal(time.now(), at_ms + (step_ms === -500 ? 0 : step_ms));
    assert.deepEqual(steps, expected, `${step_ms}`);
  }
});

test("a step forward is followed at once, and makes up for one back", () => {
  const { sources, time } = open();
  sources.wall_ms += HOUR_MS;
  assert.equal(time.now(), sources.wall_ms);
  sources.wall_ms -= HOUR_MS;
  assert.equal(time.now(), sources.wall_ms + HOUR_MS);
  sources.wall_ms += HOUR_MS;
  assert.equal(time.now(), sources.wall_ms);
});

test("a process that was stopped for minutes, or between two readings, sees no step back", () => {
  const { sources, pass } = open();
  let stop_ms = 0;
  const time = createSteadyTime({
    wall: () => {
      const read_ms = sources.wall_ms;
      pass(stop_ms);
      return read_ms;
    },
    monotonic: () => sources.monotonic_ms,
  });
  pass(300_000);
  assert.equal(time.now(), sources.wall_ms);
  stop_ms = 5_000;
  const during_ms = time.now();
  assert.ok(during_ms <= sources.wall_ms);
  stop_ms = 0;
  pass(1_000);
  assert.equal(time.now(), sources.wall_ms);
});

test("it never goes back and never falls behind the system clock, whatever the steps", () => {
  const move = fc.record({
    passed_ms: fc.integer({ min: 0, max: 100_000 }),
    step_ms: fc.oneof(
      fc.constant(0),
      fc.integer({ min: -100 * HOUR_MS, max: -500 }),
      fc.integer({ min: 500, max: 100 * HOUR_MS }),
    ),
  });
  fc.assert(
    fc.property(fc.array(move, { maxLength: 50 }), (moves) => {
      const { sources, time, pass } = open();
      let last_ms = time.now();
      for (const { passed_ms, step_ms } of moves) {
        pass(passed_ms);
        sources.wall_ms += step_ms;
        const now_ms = time.now();
        assert.ok(now_ms >= last_ms && now_ms >= sources.wall_ms);
        last_ms = now_ms;
      }
    }),
  );
});
