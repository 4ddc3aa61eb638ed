/** What a ride costs by its plan: by hand, and against a count minute by minute. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { PriceStep, PriceValue } from "#api/prices.ts";
import { costOf } from "#core/ride-cost.ts";
import { findPlan } from "#core/plan/price.ts";

const PRICE: PriceValue = {
  ...{ plan_id: "p", currency: "EUR", unlock: 1, per_minute: 0.25, per_kwh: null },
  ...{ text: null, url: null },
};
const NO_KM = { km: null };
const step = (start: number, rate: number, interval: number, end: number | null = null) => ({
  ...{ start, rate, interval, end },
});
const steps = (...minute_steps: PriceStep[]): PriceValue => ({
  ...PRICE,
  per_minute: null,
  minute_steps,
});

/** Minutes, and amounts by hand. */
const BY_HAND: readonly [string, PriceValue, number, number][] = [
  ["each minute", PRICE, 10, 3.5],
  ["a minute that has begun", PRICE, 10.1, 3.75],
  ["no minute", PRICE, 0, 1],
  ["first half hour in the price", steps(step(30, 2, 30)), 30, 1],
  ["the next half hour", steps(step(30, 2, 30)), 31, 3],
  ["and the one after it", steps(step(30, 2, 30)), 61, 5],
  ["until an end, and on from there", steps(step(0, 1, 10, 30), step(30, 5, 60)), 45, 9],
  ["once", steps(step(5, 3, 0)), 60, 4],
  ["once, and too short for it", steps(step(5, 3, 0)), 5, 1],
  ["a discount", steps(step(0, 1, 1), step(10, -0.5, 1)), 20, 16],
  ["half a cent up", { ...PRICE, unlock: 0, per_minute: 0.005 }, 1, 0.01],
  ["what floats would lose", { ...PRICE, unlock: 0.1, per_minute: 0.2 }, 1, 0.3],
  ["money without cents", { ...PRICE, currency: "JPY", unlock: 50, per_minute: 15.5 }, 1, 66],
  [
    "money of three digits",
    { ...PRICE, currency: "KWD", unlock: 0.1, per_minute: 0.0015 },
    1,
    0.102,
  ],
];

for (const [name, price, minutes, amount] of BY_HAND)
  test(`costs: ${name}`, () => {
    const cost = costOf(price, { minutes, ...NO_KM });
    assert.equal(cost?.amount, amount);
    assert.deepEqual([cost.is_exact, cost.assumptions], [true, []]);
  });

test("what is not known costs null, never 0", () => {
  const unknown: readonly PriceValue[] = [
    { ...PRICE, currency: null },
    { ...PRICE, unlock: null },
    { ...PRICE, per_minute: null },
    { ...PRICE, unlock: null, per_minute: null, flat: 12 },
    // Minutes of a bundle that was bought before.
    { ...PRICE, unlock: 0, per_minute: 0, has_fees: true },
    // More off than there is to pay.
    steps(step(0, -5, 1)),
  ];
  for (const price of unknown) assert.equal(costOf(price, { minutes: 10, ...NO_KM }), null);
  const free = costOf({ ...PRICE, unlock: 0, per_minute: 0 }, { minutes: 10, ...NO_KM });
  assert.equal(free?.amount, 0, "the source states that it is free");
});

test("without a distance the amount is the least, and a discount by distance leaves none", () => {
  const price = { ...PRICE, km_steps: [step(0, 0.5, 1)] };
  const least = costOf(price, { minutes: 10, km: null });
  assert.deepEqual([least?.amount, least?.is_exact], [3.5, false]);
  assert.deepEqual(least?.assumptions, ["distance_not_counted"]);
  const whole = costOf(price, { minutes: 10, km: 2.2 });
  assert.deepEqual([whole?.amount, whole?.is_exact], [5, true]);
  const off = { ...PRICE, km_steps: [step(0, -0.5, 1)] };
  assert.equal(costOf(off, { minutes: 10, km: null }), null);
  assert.equal(costOf(off, { minutes: 10, km: 2 })?.amount, 2.5);
});

test("tax, times of much demand and fees that are left out are said", () => {
  const price = { ...PRICE, is_taxable: true, surge_pricing: true, has_fees: true as const };
  const cost = costOf(price, { minutes: 1, ...NO_KM });
  assert.deepEqual(cost?.assumptions, [
    "tax_not_included",
    "surge_not_included",
    "fees_not_included",
  ]);
  assert.equal(cost.is_exact, false);
});

test("steps of whole minutes cost what counting each minute gives", () => {
  const cents = fc.integer({ min: 0, max: 500 }).map((each) => each / 100);
  const anyStep = fc
    .record({
      start: fc.nat(90),
      rate: cents,
      interval: fc.integer({ min: 0, max: 40 }),
      length: fc.option(fc.nat(90)),
    })
    .map(({ length, ...rest }) => ({ ...rest, end: length === null ? null : rest.start + length }));
  fc.assert(
    fc.property(fc.array(anyStep, { minLength: 1, maxLength: 6 }), fc.nat(200), (list, minutes) => {
      let sum = 100;
      for (let at = 0; at < minutes; at++)
        for (const { start, rate, interval, end } of list) {
          const isDue = interval === 0 ? at === start : (at - start) % interval === 0;
          if (at >= start && at < (end ?? Infinity) && isDue) sum += Math.round(rate * 100);
        }
      assert.equal(costOf(steps(...list), { minutes, ...NO_KM })?.amount, sum / 100);
    }),
  );
});

test("the plan is that of the vehicle, or the one default of the mode, and else none", () => {
  const plan = (plan_id: string) => ({ ...PRICE, plan_id, ride: null });
  const prices = [
    {
      network: { id: "n", name: "N" },
      plans: [plan("a"), plan("b")],
      vehicle_types: [
        { mode: "bicycle", plan_ids: ["a", "b"] },
        { mode: "scooter", plan_ids: ["a"] },
        { mode: "scooter", plan_ids: ["b"] },
      ],
    },
  ];
  const find = (kind: "station" | "vehicle", plan_id: string | null, mode: string, id = "n") =>
    findPlan(prices, { kind, plan_id, mode, network_ids: [id] })?.plan_id ?? null;
  assert.equal(find("vehicle", "b", "bicycle"), "b");
  assert.equal(find("vehicle", "gone", "bicycle"), null, "a plan that the file does not have");
  assert.equal(find("vehicle", null, "bicycle"), null);
  assert.equal(find("station", null, "bicycle"), "a");
  assert.equal(find("station", null, "scooter"), null, "kinds of the mode have several");
  assert.equal(find("station", null, "bicycle", "other"), null);
});
