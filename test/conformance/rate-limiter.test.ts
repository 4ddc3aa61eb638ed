/** RateLimiter in memory: the suite, and that its memory is bounded without freeing a throttled key. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { admit } from "#core/limits/gcra.ts";
import { createMemoryLimiter, type MemoryLimiter } from "#storage/embedded/limiter.ts";
import { sized } from "../support/size.ts";
import { rateLimiterSuite } from "./rate-limiter.ts";

const NOW_MS = 1_795_000_000_000;
const FREE = { rate_per_s: 5, burst: 50 };

rateLimiterSuite("memory", () => createMemoryLimiter({ max_buckets: 1000 }));

test("memory is bounded under far more distinct keys at one moment than it has room for", () => {
  const limiter = createMemoryLimiter({ max_buckets: 10_000 });
  let most = 0;
  for (let i = 0; i < sized(150_000, 1_000_000); i++) {
    limiter.admit([{ key: `k${i}`, ...FREE }], NOW_MS);
    most = Math.max(most, limiter.size());
  }
  assert.equal(most, 10_000);
});

test("a caller that churns through keys frees no bucket, its own or another's", () => {
  const limiter = createMemoryLimiter({ max_buckets: 1000 });
  for (const key of ["victim", "attacker"]) drain(limiter, key);
  limiter.admit([{ key: "gentle", ...FREE }], NOW_MS);
  limiter.admit([{ key: "gentle", ...FREE }], NOW_MS);
  for (let i = 0; i < 100_000; i++) limiter.admit([{ key: `k${i}`, ...FREE }], NOW_MS);
  for (const key of ["victim", "attacker"])
    assert.equal(limiter.admit([{ key, ...FREE }], NOW_MS).admitted, false, key);
  const gentle = limiter.admit([{ key: "gentle", ...FREE }], NOW_MS);
  assert.ok(gentle.admitted && gentle.remaining === 47);
});

test("the buckets of a crowd that has gone are removed gradually, without a pause", () => {
  const limiter = createMemoryLimiter({ max_buckets: 10_000 });
  for (let i = 0; i < 5000; i++) limiter.admit([{ key: `k${i}`, ...FREE }], NOW_MS);
  assert.equal(limiter.size(), 5000);
  let before = limiter.size();
  for (let i = 0; i < 5000; i++) {
    limiter.admit([{ key: "one", ...FREE }], NOW_MS + 200 + i * 1000);
    assert.ok(before - limiter.size() <= 64);
    before = limiter.size();
  }
  assert.equal(limiter.size(), 1);
});

test("a clock that leaps ahead for a moment leaves no bucket that cannot be removed", () => {
  const limiter = createMemoryLimiter({ max_buckets: 100 });
  for (let i = 0; i < 100; i++)
    limiter.admit([{ key: `far${i}`, ...FREE }], NOW_MS + 365 * 86_400_000);
  drain(limiter, "a");
  for (let i = 0; i < 50; i++) limiter.admit([{ key: `k${i}`, ...FREE }], NOW_MS + 1000);
  assert.ok(limiter.size() <= 52, `${limiter.size()} buckets`);
});

test("with room for all, each key is admitted as its bucket alone would be", () => {
  const aCall = fc.record({ key: fc.constantFrom("a", "b", "c", "d", "e"), gap_ms: fc.nat(120) });
  fc.assert(
    fc.property(fc.array(aCall, { minLength: 100, maxLength: 400 }), (calls) => {
      const limiter = createMemoryLimiter({ max_buckets: 5 });
      const states = new Map<string, number>();
      const limit = { rate_per_s: 3, burst: 4 };
      let now_ms = NOW_MS;
      for (const { key, gap_ms } of calls) {
        now_ms += gap_ms;
        const { state, ...verdict } = admit(states.get(key) ?? null, limit, now_ms);
        states.set(key, state);
        assert.deepEqual(limiter.admit([{ key, ...limit }], now_ms), verdict);
      }
    }),
  );
});

function drain(limiter: MemoryLimiter, key: string): void {
  for (let i = 0; i < FREE.burst; i++)
    assert.equal(limiter.admit([{ key, ...FREE }], NOW_MS).admitted, true);
  assert.equal(limiter.admit([{ key, ...FREE }], NOW_MS).admitted, false);
}
