/** Expired datasets are forgotten soon, a few calls in one turn, and no more after the end. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { forgetExpired } from "#app/datasets/retention.ts";
import { createManualClock } from "../../../support/manual-clock.ts";

const START_MS = Date.UTC(2026, 10, 21);

type Outcome = "done" | "more" | "unavailable";

function start(answers: Outcome[]) {
  const clock = createManualClock(START_MS);
  const requested: number[] = [];
  const faults: number[] = [];
  const forget = async (now_ms: number): Promise<Outcome> => {
    requested.push(now_ms - START_MS);
    return answers.shift() ?? "done";
  };
  const stop = forgetExpired({ forget }, clock, () => faults.push(clock.now() - START_MS));
  return { clock, requested, faults, stop };
}

test("expired datasets are forgotten, every minute", async () => {
  const { clock, requested, faults, stop } = start([]);
  await clock.advance(59_999);
  assert.deepEqual(requested, []);
  await clock.advance(1);
  await clock.advance(60_000);
  assert.deepEqual(requested, [60_000, 120_000]);
  stop();
  await clock.advance(600_000);
  assert.deepEqual([requested.length, faults], [2, []]);
});

test("many are forgotten in turns, with pauses in between", async () => {
  const { clock, requested } = start(Array.from({ length: 9 }, () => "more"));
  await clock.advance(60_000);
  assert.deepEqual(requested, [60_000, 60_000, 60_000, 60_000]);
  await clock.advance(250);
  await clock.advance(250);
  assert.deepEqual(requested.slice(4), [60_250, 60_250, 60_250, 60_250, 60_500, 60_500]);
  await clock.advance(60_000);
  assert.equal(requested.length, 11, "then every minute again");
});

test("a store that cannot forget is reported, and asked again a minute later", async () => {
  const { clock, requested, faults } = start(["more", "unavailable", "done"]);
  await clock.advance(60_000);
  assert.deepEqual([requested.length, faults], [2, [60_000]]);
  await clock.advance(60_000);
  assert.deepEqual([requested.length, faults], [3, [60_000]]);
});

test("a clean-up that is stopped while it runs does not go on", async () => {
  const clock = createManualClock(START_MS);
  let calls = 0;
  const forget = async (): Promise<Outcome> => {
    calls += 1;
    stop();
    return "more";
  };
  const stop = forgetExpired({ forget }, clock, () => assert.fail("no fault"));
  await clock.advance(600_000);
  assert.equal(calls, 1);
});
