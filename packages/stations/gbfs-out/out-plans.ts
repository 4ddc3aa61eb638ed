/** system_pricing_plans of a system in GBFS 3.0 and 2.3: plans of which all is known that the format demands. */
import type { PriceStep, PriceValue } from "#api/prices.ts";
import type { OutRow, ToText } from "./out-envelope.ts";

type Listed = PriceValue & { plan_id: string; name: string; currency: string; text: string };

/** What is charged once: to begin, or at all. */
function priceOf({ unlock, flat }: PriceValue): number | null {
  return unlock ?? flat ?? null;
}

/** Lists the plans that can be published; one with fees that are no part of it would look cheaper than it is. */
export function listedPlans(plans: readonly PriceValue[]): readonly Listed[] {
  return plans.filter((plan): plan is Listed => {
    const { plan_id, name, currency, is_taxable, text } = plan;
    const isStated = ![plan_id, name, is_taxable].includes(undefined);
    const isPriced = currency !== null && text !== null && priceOf(plan) !== null;
    const steps = [...(plan.minute_steps ?? []), ...(plan.km_steps ?? [])];
    return isStated && isPriced && plan.has_fees !== true && steps.every(isWhole);
  });
}

/** The format has whole minutes and kilometres. */
function isWhole({ start, interval, end }: PriceStep): boolean {
  return [start, interval, end ?? 0].every((each) => Number.isSafeInteger(each));
}

export function planRow(plan: Listed, toText: ToText): OutRow {
  const { plan_id, name, currency, is_taxable, text, url, surge_pricing, per_minute } = plan;
  const one_rate =
    per_minute === null ? [] : [{ start: 0, rate: per_minute, interval: 1, end: null }];
  const minutes = plan.minute_steps ?? one_rate;
  const { km_steps = [] } = plan;
  return {
    plan_id,
    name: toText(name),
    currency,
    price: priceOf(plan),
    is_taxable,
    description: toText(text),
    ...(url === null ? {} : { url }),
    ...(minutes.length === 0 ? {} : { per_min_pricing: minutes.map(stepRow) }),
    ...(km_steps.length === 0 ? {} : { per_km_pricing: km_steps.map(stepRow) }),
    ...(surge_pricing === undefined ? {} : { surge_pricing }),
  };
}

function stepRow({ start, rate, interval, end }: PriceStep): OutRow {
  return { start, rate, interval, ...(end === null ? {} : { end }) };
}
