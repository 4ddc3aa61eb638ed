/** Units of many callers at once: one write for a pass of the event loop, to each its own result. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { createMeter } from "#app/access/meter.ts";
import type { Usage, UsageEvent } from "#ports.ts";
import { keyedCaller } from "../../../support/gate.ts";
import { NOW_MS } from "../../../support/server.ts";

/** A meter whose pass of the event loop ends when `endPass` is called. */
function meterOf(record: Usage["record"]) {
  const tasks: (() => void)[] = [];
  let events = 0;
  const meter = createMeter({
    usage: { record },
    newEventId: () => `${++events}`,
    defer: (task) => void tasks.push(task),
  });
  const charge = async (key_id: string, units: number) =>
    await meter.record(keyedCaller({ key_id }), "getNearby", units, NOW_MS);
  const endPass = async (): Promise<void> => {
    for (const task of tasks.splice(0)) task();
    await Promise.resolve();
  };
  return { charge, endPass };
}

test("the units of all callers of a pass are one write, each under its own key", async () => {
  const batches: (readonly UsageEvent[])[] = [];
  const { charge, endPass } = meterOf((batch) => batches.push(batch) > 0);
  const keys = Array.from({ length: 200 }, (_, i) => `key_${i}`);
  let left = 0;
  const replies = keys.map((key, i) => charge(key, i + 1).then((recorded) => (left++, recorded)));
  await Promise.resolve();
  assert.equal(left, 0, "none leaves before the write");
  await endPass();
  assert.deepEqual(await Promise.all(replies), Array<boolean>(200).fill(true));
  assert.equal(batches.length, 1);
  assert.deepEqual(
    batches[0]!.map(({ key_id, units }) => [key_id, units]),
    keys.map((key, i) => [key, i + 1]),
  );
  assert.equal(new Set(batches[0]!.map(({ event_id }) => event_id)).size, 200);
});

test("a write that fails refuses every reply of its pass, and none of the next", async () => {
  const results = [false, true];
  const { charge, endPass } = meterOf(() => results.shift()!);
  const first = Promise.all(["a", "b", "c"].map((key) => charge(key, 1)));
  await endPass();
  const second = Promise.all(["a", "d"].map((key) => charge(key, 1)));
  await endPass();
  assert.deepEqual(await first, [false, false, false]);
  assert.deepEqual(await second, [true, true]);
});

test("what the writer throws fails the requests of its pass and not the process", async () => {
  const fault = new Error("planted");
  let calls = 0;
  const { charge, endPass } = meterOf(() => {
    if (calls++ === 0) throw fault;
    return true;
  });
  const first = Promise.allSettled(["a", "b"].map((key) => charge(key, 1)));
  await endPass();
  const second = charge("a", 1);
  await endPass();
  const reasons = (await first).map(
    (result) => result.status === "rejected" && result.reason === fault,
  );
  assert.deepEqual(reasons, [true, true]);
  assert.equal(await second, true);
});
