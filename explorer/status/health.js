/** How a source does, and all of them together, in four words that words and colours follow. */

/**
 * `bad`: nothing comes from it. `poor`: some of it fails. `good`: it answers. `quiet`: it is not asked
 * at the moment, or is not set up.
 * @typedef {"bad" | "poor" | "good" | "quiet"} Health
 */

const FAILED = new Set(["timeout", "error", "unauthorized", "unavailable"]);
const NOT_SET_UP = "not configured";
/** The later, the worse. */
const ORDER = /** @type {const} */ (["quiet", "good", "poor", "bad"]);

/** @param {any} source of /v1/sources @returns {Health} */
export function healthOf({ state, problem, error_rate_5m, timetable }) {
  if (problem?.word === NOT_SET_UP) return "quiet";
  if (FAILED.has(state)) return isPartial(error_rate_5m) ? "poor" : "bad";
  if (state !== "ok") return "quiet";
  return error_rate_5m > 0 || timetable?.live?.problem ? "poor" : "good";
}

/** @param {any} source whose key or address is missing, or that is switched off */
export function isOff({ state, problem }) {
  return state === "disabled" || problem?.word === NOT_SET_UP;
}

/** Of several: bad where all that were asked are. @param {readonly Health[]} healths @returns {Health} */
export function together(healths) {
  const asked = healths.filter((health) => health !== "quiet");
  if (asked.length === 0) return "quiet";
  if (asked.every((health) => health === "bad")) return "bad";
  return asked.every((health) => health === "good") ? "good" : "poor";
}

/** For sorting. @param {Health} health */
export function severity(health) {
  return ORDER.indexOf(health);
}

/** @param {number | null} rate */
function isPartial(rate) {
  return rate !== null && rate > 0 && rate < 1;
}
