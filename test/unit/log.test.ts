/** What is said of a store that fails for every request. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { throttled } from "../../src/main/log.ts";

test("a fault that repeats is told at once, then seldom, and how often it went unsaid", () => {
  const told: [string, number][] = [];
  let now_ms = 0;
  const tell = throttled<string>(
    (what, unsaid) => told.push([what, unsaid]),
    () => now_ms,
  );
  for (; now_ms < 12_000; now_ms += 1_000) tell(`at ${now_ms}`);
  assert.deepEqual(told, [
    ["at 0", 0],
    ["at 5000", 4],
    ["at 10000", 4],
  ]);
});
