/**
 * system_pricing_plans (1.1 to 3.1): what a ride costs. A plan keeps its text where its numbers cannot be
 * read; one number is simplified to `per_minute` only where that says the same.
 */
import { LIMITS } from "#api/limits.ts";
import type { PriceStep, PriceValue } from "#api/prices.ts";
import {
  toBool,
  toList,
  toLocalised,
  toLocalisedName,
  toNumber,
  toRow,
  toText,
} from "#kit/coerce.ts";
import { present } from "#kit/present.ts";
import { cutText } from "#kit/text/cut.ts";
import type { TrailRecorder } from "#kit/trail.ts";
import { cleanDeepLink } from "#kit/uris.ts";
import { drop, type Item, listRows, member, repair, toItems } from "./gbfs-rows.ts";

/** Characters of a plan's name and of its text. */
const NAME_MAX = 200;
const TEXT_MAX = 500;
/** A price, or a step, above this is no price of a ride in any currency. */
const AMOUNT_MAX = 10_000_000;
const WITH_COMMA = /^\d{1,7},\d{1,2}$/;

/** Reads the plans; null: the file is no list of plans. */
export function readPricingPlans(
  wire: unknown,
  trail: TrailRecorder,
  { languages }: { languages: readonly string[] },
): PriceValue[] | null {
  const rows = listRows(wire, ["plans", "pricing_plans"]);
  if (!rows) return null;
  const plans: PriceValue[] = [];
  let steps = 0;
  for (const item of toItems(rows, ["plan_id"], trail).values()) {
    const of_minutes = listSteps(item, "per_min_pricing");
    const of_km = listSteps(item, "per_km_pricing");
    const price = readAmount(item, "price");
    steps += (of_minutes?.length ?? 0) + (of_km?.length ?? 0);
    if (price !== null && price < 0) drop(item, "plan_price_negative");
    else if (of_minutes === null || of_km === null) drop(item, "plan_steps_unusable");
    else if (isBeyond(plans.length, [of_minutes, of_km], steps)) drop(item, "plan_beyond_bounds");
    else plans.push(toPlan(item, { price, of_minutes, of_km, languages }));
  }
  return plans;
}

function isBeyond(plans: number, lists: readonly (readonly unknown[])[], steps: number): boolean {
  const { plans_max, steps_max, all_steps_max } = LIMITS.prices;
  return (
    plans >= plans_max || steps > all_steps_max || lists.some(({ length }) => length > steps_max)
  );
}

type Parts = {
  price: number | null;
  of_minutes: readonly PriceStep[];
  of_km: readonly PriceStep[];
  languages: readonly string[];
};

function toPlan(item: Item, { price, of_minutes, of_km, languages }: Parts): PriceValue {
  const { row, id } = item;
  const rated = of_minutes.length > 0 || of_km.length > 0;
  const name = toLocalisedName(row["name"], languages);
  const text = toLocalised(row["description"], languages);
  const per_minute = toOneRate(of_minutes);
  const reservation = {
    flat: readAmount(item, "reservation_price_flat_rate"),
    per_minute: readAmount(item, "reservation_price_per_min"),
  };
  const hasReservation = Object.values(reservation).some((each) => each !== null && each >= 0);
  return {
    plan_id: id,
    ...present({ name: name === null ? null : cutText(name, NAME_MAX) }),
    currency: readCurrency(item),
    unlock: rated ? price : null,
    per_minute,
    per_kwh: null,
    ...present({ flat: rated ? null : price }),
    ...(of_minutes.length > 0 && per_minute === null ? { minute_steps: [...of_minutes] } : {}),
    ...(of_km.length > 0 ? { km_steps: [...of_km] } : {}),
    ...(hasReservation ? { reservation } : {}),
    ...present({
      is_taxable: toBool(row["is_taxable"]),
      surge_pricing: toBool(row["surge_pricing"]),
    }),
    ...(hasFees(item) ? { has_fees: true as const } : {}),
    text: text === null ? null : cutText(text, TEXT_MAX),
    url: cleanDeepLink("web", row["url"]),
  };
}

/** The rate of a plan that charges every minute the same; null: it does not. */
function toOneRate(steps: readonly PriceStep[]): number | null {
  const [only] = steps;
  const isSame = steps.length === 1 && only!.start === 0 && only!.interval === 1;
  return isSame && only!.end === null && only!.rate >= 0 ? only!.rate : null;
}

/** Members that no version defines, in use for bundles: a minute in one is not free. */
function hasFees({ row }: Item): boolean {
  return toList(row["additional_fees"]).length > 0 || toRow(row["fare_capping"]) !== null;
}

/** Null: a step cannot be read. A rate may be below 0: a discount (GBFS 2.2 and later). */
function listSteps(item: Item, name: string): PriceStep[] | null {
  const steps: PriceStep[] = [];
  for (const value of toList(item.row[name]).slice(0, LIMITS.prices.steps_max + 1)) {
    const row = toRow(value);
    if (!row) return null;
    const step: Item = { ...item, row };
    const [start, rate, interval] = [
      readNumber(step, "start"),
      readNumber(step, "rate"),
      readNumber(step, "interval"),
    ];
    const end = readNumber(step, "end");
    const isRead = start !== null && rate !== null && interval !== null;
    if (!isRead || start < 0 || interval < 0 || Math.abs(rate) > AMOUNT_MAX) return null;
    // An end that is stated and cannot be read would be taken for none.
    if (end === null ? member(row, ["end"]) !== undefined : end < start) return null;
    steps.push({ start, rate, interval, end });
  }
  return steps;
}

/** An amount as stated, which may be below 0; null: unknown, or absurd. */
function readAmount(item: Item, name: string): number | null {
  const amount = readNumber(item, name);
  return amount !== null && Math.abs(amount) > AMOUNT_MAX ? null : amount;
}

function readNumber(item: Item, name: string): number | null {
  const raw = member(item.row, [name]);
  if (raw === undefined) return null;
  const number = toNumber(raw);
  if (number !== null) return number;
  const text = toText(raw)?.trim() ?? "";
  repair(item, WITH_COMMA.test(text) ? "price_with_comma" : "price_unusable");
  return WITH_COMMA.test(text) ? Number(text.replace(",", ".")) : null;
}

function readCurrency(item: Item): string | null {
  const code = toText(item.row["currency"])?.trim().toUpperCase() ?? "";
  if (/^[A-Z]{3}$/.test(code)) return code;
  repair(item, "plan_without_currency");
  return null;
}
