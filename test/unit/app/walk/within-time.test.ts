/** Streets that agents' tools wait for. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { withinTime } from "#app/walk/within-time.ts";
import type { Walks } from "#ports/walks.ts";
import { createManualClock } from "../../../support/manual-clock.ts";

const CIRCLE = { lat: 48, lon: 9, radius_m: 500 };
const NONE = { base: "base_unreadable", [Symbol.dispose]: () => {} } as const;
const NEVER: Walks = {
  pin: (_circle, signal) =>
    new Promise((resolve) => {
      signal!.addEventListener("abort", () => resolve(NONE));
    }),
};

test("streets that are not read are waited for as long as stated, and no longer", async () => {
  const clock = createManualClock(0);
  let isOver = false;
  const pinned = withinTime(NEVER, clock, 3_000)
    .pin(CIRCLE)
    .finally(() => (isOver = true));
  clock.advance(2_999);
  await Promise.resolve();
  assert.equal(isOver, false);
  clock.advance(1);
  assert.equal((await pinned).base, "base_unreadable");
});

test("a caller that leaves ends it before", async () => {
  const client = new AbortController();
  const pinned = withinTime(NEVER, createManualClock(0), 3_000).pin(CIRCLE, client.signal);
  client.abort();
  assert.equal((await pinned).base, "base_unreadable");
});
