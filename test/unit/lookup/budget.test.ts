/** What may be asked beyond the first try, and in a day; how long answers are kept. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { SpendStore } from "#ports.ts";
import {
  createMemorySpendStore,
  createRetryBudget,
  Spend,
} from "#upstream/lookup/lookup-limits.ts";
import { createLookupCache } from "#upstream/lookup/ask-source.ts";
import { policyOf } from "#upstream/lookup/lookup-policy.ts";
import { forAll } from "../../support/domain.ts";
import { createWatchedClock } from "../../support/lookup.ts";

const DAY_MS = 86_400_000;

test("retries: ten tokens, one more for ten successes, never more than ten", () => {
  const budget = createRetryBudget();
  for (let i = 0; i < 1000; i++) budget.success();
  for (let i = 0; i < 10; i++) assert.equal(budget.take(), true);
  assert.equal(budget.take(), false);
  for (let i = 0; i < 9; i++) budget.success();
  assert.equal(budget.take(), false);
  budget.success();
  budget.success();
  assert.equal(budget.take(), true);
  assert.equal(budget.take(), false);
});

test("any history: retries ≤ 10 + a tenth of the successes", () => {
  forAll(
    fc.property(fc.array(fc.boolean(), { maxLength: 400, size: "max" }), (history) => {
      const budget = createRetryBudget();
      let successes = 0;
      let retries = 0;
      for (const success of history) {
        if (success) {
          budget.success();
          successes++;
        } else if (budget.take()) retries++;
        assert.ok(retries <= 10 + 0.1 * successes + 1e-9);
      }
    }),
  );
});

const openSpend = (
  clock: ReturnType<typeof createWatchedClock>,
  calls_per_day: number | null,
  { reserved_share = 0, store = createMemorySpendStore() } = {},
): Spend => new Spend(clock, "maps", { calls_per_day, reserved_share }, store);

test("the cap on spending turns with the UTC day of the clock, not a day after the first call", async () => {
  const clock = createWatchedClock(Date.UTC(2026, 8, 21, 23, 59, 59, 999));
  const spend = openSpend(clock, 2);
  const take = () => spend.take(false);
  assert.deepEqual([take(), take(), take()], ["ok", "ok", "spend_cap"]);
  assert.equal(spend.spent(), 2);
  await clock.advance(1);
  assert.equal(spend.spent(), 0);
  assert.deepEqual([take(), take(), take()], ["ok", "ok", "spend_cap"]);
  await clock.advance(DAY_MS - 1);
  assert.equal(take(), "spend_cap");
  await clock.advance(1);
  assert.equal(take(), "ok");
});

test("without a cap spending is only counted; a cap of none allows none", () => {
  const clock = createWatchedClock();
  const free = openSpend(clock, null);
  for (let i = 0; i < 1000; i++) assert.equal(free.take(false), "ok");
  assert.equal(free.spent(), 1000);
  assert.equal(openSpend(clock, 0).take(true), "spend_cap");
});

test("callers without a key stop where the share reserved for keys begins", () => {
  const spend = openSpend(createWatchedClock(), 20, { reserved_share: 0.5 });
  for (let i = 0; i < 10; i++) assert.equal(spend.take(false), "ok");
  assert.equal(spend.take(false), "reserved_for_keys");
  for (let i = 0; i < 10; i++) assert.equal(spend.take(true), "ok");
  assert.equal(spend.take(true), "spend_cap");
});

test("a restart goes on counting; a crash forgets no call, a shutdown refunds calls that were not made", async () => {
  const clock = createWatchedClock();
  const store = createMemorySpendStore();
  const first = openSpend(clock, 1000, { store });
  for (let i = 0; i < 7; i++) assert.equal(first.take(true), "ok");
  // Killed: calls are counted five at a time, so that ten are counted by now.
  const second = openSpend(clock, 1000, { store });
  second.take(true);
  assert.equal(second.spent(), 11);
  await second.close();
  const third = openSpend(clock, 1000, { store });
  third.take(true);
  assert.equal(third.spent(), 12);
});

test("replicas that share a store share the day, and wait for its answer together", async () => {
  const clock = createWatchedClock();
  const counted = createMemorySpendStore();
  const store: SpendStore = {
    add: (...call) => Promise.resolve().then(() => counted.add(...call)),
  };
  const replicas = [openSpend(clock, 10, { store }), openSpend(clock, 10, { store })];
  const verdicts = await Promise.all(
    Array.from({ length: 14 }, (_, i) => Promise.resolve(replicas[i % 2]!.take(true))),
  );
  assert.equal(verdicts.filter((verdict) => verdict === "ok").length, 10);
});

test("terms: what may not be stored lives for 30 s, and not a moment in any other use", () => {
  for (const store of ["ids", "none"] as const) {
    const { fresh_ms, renew_ms, rescue_ms } = policyOf({ store }, { cache_s: 3600 });
    assert.deepEqual([fresh_ms, renew_ms, rescue_ms], [30_000, 0, 0]);
    assert.equal(policyOf({ store }, { cache_s: 10 }).fresh_ms, 10_000);
  }
});

test("terms: open data are good for their time, shown a day at most while renewed, held 30 days", () => {
  const hour = policyOf({ store: "all" }, { cache_s: 3600 });
  assert.deepEqual(
    [hour.fresh_ms, hour.renew_ms, hour.rescue_ms],
    [3_600_000, 3_600_000, 30 * DAY_MS],
  );
  const week = policyOf({ store: "all" }, { cache_s: 7 * 86_400 });
  assert.deepEqual([week.fresh_ms, week.renew_ms], [7 * DAY_MS, DAY_MS]);
});

test("policy: the usual one, unless the row of a source says otherwise", () => {
  const usual = policyOf({ store: "all" }, { cache_s: 1 });
  assert.deepEqual([usual.places, usual.queue, usual.retry], [32, 64, true]);
  assert.deepEqual([usual.calls_per_day, usual.per_second], [null, null]);
  const policy = policyOf({ store: "all" }, { cache_s: 1, places: 2, retry: false, per_second: 1 });
  assert.deepEqual(
    [policy.places, policy.queue, policy.retry, policy.per_second],
    [2, 64, false, 1],
  );
});

test("the cache forgets what no caller may see any more, and the least used when it is full", async () => {
  const clock = createWatchedClock();
  const cache = createLookupCache(clock, 10_000);
  const entry = (gone_at_ms: number) => ({ value: [], raw: 0, fetched_at_ms: 0, gone_at_ms });
  cache.put("short", entry(clock.now() + 10), 100);
  assert.ok(cache.get("short"));
  await clock.advance(9);
  assert.ok(cache.get("short"));
  await clock.advance(1);
  assert.deepEqual([cache.get("short"), cache.size()], [null, 0]);
  const later = entry(clock.now() + DAY_MS);
  for (let i = 0; i < 100; i++) {
    cache.put(`k${i}`, later, 1000);
    cache.get("k0");
    assert.ok(cache.size() <= 10_000);
  }
  assert.ok(cache.get("k0") && cache.get("k99"));
  assert.equal(cache.get("k50"), null);
  cache.put("huge", later, 1_000_000);
  assert.equal(cache.get("huge"), null);
  assert.ok(cache.get("k99"), "what does not fit at all throws nothing out");
});
