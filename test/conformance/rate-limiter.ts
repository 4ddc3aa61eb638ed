/** What every RateLimiter does (ports.ts; decisions, metering). Time is a parameter, not read. */
import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import fc from "fast-check";
import type { Admission, RateLimiter } from "#ports.ts";
import { TOKEN_MS, toTokens } from "#core/limits/cost-tokens.ts";
import { sized } from "../support/size.ts";

/** Gives a limiter that remembers nothing yet. */
export type OpenLimiter = (t: TestContext) => RateLimiter;

const NOW_MS = 1_795_000_000_000;
const HOUR_MS = 3_600_000;
const FREE = { rate_per_s: 5, burst: 50 };
/** As the plans for keys have them. */
const KEYED = [
  { rate_per_s: 20, burst: 100 },
  { rate_per_s: 200, burst: 500 },
] as const;

/** `minutes`: how many are gone through, request by request. */
export function rateLimiterSuite(
  name: string,
  open: OpenLimiter,
  { minutes = sized(8, 20) }: { minutes?: number } = {},
): void {
  test(`${name}: a burst is counted down, then refused with the time to retry`, async (t) => {
    const limiter = open(t);
    for (let left = 49; left >= 0; left--) {
      const admission = await limiter.admit([{ key: "a", ...FREE }], NOW_MS);
      assert.deepEqual(admission, { admitted: true, remaining: left, reset_s: 1 });
    }
    const refused = { admitted: false, retry_after_s: 1, remaining: 0, reset_s: 1 };
    for (let i = 0; i < 100; i++)
      assert.deepEqual(await limiter.admit([{ key: "a", ...FREE }], NOW_MS), refused);
    const later = await limiter.admit([{ key: "a", ...FREE }], NOW_MS + 1000);
    assert.deepEqual(later, { admitted: true, remaining: 4, reset_s: 1 }, "refusals cost nothing");
  });

  for (const { rate_per_s, burst } of KEYED)
    test(`${name}: a key has ${burst} at once, then ${rate_per_s} a second, and not one more`, async (t) => {
      const limiter = open(t);
      const count = async (offered: number, at_ms: number): Promise<number> => {
        let admitted = 0;
        for (let i = 0; i < offered; i++)
          if ((await limiter.admit([{ key: "key:a", rate_per_s, burst }], at_ms)).admitted)
            admitted++;
        return admitted;
      };
      assert.equal(await count(burst + 50, NOW_MS), burst);
      // Twice as many as there are, in steps of 20 ms.
      const offered = Math.ceil(rate_per_s / 25);
      for (let second = 0; second < 5; second++) {
        let admitted = 0;
        for (let step = 1; step <= 50; step++)
          admitted += await count(offered, NOW_MS + second * 1_000 + step * 20);
        assert.equal(admitted, rate_per_s, `second ${second}`);
      }
      assert.equal(await count(burst + 50, NOW_MS + HOUR_MS), burst, "full again, and no fuller");
    });

  test(`${name}: one key does not charge another`, async (t) => {
    const limiter = open(t);
    await drain(limiter, "a", NOW_MS);
    for (const key of ["b", "A", "a ", "", "aa", "__proto__", "ключ"]) {
      const admission = await limiter.admit([{ key, ...FREE }], NOW_MS);
      assert.ok(admission.admitted && admission.remaining === 49, key);
    }
  });

  test(`${name}: no bucket, no limit`, async (t) => {
    assert.equal((await open(t).admit([], NOW_MS)).admitted, true);
  });

  test(`${name}: all of several buckets admit, or none is charged`, async (t) => {
    const limiter = open(t);
    const [narrow, other, wide] = ["n", "o", "w"].map((key) => ({ key, ...FREE }));
    await drain(limiter, "n", NOW_MS);
    for (let i = 0; i < 200; i++) {
      const order = i % 2 === 0 ? [narrow!, wide!] : [wide!, narrow!];
      assert.equal((await limiter.admit(order, NOW_MS)).admitted, false);
    }
    const admission = await limiter.admit([other!, wide!], NOW_MS);
    assert.ok(admission.admitted && admission.remaining === 49, "the wide one was not charged");
    await limiter.admit([wide!], NOW_MS);
    const least = await limiter.admit([other!, wide!], NOW_MS);
    assert.ok(
      least.admitted && least.remaining === 47,
      "both were charged, and the least is reported",
    );
  });

  test(`${name}: of several buckets that refuse, the longest wait is returned`, async (t) => {
    const limiter = open(t);
    const buckets = [
      { key: "quick", rate_per_s: 5, burst: 1 },
      { key: "slow", rate_per_s: 0.1, burst: 1 },
    ];
    assert.equal((await limiter.admit(buckets, NOW_MS)).admitted, true);
    const refused = await limiter.admit(buckets, NOW_MS);
    assert.ok(!refused.admitted && refused.retry_after_s === 10);
    assert.equal((await limiter.admit(buckets, NOW_MS + 9_999)).admitted, false);
    assert.equal((await limiter.admit(buckets, NOW_MS + 10_000)).admitted, true);
  });

  test(`${name}: at ten times the rate a minute admits within 2 % of the ideal`, async (t) => {
    const aLimit = fc.record({
      rate_per_s: fc.oneof(
        fc.constantFrom(1, 5, 20, 200),
        fc.double({ min: 1, max: 50, noNaN: true }),
      ),
      burst: fc.integer({ min: 5, max: 200 }),
      seed: fc.integer(),
    });
    await fc.assert(
      fc.asyncProperty(aLimit, async ({ seed, ...limit }) => {
        const admitted = await countMinute(open(t), limit, createRandom(seed));
        const ideal = limit.rate_per_s * 60 + limit.burst;
        assert.ok(Math.abs(admitted - ideal) <= 0.02 * ideal, `${admitted} of ${ideal}`);
      }),
      { numRuns: minutes },
    );
  });

  test(`${name}: a caller that waits as long as stated is admitted every time`, async (t) => {
    let refusals = 0;
    const aLimit = fc.record({
      rate_per_s: fc.double({ min: 0.05, max: 300, noNaN: true }),
      burst: fc.integer({ min: 1, max: 40 }),
      wide: fc.integer({ min: 1, max: 8 }),
      gap_ms: fc.integer({ min: 0, max: 400 }),
      seed: fc.integer(),
    });
    await fc.assert(
      fc.asyncProperty(aLimit, async ({ rate_per_s, burst, wide, gap_ms, seed }) => {
        const buckets = [
          { key: "narrow", rate_per_s, burst },
          { key: "wide", rate_per_s: (rate_per_s * wide) / 4, burst: burst * wide },
        ];
        refusals += await countRefusals(open(t), buckets, { gap_ms, random: createRandom(seed) });
      }),
      { numRuns: sized(20, 60) },
    );
    assert.ok(refusals > sized(600, 2_000), `${refusals} refusals`);
  });

  test(`${name}: what is charged afterwards is paid before the next request, in every bucket`, async (t) => {
    const limiter = open(t);
    const wide = { key: "w", rate_per_s: 10, burst: 100 };
    const both = [{ key: "n", ...FREE }, wide];
    assert.equal((await limiter.admit(both, NOW_MS)).admitted, true);
    limiter.charge(both, 69, NOW_MS);
    await settled(limiter);
    const refused = await limiter.admit(both, NOW_MS);
    // 20 more than it had, at five a second, and the one that is wanted.
    assert.deepEqual(refused, { admitted: false, retry_after_s: 5, remaining: 0, reset_s: 5 });
    const other = await limiter.admit([{ key: "o", ...FREE }, wide], NOW_MS);
    assert.ok(other.admitted && other.remaining === 29, "the wide one was charged as much");
    assert.equal((await limiter.admit(both, NOW_MS + 4_199)).admitted, false);
    const paid = await limiter.admit(both, NOW_MS + 4_200);
    assert.ok(paid.admitted && paid.remaining === 0);
  });

  test(`${name}: a charge of nothing changes nothing, and a charge never frees`, async (t) => {
    const limiter = open(t);
    await drain(limiter, "a", NOW_MS);
    for (const tokens of [0, 1, 0]) limiter.charge([{ key: "a", ...FREE }], tokens, NOW_MS);
    await settled(limiter);
    assert.equal((await limiter.admit([{ key: "a", ...FREE }], NOW_MS + 399)).admitted, false);
    assert.equal((await limiter.admit([{ key: "a", ...FREE }], NOW_MS + 400)).admitted, true);
    const fresh = await limiter.admit([{ key: "b", ...FREE }], NOW_MS);
    assert.ok(fresh.admitted && fresh.remaining === 49, "others are not concerned");
  });

  test(`${name}: however long answers took, a caller is admitted again after a minute`, async (t) => {
    const limiter = open(t);
    const bucket = [{ key: "a", ...FREE }];
    assert.equal((await limiter.admit(bucket, NOW_MS)).admitted, true);
    for (let i = 0; i < 3; i++) limiter.charge(bucket, 1_000_000, NOW_MS);
    await settled(limiter);
    const refused = await limiter.admit(bucket, NOW_MS);
    assert.ok(!refused.admitted && refused.retry_after_s === 61);
    assert.equal((await limiter.admit(bucket, NOW_MS + 60_199)).admitted, false);
    assert.equal((await limiter.admit(bucket, NOW_MS + 60_200)).admitted, true);
  });

  test(`${name}: answers of any length take no more than their tokens' worth of time`, async (t) => {
    const anAnswer = fc.oneof(
      fc.double({ min: 0, max: 4, noNaN: true }),
      fc.integer({ max: 40, min: 0 }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(anAnswer, { minLength: 5, maxLength: 20 }), async (lengths) => {
        const limiter = open(t);
        let taken_ms = 0;
        for (let at_ms = 0; at_ms < 60_000; at_ms += 50) {
          if (!(await limiter.admit([{ key: "a", ...FREE }], NOW_MS + at_ms)).admitted) continue;
          const ms = lengths[(at_ms / 50) % lengths.length]!;
          taken_ms += ms;
          limiter.charge([{ key: "a", ...FREE }], toTokens(ms), NOW_MS + at_ms);
        }
        // 5 a second for a minute and the burst; the last answer may owe what it took.
        const most_ms = (300 + 50) * TOKEN_MS + Math.max(...lengths);
        assert.ok(taken_ms <= most_ms, `${taken_ms} of ${most_ms} ms`);
      }),
      { numRuns: sized(4, 20) },
    );
  });

  test(`${name}: a clock set back neither locks a caller out nor frees one`, async (t) => {
    const limiter = open(t);
    await drain(limiter, "a", NOW_MS);
    const back_ms = NOW_MS - HOUR_MS;
    const refused = await limiter.admit([{ key: "a", ...FREE }], back_ms);
    assert.ok(!refused.admitted && refused.retry_after_s === 1);
    const again = await limiter.admit([{ key: "a", ...FREE }], back_ms + 1000);
    assert.ok(again.admitted && again.remaining <= 4);
    assert.equal((await limiter.admit([{ key: "b", ...FREE }], back_ms + 1000)).admitted, true);
  });

  test(`${name}: clocks that are read a little out of order admit no more`, async (t) => {
    const random = createRandom(7);
    const limiter = open(t);
    let admitted = 0;
    for (let at_ms = 0; at_ms < 60_000; at_ms += 2) {
      const read_ms = NOW_MS + at_ms - Math.floor(random() * 100);
      if ((await limiter.admit([{ key: "a", rate_per_s: 50, burst: 20 }], read_ms)).admitted)
        admitted += 1;
    }
    assert.ok(Math.abs(admitted - 3020) <= 0.02 * 3020, `${admitted} of 3020`);
  });
}

