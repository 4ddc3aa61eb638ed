/** system_pricing_plans: faults of publishers, one row each, and what is made of them. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { PriceValue } from "#api/prices.ts";
import { createTrail } from "#kit/trail.ts";
import { readPricingPlans } from "../../gbfs/gbfs-prices.ts";

const PLAN = { plan_id: "p", name: "P", currency: "EUR", price: 1, is_taxable: false };
const MINUTE = { start: 0, rate: 0.2, interval: 1 };
const RATED = { ...PLAN, per_min_pricing: [MINUTE] };

function read(plans: unknown): {
  plans: PriceValue[] | null;
  dropped: string[];
  repaired: string[];
} {
  const trail = createTrail();
  const wire = { last_updated: 1, ttl: 0, data: { plans } };
  const match = readPricingPlans(wire, trail, { languages: ["en"] });
  const { dropped, repaired } = trail.toTrail();
  const reasons = (list: readonly { reason: string }[]) => list.map(({ reason }) => reason);
  return { plans: match, dropped: reasons(dropped), repaired: reasons(repaired) };
}

type Fault = {
  name: string;
  plan: object;
  /** null: the plan is dropped. */
  is: Partial<PriceValue> | null;
  reason?: string;
};

const FAULTS: readonly Fault[] = [
  { name: "price as text", plan: { ...RATED, price: "1.00" }, is: { unlock: 1, per_minute: 0.2 } },
  {
    name: "price with a decimal comma",
    plan: { ...RATED, price: "1,50" },
    is: { unlock: 1.5 },
    reason: "price_with_comma",
  },
  {
    name: "price that may be of thousands",
    plan: { ...RATED, price: "1,500" },
    is: { unlock: null },
    reason: "price_unusable",
  },
  {
    name: "price with its currency",
    plan: { ...RATED, price: "€1" },
    is: { unlock: null },
    reason: "price_unusable",
  },
  { name: "no price", plan: { ...RATED, price: undefined }, is: { unlock: null } },
  {
    name: "price below 0",
    plan: { ...RATED, price: -1 },
    is: null,
    reason: "plan_price_negative",
  },
  { name: "absurd price", plan: { ...RATED, price: 1e12 }, is: { unlock: null } },
  {
    name: "no currency",
    plan: { ...RATED, currency: undefined },
    is: { currency: null, unlock: 1 },
    reason: "plan_without_currency",
  },
  {
    name: "a sign for a currency",
    plan: { ...RATED, currency: "€" },
    is: { currency: null },
    reason: "plan_without_currency",
  },
  {
    name: "currency in small letters",
    plan: { ...RATED, currency: "eur" },
    is: { currency: "EUR" },
  },
  {
    name: "a price and no rate, which may be of a pass",
    plan: PLAN,
    is: { unlock: null, flat: 1, per_minute: null },
  },
  {
    name: "an empty list of rates",
    plan: { ...PLAN, per_min_pricing: [] },
    is: { unlock: null, flat: 1, per_minute: null },
  },
  {
    name: "a rate of every fifth minute is no rate of a minute",
    plan: { ...PLAN, per_min_pricing: [{ ...MINUTE, interval: 5 }] },
    is: { per_minute: null, minute_steps: [{ ...MINUTE, interval: 5, end: null }] },
  },
  {
    name: "a rate that begins later",
    plan: { ...PLAN, per_min_pricing: [{ ...MINUTE, start: 10 }] },
    is: { per_minute: null, minute_steps: [{ ...MINUTE, start: 10, end: null }] },
  },
  {
    name: "a rate that ends",
    plan: { ...PLAN, per_min_pricing: [{ ...MINUTE, end: 10 }] },
    is: { per_minute: null, minute_steps: [{ ...MINUTE, end: 10 }] },
  },
  {
    name: "a segment without a rate",
    plan: { ...PLAN, per_min_pricing: [{ start: 0, interval: 1 }] },
    is: null,
    reason: "plan_steps_unusable",
  },
  {
    name: "a segment that is no object",
    plan: { ...PLAN, per_min_pricing: ["0.2"] },
    is: null,
    reason: "plan_steps_unusable",
  },
  {
    name: "a segment that ends before it starts",
    plan: { ...PLAN, per_min_pricing: [{ ...MINUTE, start: 9, end: 3 }] },
    is: null,
    reason: "plan_steps_unusable",
  },
  {
    name: "an end that cannot be read",
    plan: { ...PLAN, per_min_pricing: [{ ...MINUTE, end: "soon" }] },
    is: null,
    reason: "plan_steps_unusable",
  },
  {
    name: "an interval below 0",
    plan: { ...PLAN, per_min_pricing: [{ ...MINUTE, interval: -1 }] },
    is: null,
    reason: "plan_steps_unusable",
  },
  {
    name: "more segments than a plan has",
    plan: { ...PLAN, per_min_pricing: Array.from({ length: 101 }, () => MINUTE) },
    is: null,
    reason: "plan_beyond_bounds",
  },
  {
    name: "a discount by distance",
    plan: { ...RATED, per_km_pricing: [{ ...MINUTE, rate: -0.1 }] },
    is: { km_steps: [{ ...MINUTE, rate: -0.1, end: null }] },
  },
  {
    name: "fees that no version defines",
    plan: { ...RATED, additional_fees: [{ fee: "purchase_price", price: 10 }] },
    is: { has_fees: true },
  },
  { name: "a link that runs", plan: { ...RATED, url: "javascript:alert(1)" }, is: { url: null } },
  {
    name: "a text without end",
    plan: { ...RATED, description: "a".repeat(9_000) },
    is: { text: "a".repeat(500) },
  },
  { name: "tax as text", plan: { ...RATED, is_taxable: "true" }, is: { is_taxable: true } },
];

for (const { name, plan, is, reason } of FAULTS)
  test(`a plan with ${name}`, () => {
    const { plans, dropped, repaired } = read([plan]);
    if (is === null) assert.deepEqual([plans, dropped], [[], [reason]]);
    else {
      assert.deepEqual(dropped, []);
      assert.deepEqual(repaired, reason === undefined ? [] : [reason]);
      for (const [member, value] of Object.entries(is))
        assert.deepEqual((plans![0] as Record<string, unknown>)[member], value, member);
    }
  });

test("a plan of an id that was there, or without one, is dropped, and a bad one costs no other", () => {
  const { plans, dropped } = read([RATED, RATED, { ...RATED, plan_id: null }, "x"]);
  assert.equal(plans!.length, 1);
  assert.deepEqual(dropped.toSorted(), ["id_duplicate", "id_missing", "row_malformed"]);
});

test("plans beyond 300, or 2,000 segments of all, are dropped", () => {
  const many = Array.from({ length: 301 }, (_, i) => ({ ...RATED, plan_id: `${i}` }));
  assert.equal(read(many).plans!.length, 300);
  const steps = Array.from({ length: 100 }, () => MINUTE);
  const long = many.slice(0, 21).map((plan) => ({ ...plan, per_min_pricing: steps }));
  assert.equal(read(long).plans!.length, 20);
});

test("a file that is no list of plans is none", () => {
  for (const plans of [null, {}, "plans", undefined]) assert.equal(read(plans).plans, null);
});
