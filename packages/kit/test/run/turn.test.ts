/** Work in slices: a pause exactly when a slice is over, and an end when it is stopped. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { createSteps } from "../../run/import-thread.ts";
import { createTurn, runSteps } from "../../run/turn.ts";

test("a pause comes when the slice is over, and the next slice begins after it", async (t) => {
  let now_ms = 1_000;
  t.mock.method(performance, "now", () => now_ms);
  let pauses = 0;
  const turn = createTurn({
    slice_ms: 2,
    pause: async () => {
      pauses++;
      now_ms += 100;
    },
  });
  const STEPS: readonly [passed_ms: number, pauses: number][] = [
    [0, 0],
    [1.9, 0],
    [0.1, 1],
    [1.9, 1],
    [0.2, 2],
    [50, 3],
  ];
  for (const [passed_ms, expected] of STEPS) {
    now_ms += passed_ms;
    await turn();
    assert.equal(pauses, expected, `${passed_ms}`);
  }
});

test("work that is stopped goes no further, before a pause or in it", async () => {
  const stopped = AbortSignal.abort(new Error("stop"));
  const ended = createTurn({ signal: stopped, slice_ms: 1e9 });
  await assert.rejects(async () => await ended(), /stop/);
  const stop = new AbortController();
  const turn = createTurn({
    signal: stop.signal,
    slice_ms: 0,
    pause: async () => stop.abort(new Error("meanwhile")),
  });
  await assert.rejects(async () => await turn(), /meanwhile/);
});

test("steps have a turn after each, and none after the last", async () => {
  let turns = 0;
  const steps = function* (): Generator<void, string> {
    for (let i = 0; i < 3; i++) yield;
    return "done";
  };
  assert.equal(await runSteps(steps(), async () => void turns++), "done");
  assert.equal(turns, 3);
});

test("progress is reported step by step, and the end always", () => {
  const isStep = createSteps(0.1);
  const reported = [0, 0.05, 0.1, 0.15, 0.2, 0.29, 0.5, 0.55, 0.999, 1, 1].filter(isStep);
  assert.deepEqual(reported, [0.1, 0.2, 0.5, 0.999, 1, 1]);
});
