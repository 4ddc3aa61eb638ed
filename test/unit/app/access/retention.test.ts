/** Old usage events are forgotten soon after a start, then daily, and no more after the end. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { forgetDaily } from "#app/access/meter.ts";
import { createManualClock } from "../../../support/manual-clock.ts";

const DAY_MS = 86_400_000;
const START_MS = Date.UTC(2026, 10, 21);

test("events older than 400 days go, daily", async () => {
  const clock = createManualClock(START_MS);
  const requests: number[] = [];
  const stop = forgetDaily(async (before_ms) => void requests.push(before_ms), clock);
  await clock.advance(59_000);
  assert.deepEqual(requests, []);
  await clock.advance(1_000);
  assert.deepEqual(requests, [START_MS + 60_000 - 400 * DAY_MS]);
  await clock.advance(DAY_MS);
  assert.equal(requests.length, 2);
  stop();
  await clock.advance(3 * DAY_MS);
  assert.equal(requests.length, 2);
});

test("a clean-up that is stopped while it runs is not repeated", async () => {
  const clock = createManualClock(START_MS);
  let calls = 0;
  const stop = forgetDaily(async () => {
    calls += 1;
    stop();
  }, clock);
  await clock.advance(3 * DAY_MS);
  await clock.advance(3 * DAY_MS);
  assert.equal(calls, 1);
});
