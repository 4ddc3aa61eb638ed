/** What an answer counts as in a burst (docs/decisions/0032-a-burst-counts-time.md). */
import assert from "node:assert/strict";
import { test } from "node:test";
import { toTokens } from "#core/limits/cost-tokens.ts";

test("an answer counts as one more for each whole piece of time that it took, up to a bound", () => {
  const counted = [0, 1.99, 2, 3.9, 24, 49.9, 50, 393, Number.MAX_VALUE].map((ms) => toTokens(ms));
  assert.deepEqual(counted, [0, 0, 1, 1, 12, 24, 25, 25, 25]);
  assert.deepEqual([toTokens(14, 0.5), toTokens(393, 0.5)], [28, 100]);
});
