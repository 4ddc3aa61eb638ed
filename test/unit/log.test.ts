/** What is said of a store that fails for every request. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { throttled } from "../../src/main/log.ts";

test("a repeated fault is logged at once, then rate-limited, with the number of lines left out", () => {
  const logged: [string, number][] = [];
  let now_ms = 0;
  const log = throttled<string>(
    (what, unsaid) => logged.push([what, unsaid]),
    () => now_ms,
  );
  for (; now_ms < 12_000; now_ms += 1_000) log(`at ${now_ms}`);
  assert.deepEqual(logged, [
    ["at 0", 0],
    ["at 5000", 4],
    ["at 10000", 4],
  ]);
});
