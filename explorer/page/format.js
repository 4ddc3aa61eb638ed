/** Figures and words as people read them, by locale. Unknown is a dash, and never 0. */
import { hasText, language, t } from "./texts.js";

export const UNKNOWN = "–";

/** @param {number | null | undefined} metres */
export function distance(metres) {
  if (typeof metres !== "number") return UNKNOWN;
  return metres < 1000 ? unit(Math.round(metres), "meter", 0) : unit(metres / 1000, "kilometer", 1);
}

/** @param {number | null | undefined} seconds */
export function age(seconds) {
  if (typeof seconds !== "number" || !Number.isFinite(seconds)) return UNKNOWN;
  const s = Math.max(0, Math.round(seconds));
  if (s < 90) return unit(s, "second", 0);
  if (s < 5400) return unit(Math.round(s / 60), "minute", 0);
  if (s < 172_800) return unit(Math.round(s / 3600), "hour", 0);
  return unit(Math.round(s / 86_400), "day", 0);
}

/** @param {number} value @param {string} name of Intl @param {number} digits */
export function unit(value, name, digits) {
  const key = `${language()} ${name} ${digits}`;
  let format = formats.get(key);
  if (format === undefined) {
    format = new Intl.NumberFormat(language(), {
      style: "unit",
      unit: name,
      unitDisplay: "short",
      maximumFractionDigits: digits,
    });
    formats.set(key, format);
  }
  return format.format(value);
}
/** Making one costs far more than using it. @type {Map<string, Intl.NumberFormat>} */
const formats = new Map();

/** An amount in the money of a country, as the language writes it. @param {number} amount @param {string} currency */
export function money(amount, currency) {
  // Rates may have less than the smallest coin, such as "€0.395".
  const maximumFractionDigits = 4;
  return amount.toLocaleString(language(), { style: "currency", currency, maximumFractionDigits });
}

/** Returns the age of a moment. @param {unknown} time */
export function ageOf(time) {
  const at = typeof time === "string" ? Date.parse(time) : Number.NaN;
  return Number.isNaN(at) ? UNKNOWN : age((Date.now() - at) / 1000);
}

/** @param {unknown} value */
export function count(value) {
  return typeof value === "number" ? value.toLocaleString(language()) : UNKNOWN;
}

/** @param {number} share 0 to 1 */
export function percent(share) {
  return share.toLocaleString(language(), { style: "percent", maximumFractionDigits: 0 });
}

/** Commas between the parts of a list, in languages that have others. @type {Readonly<Record<string, string>>} */
const COMMAS = { ja: "、", ar: "، " };

/** Parts of a list with the commas of the language. @param {readonly string[]} parts */
export function withCommas(parts) {
  return parts.join(COMMAS[language()] ?? ", ");
}

/** @param {{ lat: number, lon: number }} point */
export function coordinates({ lat, lon }) {
  return `${lat.toFixed(5)}, ${lon.toFixed(5)}`;
}

/** The word for a token of the API such as `drinking_water`; without one, the token with spaces. @param {unknown} token */
export function words(token) {
  const key = `token.${String(token)}`;
  return hasText(key) ? t(key) : String(token).replaceAll("_", " ");
}

/** One thing of a kind. @param {string} kind */
export function kindName(kind) {
  const key = `kind.${kind}.one`;
  return hasText(key) ? t(key) : capital(words(kind));
}

/** Things of a kind, as a heading. @param {string} kind */
export function kindTitle(kind) {
  const key = `kind.${kind}`;
  return hasText(key) ? t(key) : capital(words(kind));
}

/** @param {string} text */
export function capital(text) {
  return text.slice(0, 1).toLocaleUpperCase(language()) + text.slice(1);
}

const LOCAL = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d)[^+-]*(?:([+-])(\d\d):(\d\d))?/;
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
  if (date === undefined) return t(`open.${state}`);
  const offset_ms = (Number(hours) * 60 + Number(minutes)) * 60_000 * (sign === "-" ? -1 : 1);
  const days = Date.parse(date) / DAY_MS - Math.floor((now_ms + offset_ms) / DAY_MS);
  const until = [days === 0 ? "" : dayName(date, days), clock].filter(Boolean).join(" ");
  return t(`open.${state}.until`, { until });
}

/** The time of the day of a moment by the clocks of its place, as its offset has them. @param {string} time */
export function clockOf(time) {
  return LOCAL.exec(time)?.[2] ?? UNKNOWN;
}

/** Month and year of a moment. @param {number} at_ms */
export function monthOf(at_ms) {
  const style = /** @type {const} */ ({ month: "long", year: "numeric" });
  return new Intl.DateTimeFormat(language(), style).format(at_ms);
}

/** The weekday within a week, else the date. @param {string} date @param {number} days from today */
function dayName(date, days) {
  const style = days < 7 ? { weekday: "short" } : { day: "numeric", month: "short" };
  return new Intl.DateTimeFormat(language(), {
    .../** @type {Intl.DateTimeFormatOptions} */ (style),
    timeZone: "UTC",
  }).format(Date.parse(date));
}

/** What is left in a vehicle; null: not known. @param {any} source */
export function chargeOf({ battery, range_m }) {
  if (typeof battery === "number") return percent(battery / 100);
  return typeof range_m === "number" ? distance(range_m) : null;
}
