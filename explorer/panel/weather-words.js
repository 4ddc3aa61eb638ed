/** Temperature, wind and precipitation of the weather routes, as the language writes them. */
import { percent, unit, UNKNOWN } from "../page/format.js";

/** @typedef {import("../page/settings.js").Settings["units"]} Units */

const DEGREES = { metric: "°C", standard: "K", imperial: "°F" };
/** What makes kilometres an hour of the speed; imperial is miles already. */
const SPEED = /** @type {const} */ ({
  metric: [3.6, "kilometer-per-hour"],
  standard: [3.6, "kilometer-per-hour"],
  imperial: [1, "mile-per-hour"],
});

/** @param {unknown} value @param {Units} units */
export function degrees(value, units) {
  return typeof value === "number" ? `${Math.round(value) + 0} ${DEGREES[units]}` : UNKNOWN;
}

/** null: not known. @param {{ speed?: number } | undefined} wind @param {Units} units */
export function windSpeed(wind, units) {
  const [factor, name] = SPEED[units];
  return typeof wind?.speed === "number" ? unit(wind.speed * factor, name, 0) : null;
}

/**
 * Chance and millimetres; null: neither is known, which is not dry.
 * @param {{ chance: number | null, mm: number | null, isLeast: boolean }} fall `isLeast`: of a part of the time the amount is not known
 */
export function fallWords({ chance, mm, isLeast }) {
  const amount = mm === null ? null : `${isLeast ? "≥ " : ""}${unit(mm, "millimeter", 1)}`;
  const known = [chance === null ? null : percent(chance), amount].filter((one) => one !== null);
  return known.length === 0 ? null : known.join(" · ");
}
