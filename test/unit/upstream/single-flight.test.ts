import assert from "node:assert/strict";
import { test } from "node:test";
import { createSingleFlight } from "#upstream/single-flight.ts";

const broken = (): Promise<number> => {
  throw new Error("thrown, not rejected");
};

test("calls of one key share a flight, calls of another do not", async () => {
  const flights = createSingleFlight<number>();
  let starts = 0;
  const gate = Promise.withResolvers<number>();
  const ask = (key: string): Promise<number> =>
    flights.do(key, { begun_after_ms: 0 }, 10, () => ((starts += 1), gate.promise));
  const calls = [ask("a"), ask("a"), ask("b")];
  assert.deepEqual([starts, flights.size()], [2, 2]);
  gate.resolve(7);
  assert.deepEqual(await Promise.all(calls), [7, 7, 7]);
  assert.equal(flights.size(), 0);
  await ask("a");
  assert.equal(starts, 3);
});

test("a flight begun too early is not joined; begun at that very moment it is", async () => {
  const flights = createSingleFlight<string>();
  const old = Promise.withResolvers<string>();
  const young = Promise.withResolvers<string>();
  const first = flights.do("k", { begun_after_ms: 0 }, 100, () => old.promise);
  const joined = flights.do("k", { begun_after_ms: 100 }, 150, () => Promise.resolve("no"));
  const second = flights.do("k", { begun_after_ms: 101 }, 200, () => young.promise);
  old.resolve("old");
  assert.deepEqual([await first, await joined], ["old", "old"]);
  // The landing of the old flight has not thrown out the young one.
  const third = flights.do("k", { begun_after_ms: 200 }, 250, () => Promise.resolve("no"));
  young.resolve("young");
  assert.deepEqual([await second, await third], ["young", "young"]);
});

test("a failure reaches everyone who waited, and the next call starts anew", async () => {
  const flights = createSingleFlight<number>();
  const one = flights.do("k", { begun_after_ms: 0 }, 1, broken);
  const two = flights.do("k", { begun_after_ms: 0 }, 1, () => Promise.resolve(1));
  await assert.rejects(one, /thrown/);
  await assert.rejects(two, /thrown/);
  assert.equal(await flights.do("k", { begun_after_ms: 0 }, 1, () => Promise.resolve(2)), 2);
});