/** Resolves when what was charged has arrived: a store that sees a script for the first time asks for it. */
async function settled(limiter: RateLimiter): Promise<void> {
  for (let trips = 0; trips < 3; trips++) await limiter.admit([{ key: "trip", ...FREE }], NOW_MS);
}

async function drain(limiter: RateLimiter, key: string, now_ms: number): Promise<void> {
  for (let i = 0; i < FREE.burst; i++)
    assert.equal((await limiter.admit([{ key, ...FREE }], now_ms)).admitted, true);
  assert.equal((await limiter.admit([{ key, ...FREE }], now_ms)).admitted, false);
}

/** Arrivals as of very many independent callers: exponential gaps. */
async function countMinute(
  limiter: RateLimiter,
  limit: { rate_per_s: number; burst: number },
  random: () => number,
): Promise<number> {
  let admitted = 0;
  for (let at_ms = 0; at_ms < 60_000;) {
    const admission = await limiter.admit([{ key: "a", ...limit }], NOW_MS + Math.floor(at_ms));
    if (admission.admitted) admitted += 1;
    at_ms += (-Math.log(1 - random()) * 1000) / (limit.rate_per_s * 10);
  }
  return admitted;
}

/** Runs one caller that honours `retry_after_s`; returns how often it was refused. */
async function countRefusals(
  limiter: RateLimiter,
  buckets: Parameters<RateLimiter["admit"]>[0],
  { gap_ms, random }: { gap_ms: number; random: () => number },
): Promise<number> {
  let refusals = 0;
  let now_ms = NOW_MS;
  for (let i = 0; i < 300; i++) {
    now_ms += Math.floor(random() * gap_ms);
    const admission: Admission = await limiter.admit(buckets, now_ms);
    if (admission.admitted) continue;
    refusals += 1;
    now_ms += admission.retry_after_s * 1000;
    assert.equal((await limiter.admit(buckets, now_ms)).admitted, true);
  }
  return refusals;
}

/** Mulberry32: numbers in [0, 1) that are the same for the same seed. */
export function createRandom(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
