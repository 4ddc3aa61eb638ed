/** What a ride costs, by the plans that a system publishes. What is not known is not shown. */
import { h } from "../page/dom.js";
import { money, unit } from "../page/format.js";
import { t } from "../page/texts.js";
import { named } from "./values.js";

/** Plans or tariffs that are shown of a station or place at most. */
const SHOWN = 3;

/** The plan of a vehicle; null: not known. @param {any} prices of its system, null: none @param {unknown} plan_id */
export function toVehiclePrice(prices, plan_id) {
  return toPlans(prices, typeof plan_id === "string" ? [plan_id] : []);
}

/** The plans of what a station may have: by default those of its system's kinds of vehicle. @param {any} prices of its system, null: none */
export function toStationPrices(prices) {
  const types = /** @type {any[]} */ (prices?.vehicle_types ?? []);
  return toPlans(prices, [...new Set(types.map(({ plan_ids }) => plan_ids[0]))].slice(0, SHOWN));
}

/** The tariffs of a car park or charging station; null: not known. @param {unknown} prices */
export function toPlacePrices(prices) {
  const shown = (Array.isArray(prices) ? prices : []).slice(0, SHOWN);
  const rows = shown.map((one) =>
    h(
      "div",
      { class: "price" },
      toRates(one).map((rate) => h("div", {}, rate)),
      h("div", { class: "quiet" }, named(one.text) ?? named(one.name)),
    ),
  );
  return rows.length === 0 ? null : rows;
}

const RATES = /** @type {const} */ (["unlock", "per_minute", "per_hour", "per_kwh"]);

/** Such as "€2.00 per hour": what is stated as a number. @param {any} price @returns {string[]} */
export function toRates(price) {
  return RATES.flatMap((rate) => {
    const amount = price[rate];
    if (typeof amount !== "number" || typeof price.currency !== "string") return [];
    return [t(`price.${rate}`, { amount: money(amount, price.currency) })];
  });
}

/** @param {any} prices @param {readonly string[]} ids */
function toPlans(prices, ids) {
  const known = new Map((prices?.plans ?? []).map((/** @type {any} */ one) => [one.plan_id, one]));
  const rows = ids.flatMap((id) => (known.has(id) ? [toPlan(known.get(id))] : []));
  return rows.length === 0 ? null : rows;
}

/** @param {any} plan */
function toPlan({ name, text, ride }) {
  return h(
    "div",
    { class: "price" },
    ride === null ? null : h("div", {}, toCost(ride)),
    h("div", { class: "quiet" }, named(text) ?? named(name)),
  );
}

/** Such as "about €3.50 for 10 min". @param {any} ride of a plan */
export function toCost({ amount, currency, minutes, assumptions }) {
  const isLeast = assumptions.length > 0;
  const sum = { amount: money(amount, currency), time: unit(minutes, "minute", 0) };
  return t(isLeast ? "price.least" : "price.ride", sum);
}
