/** The two fields, read back by a parser of their own (RFC 9651 lists of strings with integers). */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import {
  toBurstAllowance,
  toQuotaAllowance,
  toRateLimitFields,
} from "#core/limits/limit-headers.ts";
import type { Allowance } from "#core/limits/limit-headers.ts";

const MONTH = { units: 10_000, period: "month" } as const;

/** `"burst";q=20;w=20, …` → [["burst", {q: 20, w: 20}], …]; throws on anything else. */
function parse(field: string): [string, Record<string, number>][] {
  return field.split(/[ \t]*,[ \t]*/).map((member) => {
    const [, name, parameters] =
      /^"([\x20\x21\x23-\x5b\x5d-\x7e]*)"((?:; *[a-z][a-z0-9]*=-?\d{1,15})*)$/.exec(member) ??
      assert.fail(member);
    const pairs = parameters!
      .split(";")
      .slice(1)
      .map((pair) => pair.trim().split("="));
    return [name!, Object.fromEntries(pairs.map(([key, value]) => [key!, Number(value)]))];
  });
}

test("the examples of the reference, to the letter", () => {
  const burst = toBurstAllowance({ rate_per_s: 1, burst: 20 }, { remaining: 7, reset_s: 1 });
  assert.deepEqual(toRateLimitFields([burst]), {
    policy: '"burst";q=20;w=20',
    limit: '"burst";r=7;t=1',
  });
  const month = toQuotaAllowance(MONTH, { used: 880, ends_in_s: 861_000 });
  assert.deepEqual(toRateLimitFields([burst, month]), {
    policy: '"burst";q=20;w=20, "month";q=10000;w=2592000',
    limit: '"burst";r=7;t=1, "month";r=9120;t=861000',
  });
});

test("nothing that limits: no fields, for a list of policies may not be empty", () => {
  assert.equal(toRateLimitFields([]), null);
});

test("the window is the time to fill the bucket, never below a second", () => {
  const left = { remaining: 0, reset_s: 1 };
  assert.equal(toBurstAllowance({ rate_per_s: 200, burst: 500 }, left).window_s, 3);
  assert.equal(toBurstAllowance({ rate_per_s: 200, burst: 1 }, left).window_s, 1);
  assert.equal(toBurstAllowance({ rate_per_s: 20 / 60, burst: 20 }, left).window_s, 60);
});

test("a quota that is overdrawn has nothing left, not less", () => {
  const fields = toRateLimitFields([
    toQuotaAllowance({ units: 5000, period: "day" }, { used: 5003, ends_in_s: 0.2 }),
  ]);
  assert.deepEqual(fields, { policy: '"day";q=5000;w=86400', limit: '"day";r=0;t=1' });
});

test("whatever is left of whatever limits: both fields parse, name for name", () => {
  const amount = fc.oneof(fc.integer(), fc.double({ noNaN: true }), fc.constant(Infinity));
  const anAllowance: fc.Arbitrary<Allowance> = fc.record({
    name: fc.constantFrom("burst", "day", "month"),
    quota: amount,
    window_s: fc.integer({ min: 1, max: 2_592_000 }),
    remaining: amount,
    reset_s: amount,
  });
  fc.assert(
    fc.property(fc.array(anAllowance, { minLength: 1, maxLength: 4 }), (allowances) => {
      const { policy, limit } = toRateLimitFields(allowances)!;
      const names = allowances.map(({ name }) => name);
      const [policies, limits] = [parse(policy), parse(limit)];
      assert.deepEqual(
        policies.map(([name]) => name),
        names,
      );
      assert.deepEqual(
        limits.map(([name]) => name),
        names,
      );
      for (const [, { q, w }] of policies) assert.ok(q! >= 0 && w! >= 1);
      for (const [, { r, t }] of limits) assert.ok(r! >= 0 && t! >= 0);
    }),
  );
});
