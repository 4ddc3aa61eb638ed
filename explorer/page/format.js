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
