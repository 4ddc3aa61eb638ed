/**
 * What a ride costs by a plan, for its minutes and kilometres. Each step is charged at its start and again after each
 * interval, while the ride lasts; the sum is rounded once, half up, to the currency's smallest coin.
 */
import type { CostAssumption, PriceStep, PriceValue, RideCostValue } from "#api/prices.ts";

/** Amounts are added as whole multiples of this, so that no sum depends on the order. */
const PARTS = 100_000;

/**
 * Returns the cost of a ride; `km` null: not known. Null: the plan states no currency, no price to begin
 * or no rate, or lists fees next to rates of 0, so that what a ride costs is not known.
 */
export function costOf(
  price: PriceValue,
  { minutes, km }: { minutes: number; km: number | null },
): RideCostValue | null {
  const { currency, unlock, per_minute, km_steps = [] } = price;
  const minute_steps = price.minute_steps ?? (per_minute === null ? [] : [everyMinute(per_minute)]);
  if (currency === null || unlock === null) return null;
  if (minute_steps.length + km_steps.length === 0) return null;
  // Rates of 0 with fees on the side are of a bundle that was bought before: no ride is free by them.
  const isCharged = [...minute_steps, ...km_steps].some(({ rate }) => rate !== 0);
  if (price.has_fees && !isCharged) return null;
  // A discount by distance is not known without one, and then there is no least amount either.
  if (km === null && km_steps.some(({ rate }) => rate < 0)) return null;
  const parts =
    toParts(unlock) + sumOf(minute_steps, minutes) + (km === null ? 0 : sumOf(km_steps, km));
  if (parts < 0 || !Number.isSafeInteger(parts)) return null;
  const assumptions = listAssumptions(price, km === null && km_steps.some(({ rate }) => rate > 0));
  return {
    minutes,
    amount: roundHalfUp(parts, digitsOf(currency)),
    currency,
    is_exact: assumptions.length === 0,
    assumptions,
  };
}

function everyMinute(rate: number): PriceStep {
  return { start: 0, rate, interval: 1, end: null };
}

function listAssumptions(price: PriceValue, isShort: boolean): CostAssumption[] {
  return [
    ...(isShort ? (["distance_not_counted"] as const) : []),
    ...(price.is_taxable === true ? (["tax_not_included"] as const) : []),
    ...(price.surge_pricing === true ? (["surge_not_included"] as const) : []),
    ...(price.has_fees ? (["fees_not_included"] as const) : []),
  ];
}

/** `length`: minutes or kilometres. */
function sumOf(steps: readonly PriceStep[], length: number): number {
  return steps.reduce((sum, step) => sum + toParts(step.rate) * timesOf(step, length), 0);
}

/** How often a step is charged. */
function timesOf({ start, interval, end }: PriceStep, length: number): number {
  const until = end === null ? length : Math.min(length, end);
  if (until <= start) return 0;
  return interval === 0 ? 1 : Math.ceil((until - start) / interval);
}

function toParts(amount: number): number {
  return Math.round(amount * PARTS);
}

function roundHalfUp(parts: number, digits: number): number {
  const coins = 10 ** digits;
  return Math.floor((parts * coins) / PARTS + 0.5) / coins;
}

/** Digits of the smallest coin, such as 2 of EUR and 0 of JPY. A code of three letters is always taken. */
function digitsOf(currency: string): number {
  const format = new Intl.NumberFormat("en", { style: "currency", currency });
  return format.resolvedOptions().maximumFractionDigits ?? 2;
}
