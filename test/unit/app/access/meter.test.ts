/** Units of replies: keyed ones by one write for a batch, anonymous ones as sums. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { AnonymousCaller } from "#app/access/request-caller.ts";
import { BATCH_MAX, Meter } from "#app/access/meter.ts";
import type { Usage, UsageEvent } from "#ports.ts";
import { readAddressKeys } from "../../../support/address.ts";
import { keyedCaller } from "../../../support/gate.ts";
import { FREE } from "../../../support/server.ts";

const NOON_MS = Date.UTC(2026, 10, 21, 12);

function addressed(address: string): AnonymousCaller {
  return { kind: "anonymous", plan: FREE, address: readAddressKeys(address)! };
}

const HOME = addressed("192.0.2.1");

/** A meter whose pass of the event loop ends when `endPass` is called; `results`: of the writes. */
function meterOf(...results: (boolean | Error)[]) {
  const writes: (readonly UsageEvent[])[] = [];
  const passes: (() => void)[] = [];
  let ids = 0;
  const record: Usage["record"] = (events) => {
    writes.push(events);
    const result = results.shift() ?? true;
    if (result instanceof Error) throw result;
    return result;
  };
  const meter = new Meter({
    usage: { record },
    newEventId: () => `id${++ids}`,
    defer: (task) => void passes.push(task),
  });
  const charge = async (key_id: string, units = 1) =>
    await meter.record(keyedCaller({ key_id }), "geocode", units, NOON_MS);
  const endPass = async (): Promise<void> => {
    for (const task of passes.splice(0)) task();
    await Promise.resolve();
  };
  return { meter, charge, endPass, writes };
}

test("the units of all callers of a batch are one write, each under its own key", async () => {
  const { charge, endPass, writes } = meterOf();
  const keys = Array.from({ length: BATCH_MAX - 1 }, (_, i) => `key_${i}`);
  let left = 0;
  const replies = keys.map((key, i) => charge(key, i + 1).then((recorded) => (left++, recorded)));
  await Promise.resolve();
  assert.deepEqual([left, writes], [0, []], "none leaves before the write");
  await endPass();
  assert.deepEqual(
    await Promise.all(replies),
    keys.map(() => true),
  );
  const event = { account_id: "acc_1", operation: "geocode", at_ms: NOON_MS };
  assert.deepEqual(writes, [
    keys.map((key_id, i) => ({ ...event, event_id: `id${i + 1}`, key_id, units: i + 1 })),
  ]);
});

test("a full batch leaves before its pass ends, whose end is that of the next batch", async () => {
  const { charge, endPass, writes } = meterOf();
  let left = 0;
  const ask = (count: number): Promise<unknown>[] =>
    Array.from({ length: count }, (_, i) => charge(`key_${i}`).then(() => (left += 1)));
  const replies = ask(2 * BATCH_MAX + 3);
  await Promise.all(replies.slice(0, 2 * BATCH_MAX));
  assert.equal(left, 2 * BATCH_MAX);
  assert.deepEqual(
    writes.map((events) => events.length),
    [BATCH_MAX, BATCH_MAX],
  );
  await endPass();
  await Promise.all(replies);
  assert.equal(writes.length, 3);
});

test("a write that fails refuses every reply of its batch, and none of the next", async () => {
  const { charge, endPass } = meterOf(false, true);
  const first = Promise.all(["a", "b", "c"].map((key) => charge(key)));
  await endPass();
  const second = Promise.all(["a", "d"].map((key) => charge(key)));
  await endPass();
  assert.deepEqual(await first, [false, false, false]);
  assert.deepEqual(await second, [true, true]);
});

test("what the writer throws fails the requests of its batch and not the process", async () => {
  const fault = new Error("planted");
  const { charge, endPass } = meterOf(fault, true);
  const first = Promise.allSettled(["a", "b"].map((key) => charge(key)));
  await endPass();
  const second = charge("a");
  await endPass();
  const reasons = (await first).map(
    (result) => result.status === "rejected" && result.reason === fault,
  );
  assert.deepEqual(reasons, [true, true]);
  assert.equal(await second, true);
});

test("replies that cost nothing write nothing, and leave with the others of their batch", async () => {
  const { meter, endPass, writes } = meterOf();
  let left = 0;
  const replies = [keyedCaller(), HOME].map((caller) =>
    meter.record(caller, "getMe", 0, NOON_MS).then((recorded) => (left++, recorded)),
  );
  await Promise.resolve();
  assert.equal(left, 0);
  await endPass();
  assert.deepEqual(await Promise.all(replies), [true, true]);
  meter.flush();
  assert.deepEqual(writes, []);
});

test("an anonymous reply leaves though the write of its batch fails", async () => {
  const { meter, charge, endPass } = meterOf(false);
  const keyed = charge("a");
  const anonymous = meter.record(HOME, "geocode", 1, NOON_MS);
  await endPass();
  assert.deepEqual([await keyed, await anonymous], [false, true]);
});

test("anonymous use is summed by day and operation, and handed over once", () => {
  const { meter, writes } = meterOf();
  const midnight_ms = Date.UTC(2026, 10, 22);
  meter.record(HOME, "geocode", 1, midnight_ms - 2);
  meter.record(addressed("192.0.2.2"), "geocode", 1, midnight_ms - 1);
  meter.record(HOME, "geocode", 1, midnight_ms);
  meter.record(HOME, "getNearby", 3, midnight_ms);
  meter.flush();
  meter.flush();
  const events = writes.flat();
  const rows = events.map(({ operation, units, requests, at_ms }) => [
    ...[operation, units, requests, at_ms],
  ]);
  assert.deepEqual(rows, [
    ["geocode", 2, 2, midnight_ms - 2],
    ["geocode", 1, 1, midnight_ms],
    ["getNearby", 3, 1, midnight_ms],
  ]);
  assert.ok(events.every(({ account_id, key_id }) => account_id === null && key_id === null));
});

test("a sum that is refused goes with the next one, whole", () => {
  const { meter, writes } = meterOf(false, false);
  for (let round = 0; round < 3; round++) {
    meter.record(HOME, "geocode", 1, NOON_MS + round);
    meter.flush();
    meter.record(HOME, "geocode", 1, NOON_MS + round);
  }
  meter.flush();
  meter.flush();
  assert.deepEqual(
    writes.flat().map(({ units, requests }) => [units, requests]),
    [
      [1, 1],
      [3, 3],
      [5, 5],
      [1, 1],
    ],
  );
});
