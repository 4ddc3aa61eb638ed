/** State of the page, and the same as an address that can be shared. */
import { KINDS, SHOWN_AT_FIRST } from "./kinds.js";

/**
 * @typedef {{ lat: number, lon: number }} Point
 * @typedef {"usable" | "electric" | "wheelchair" | "free" | "docks" | "fast" | "soon"} Wish
 * @typedef {"kind" | "distance" | "battery" | "docks" | "vehicles" | "power" | "departure"} Sort
 * @typedef {{
 *   at: Point | null, radius: number, minutes: number | null, kinds: Set<string>, selected: string | null, zoom: number | null,
 *   wishes: Set<Wish>, operator: string | null, sort: Sort, by: "walk" | "line",
 * }} State
 * `minutes`: what can be reached on foot in this time, in place of a circle; `by`: what is near, on foot
 * or in a straight line.
 */

export const RADII = [150, 400, 800, 1500];
const RADIUS = 400;
export const MINUTES = [5, 10, 15];
/** Metres a second on foot: the pace that the service walks at where none is given. */
export const PACE_MPS = 1.33;
export const WISHES = /** @type {const} */ ([
  "usable",
  "electric",
  "wheelchair",
  "free",
  "docks",
  "fast",
  "soon",
]);
export const SORTS = /** @type {const} */ ([
  "kind",
  "distance",
  "battery",
  "docks",
  "vehicles",
  "power",
  "departure",
]);

/** @param {string} search @param {Point | null} start @returns {State} */
export function readState(search, start) {
  const query = new URLSearchParams(search);
  const known = new Set(KINDS.map(({ id }) => id));
  const show = query.get("show");
  const named = (show ?? "").split(",").filter((id) => known.has(id));
  // An address with kinds of which none is known is one without; `show=` alone is none of them.
  const kinds = show === null || (show !== "" && named.length === 0) ? SHOWN_AT_FIRST : named;
  const radius = Number(query.get("r"));
  const zoom = Number(query.get("z"));
  const only = query.get("only")?.split(",") ?? [];
  return {
    at: readPoint(query.get("at")) ?? start,
    minutes: MINUTES.find((one) => String(one) === query.get("min")) ?? null,
    radius: radius >= 1 && radius <= 5000 ? Math.round(radius) : RADIUS,
    kinds: new Set(kinds),
    selected: query.get("sel"),
    zoom: zoom > 0 && zoom <= 20 ? zoom : null,
    wishes: new Set(WISHES.filter((wish) => only.includes(wish))),
    operator: query.get("op"),
    sort: SORTS.find((one) => one === query.get("sort")) ?? "kind",
    by: query.get("by") === "line" ? "line" : "walk",
  };
}

/** Whether an address names a point that is none on Earth. @param {string} search */
export function isNowhere(search) {
  const at = new URLSearchParams(search).get("at");
  return Boolean(at) && readPoint(at) === null;
}

/** Metres of the circle, or of the one that holds all that can be reached. @param {Pick<State, "radius" | "minutes">} state */
export function reachOf({ radius, minutes }) {
  return minutes === null ? radius : Math.ceil(minutes * 60 * PACE_MPS);
}

/** @param {string | null} text @returns {Point | null} */
export function readPoint(text) {
  const match = /^\s*(-?\d{1,2}(?:\.\d+)?)(?:\s*[,;]\s*|\s+)(-?\d{1,3}(?:\.\d+)?)\s*$/.exec(
    text ?? "",
  );
  if (!match) return null;
  const [lat, lon] = [Number(match[1]), Number(match[2])];
  return Math.abs(lat) <= 90 && Math.abs(lon) <= 180 ? { lat, lon } : null;
}

/** Returns the address of a state. `lang`, which is no part of it, stays as it is. @param {State} state */
export function writeState(state) {
  const { at, radius, minutes, kinds, selected, zoom, wishes, operator, sort, by } = state;
  /** @type {string[]} */
  const parts = [];
  if (at) parts.push(`at=${at.lat.toFixed(6)},${at.lon.toFixed(6)}`);
  if (radius !== RADIUS) parts.push(`r=${radius}`);
  if (minutes !== null) parts.push(`min=${minutes}`);
  const ids = listKinds((id) => kinds.has(id));
  if (ids !== listKinds((id) => SHOWN_AT_FIRST.includes(id))) parts.push(`show=${ids}`);
  if (wishes.size > 0) parts.push(`only=${WISHES.filter((wish) => wishes.has(wish)).join(",")}`);
  if (operator) parts.push(`op=${encodeURIComponent(operator)}`);
  if (sort !== "kind") parts.push(`sort=${sort}`);
  if (by !== "walk") parts.push(`by=${by}`);
  if (selected) parts.push(`sel=${encodeURIComponent(selected)}`);
  if (zoom !== null) parts.push(`z=${zoom.toFixed(1)}`);
  const lang = new URLSearchParams(location.search).get("lang");
  if (lang) parts.push(`lang=${encodeURIComponent(lang)}`);
  return parts.length === 0 ? "/" : `/?${parts.join("&")}`;
}

/** @param {(id: string) => boolean} has */
function listKinds(has) {
  return KINDS.flatMap(({ id }) => (has(id) ? [id] : [])).join(",");
}

/** What is asked of the service. @param {State} now */
export function questionOf({ at, radius, minutes, kinds, wishes }) {
  return JSON.stringify([at, radius, minutes, [...kinds], wishes.has("wheelchair")]);
}

/** Puts a state into the address; `push`: a step that Back undoes. @param {State} state @param {"push" | "replace"} how */
export function keepState(state, how) {
  const address = writeState(state);
  if (address === location.pathname + location.search) return;
  if (how === "push") history.pushState(null, "", address);
  else history.replaceState(null, "", address);
}
