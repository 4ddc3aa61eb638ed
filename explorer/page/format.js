/** Figures as people read them. Unknown is a dash, and never 0. */

export const UNKNOWN = "–";

/** @param {number | null | undefined} metres */
export function distance(metres) {
  if (typeof metres !== "number") return UNKNOWN;
  if (metres < 1000) return `${Math.round(metres)} m`;
  return `${(metres / 1000).toFixed(1)} km`;
}

/** @param {number | null | undefined} seconds */
export function age(seconds) {
  if (typeof seconds !== "number" || !Number.isFinite(seconds)) return UNKNOWN;
  const s = Math.max(0, Math.round(seconds));
  if (s < 90) return `${s} s`;
  if (s < 5400) return `${Math.round(s / 60)} min`;
  if (s < 172_800) return `${Math.round(s / 3600)} h`;
  return `${Math.round(s / 86_400)} d`;
}

/** Returns the age of a moment. @param {unknown} time */
export function ageOf(time) {
  const at = typeof time === "string" ? Date.parse(time) : Number.NaN;
  return Number.isNaN(at) ? UNKNOWN : age((Date.now() - at) / 1000);
}

/** @param {unknown} value */
export function count(value) {
  return typeof value === "number" ? String(value) : UNKNOWN;
}

/** @param {{ lat: number, lon: number }} point */
export function coordinates({ lat, lon }) {
  return `${lat.toFixed(5)}, ${lon.toFixed(5)}`;
}

/** Turns `drinking_water` into "drinking water". @param {unknown} token */
export function words(token) {
  return String(token).replaceAll("_", " ");
}

/** @param {string} text */
export function capital(text) {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

const LOCAL = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d)[^+-]*(?:([+-])(\d\d):(\d\d))?/;
const WEEKDAYS = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];
const DAY_MS = 86_400_000;

/**
 * Whether a place is open, and until when by its own clocks; null: not known.
 * @param {any} attributes @param {number} [now_ms]
 */
export function openWords(attributes, now_ms = Date.now()) {
  const { usable, open_status } = attributes ?? {};
  const state = usable?.state ?? open_status;
  if (state !== "open" && state !== "closed") return null;
  const [, date, clock, sign, hours = 0, minutes = 0] = LOCAL.exec(usable?.until ?? "") ?? [];
  if (date === undefined) return state;
  const offset_ms = (Number(hours) * 60 + Number(minutes)) * 60_000 * (sign === "-" ? -1 : 1);
  const days = Date.parse(date) / DAY_MS - Math.floor((now_ms + offset_ms) / DAY_MS);
  const day = days === 0 ? "" : days < 7 ? WEEKDAYS[new Date(date).getUTCDay()] : date;
  return [state, "until", day, clock].filter(Boolean).join(" ");
}

/** What is left in a vehicle; null: not known. @param {any} source */
export function chargeOf({ battery, range_m }) {
  if (typeof battery === "number") return `${battery} %`;
  return typeof range_m === "number" ? distance(range_m) : null;
}
