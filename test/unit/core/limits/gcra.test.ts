/** One bucket: what it admits, and that it keeps its word about when to come again. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { admit, charge, combine, DEBT_US } from "#core/limits/gcra.ts";
import type { BucketState, Decision, Limit } from "#core/limits/gcra.ts";
import { forAll } from "../../../support/domain.ts";
import { tries } from "../../../support/size.ts";

const NOW_MS = 1_795_000_000_000;
const HOUR_MS = 3_600_000;
const FREE: Limit = { rate_per_s: 5, burst: 50 };

const aLimit = fc.record({
  rate_per_s: fc.oneof(
    fc.constantFrom(20 / 60, 1, 3, 5, 7, 20, 200, 1600),
    fc.double({ min: 0.01, max: 2000, noNaN: true }),
  ),
  burst: fc.integer({ min: 1, max: 500 }),
});
const aTime = fc.oneof(
  fc.integer({ min: NOW_MS, max: NOW_MS + HOUR_MS }),
  fc.double({ min: NOW_MS, max: NOW_MS + HOUR_MS, noNaN: true }),
);

/** Asks until it is refused. */
function drain(limit: Limit, now_ms: number, from: BucketState = null): Decision[] {
  const decisions = [admit(from, limit, now_ms)];
  while (decisions.at(-1)!.admitted) {
    assert.ok(decisions.length <= limit.burst, "more than its burst");
    decisions.push(admit(decisions.at(-1)!.state, limit, now_ms));
  }
  return decisions;
}

test("a full bucket admits its burst, counts down, and then says when", () => {
  const decisions = drain(FREE, NOW_MS);
  assert.deepEqual(
    decisions.map(({ remaining }) => remaining),
    [...Array.from({ length: 50 }, (_, i) => 49 - i), 0],
  );
  const { state, ...last } = decisions.at(-1)!;
  assert.deepEqual(last, { admitted: false, retry_after_s: 1, remaining: 0, reset_s: 1 });
  assert.equal(state, decisions.at(-2)!.state, "a refusal costs nothing");
  assert.equal(admit(state, FREE, NOW_MS + 199.9).admitted, false);
  assert.equal(admit(state, FREE, NOW_MS + 200).admitted, true);
});

test("a bucket that was never used, one that is full again, and one long unused are the same", () => {
  const first = admit(null, FREE, NOW_MS);
  assert.deepEqual(admit(NOW_MS * 1000, FREE, NOW_MS), first);
  assert.deepEqual(admit((NOW_MS - HOUR_MS) * 1000, FREE, NOW_MS), first);
});

test("whatever the limit and the time: the burst to the last, and not one more", () => {
  forAll(
    fc.property(aLimit, aTime, (limit, now_ms) => {
      assert.equal(drain(limit, now_ms).length, limit.burst + 1);
    }),
  );
});

test("a caller that waits as long as stated is admitted, and no shorter whole second would do", () => {
  let refusals = 0;
  forAll(
    fc.property(
      aLimit,
      aTime,
      fc.array(fc.nat(5000), { minLength: 20, maxLength: 80 }),
      (limit, at_ms, gaps) => {
        let state = drain(limit, at_ms).at(-1)!.state;
        let now_ms = at_ms;
        for (const gap of gaps) {
          now_ms += gap / 10;
          const decision = admit(state, limit, now_ms);
          state = decision.state;
          if (decision.admitted) continue;
          refusals += 1;
          const { retry_after_s, reset_s } = decision;
          assert.ok(
            Number.isInteger(retry_after_s) && retry_after_s >= 1 && reset_s <= retry_after_s,
          );
          assert.equal(admit(state, limit, now_ms + retry_after_s * 1000).admitted, true);
          assert.equal(admit(state, limit, now_ms + (retry_after_s - 1) * 1000).admitted, false);
        }
      },
    ),
  );
  assert.ok(refusals > tries(1_000), `${refusals} refusals`);
});

test("after reset_s there is one more, a second before there is none", () => {
  forAll(
    fc.property(aLimit, aTime, fc.integer({ min: 1, max: 500 }), (limit, now_ms, count) => {
      let decision = admit(null, limit, now_ms);
      for (let i = 1; i < Math.min(count, limit.burst); i++)
        decision = admit(decision.state, limit, now_ms);
      if (!decision.admitted) return assert.fail("within its burst");
      const { remaining, reset_s, state } = decision;
      assert.ok(Number.isInteger(reset_s) && reset_s >= 1);
      // The request that looks takes one itself.
      const later = admit(state, limit, now_ms + reset_s * 1000);
      assert.ok(later.admitted && later.remaining >= remaining);
      const before = admit(state, limit, now_ms + (reset_s - 1) * 1000);
      assert.ok(!before.admitted || before.remaining < remaining || remaining === 0);
    }),
  );
});

test("units refilled since the last request shorten the wait for the next", () => {
  const slow = { rate_per_s: 0.1, burst: 10 };
  let state: BucketState = null;
  for (let i = 0; i < 5; i++) state = admit(state, slow, NOW_MS).state;
  const { admitted, remaining, reset_s } = admit(state, slow, NOW_MS + 4000);
  assert.deepEqual({ admitted, remaining, reset_s }, { admitted: true, remaining: 4, reset_s: 6 });
});

test("a clock that reads fractions of a millisecond: the wait still suffices", () => {
  const single = { rate_per_s: 1, burst: 1 };
  for (let i = 0; i < 4096; i++) {
    const now_ms = NOW_MS + i / 4096;
    const { state } = admit(null, single, now_ms);
    const refused = admit(state, single, now_ms);
    assert.ok(!refused.admitted && refused.retry_after_s === 1);
    for (const s of [1, 7, 61]) assert.ok(admit(state, single, now_ms + s * 1000).admitted, `${i}`);
  }
});

test("the clock set back: a bucket is empty at worst, and the answer holds", () => {
  const used = drain(FREE, NOW_MS).at(-1)!.state;
  const back = admit(used, FREE, NOW_MS - HOUR_MS);
  assert.ok(!back.admitted);
  assert.equal(back.retry_after_s, 1);
  assert.equal(admit(back.state, FREE, NOW_MS - HOUR_MS + 1000).admitted, true);
});

test("a clock read a little early gains a caller nothing", () => {
  let state = drain(FREE, NOW_MS).at(-1)!.state;
  for (let i = 0; i < 1000; i++) {
    const decision = admit(state, FREE, NOW_MS - (i % 2) * 150);
    assert.equal(decision.admitted, false);
    state = decision.state;
  }
});

test("a faster plan frees its key at once from the debts of the slower one", () => {
  const slow = drain({ rate_per_s: 0.01, burst: 100 }, NOW_MS).at(-1)!.state;
  const upgraded = admit(slow, { rate_per_s: 20, burst: 100 }, NOW_MS);
  assert.ok(!upgraded.admitted && upgraded.retry_after_s === 1);
  assert.equal(admit(upgraded.state, { rate_per_s: 20, burst: 100 }, NOW_MS + 50).admitted, true);
});

const aCharge = fc.record({
  tokens: fc.oneof(fc.nat(20), fc.nat(100_000)),
  after_ms: fc.oneof(fc.nat(300), fc.nat(100_000)),
});

test("whatever is charged: never more is admitted than the rate and the burst allow", () => {
  forAll(
    fc.property(aLimit, fc.array(aCharge, { minLength: 1, maxLength: 60 }), (limit, charges) => {
      let state: BucketState = null;
      let now_ms = NOW_MS;
      let spent = 0;
      for (const { tokens, after_ms } of charges) {
        now_ms += after_ms;
        const decision = admit(state, limit, now_ms);
        state = decision.state;
        if (!decision.admitted) continue;
        const charged = charge(state, limit, tokens, now_ms);
        assert.ok(charged >= state && Number.isSafeInteger(charged), "a charge only takes");
        // Where the debt is bounded, less was taken than was used: it is not part of the sum.
        const interval_us = Math.max(1, Math.round(1_000_000 / limit.rate_per_s));
        spent += 1 + (charged - state) / interval_us;
        state = charged;
        const earned = ((now_ms - NOW_MS) * 1_000) / interval_us + limit.burst;
        const owed = DEBT_US / interval_us;
        assert.ok(spent <= earned + owed + 1, `${spent} of ${earned}`);
      }
    }),
  );
});

test("a debt is bounded: however much is charged, a minute later one request is admitted", () => {
  forAll(
    fc.property(aLimit, fc.array(fc.nat(1e9), { minLength: 1, maxLength: 5 }), (limit, sums) => {
      let state = drain(limit, NOW_MS).at(-1)!.state;
      for (const tokens of sums) state = charge(state, limit, tokens, NOW_MS);
      const first_s = 1 / limit.rate_per_s;
      const later_ms = NOW_MS + DEBT_US / 1_000 + Math.ceil(first_s * 1_000) + 1;
      assert.ok(admit(state, limit, later_ms).admitted);
    }),
  );
});

test("what an answer took is paid before the next request, and the wait is stated", () => {
  const empty = drain(FREE, NOW_MS).at(-1)!.state;
  const owing = charge(empty, FREE, 20, NOW_MS);
  const refused = admit(owing, FREE, NOW_MS);
  assert.deepEqual(
    { ...refused, state: 0 },
    {
      ...{ admitted: false, retry_after_s: 5, remaining: 0, reset_s: 5, state: 0 },
    },
  );
  assert.equal(admit(owing, FREE, NOW_MS + 4_199).admitted, false);
  assert.equal(admit(owing, FREE, NOW_MS + 4_200).admitted, true);
  const full = charge(null, FREE, 20, NOW_MS);
  const { remaining } = admit(full, FREE, NOW_MS);
  assert.equal(remaining, 29, "fifty, less twenty, less the one that looks");
  assert.equal(charge(null, FREE, 0, NOW_MS), NOW_MS * 1_000, "nothing is nothing");
});

test("several buckets: the least is reported; one refusal refuses, and the longest wait counts", () => {
  const yes = (remaining: number, reset_s: number): Decision => ({
    admitted: true,
    remaining,
    reset_s,
    state: 0,
  });
  const no = (retry_after_s: number): Decision => ({
    admitted: false,
    retry_after_s,
    remaining: 0,
    reset_s: retry_after_s,
    state: 0,
  });
  const expected = { admitted: true, remaining: 3, reset_s: 4 };
  for (const all of [
    [yes(3, 4), yes(7, 1)],
    [yes(7, 9), yes(3, 2), yes(3, 4)],
    [yes(3, 4), yes(3, 2)],
  ])
    assert.deepEqual(combine(all), expected);
  const refused = { admitted: false, retry_after_s: 5, remaining: 0, reset_s: 5 };
  assert.deepEqual(combine([no(2), yes(0, 9), no(5)]), refused);
  assert.deepEqual(combine([no(5), no(2), yes(1, 1)]), refused);
  assert.deepEqual(combine([]), { admitted: true, remaining: Infinity, reset_s: 0 });
});
