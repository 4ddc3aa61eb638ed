/**
 * From whatever a publisher wrote to the value that was meant, or null (mobility.md 1.12 #1, #4).
 * Nothing here throws, and nothing turns an unknown into 0, "" or false.
 */
export type Row = Record<string, unknown>;

/** R4: counts above this are stand-ins for "no limit". */
export const MAX_COUNT = 99_998;
const MAX_ID_LENGTH = 512;
const MAX_TEXT_LENGTH = 4_096;
const MAX_NUMBER_LENGTH = 40;
/** 2005-01-01: older than any shared-mobility feed (86400 and negatives are placeholders). */
const MIN_TIME_S = 1_104_537_600;
/** 2100-01-01. */
const MAX_TIME_S = 4_102_444_800;
/** A number above this is milliseconds: as seconds it would be the year 5138. */
const MIN_MILLISECONDS = 1e11;
const DAY_S = 86_400;

const DECIMAL = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d{1,3})?$/i;
const RFC_3339 =
  /^(\d{4})-(\d{2})-(\d{2})[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.\d+)?)? ?(?:Z|([+-])(\d{2}):?(\d{2}))$/i;
/** Controls that separate words. */
const BREAKS = /[\t\n\v\f\r\u0085\u2028\u2029]+/g;
/** Other C0/C1 controls, bidi overrides and isolates, byte order marks (reliability 4.9). */
const UNSAFE = /[\p{Cc}\u202A-\u202E\u2066-\u2069\uFEFF]/gu;
const NEEDS_CLEANING = /[\p{Cc}\p{Cs}\u2028-\u202E\u2066-\u2069\uFEFF]/u;

const FLAGS = new Map<unknown, boolean>([
  [true, true],
  [1, true],
  ["1", true],
  ["true", true],
  ["yes", true],
  ["y", true],
  ["t", true],
  [false, false],
  [0, false],
  ["0", false],
  ["false", false],
  ["no", false],
  ["n", false],
  ["f", false],
]);

export function toRow(value: unknown): Row | null {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Row)
    : null;
}

export function toList(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Text or number to a non-empty id; cleaned, so that ids of two files still meet. */
export function toId(value: unknown): string | null {
  if (typeof value === "number") return Number.isFinite(value) ? String(value) : null;
  if (typeof value !== "string" || value.length > MAX_ID_LENGTH) return null;
  return cleanText(value) || null;
}

/** The usable ids of a list, in order, each once; one bare id counts as a list of one. */
export function toIds(value: unknown): string[] {
  const list = Array.isArray(value) ? value : [value];
  return [...new Set(list.map(toId).filter((id) => id !== null))];
}

export function toText(value: unknown): string | null {
  if (typeof value === "number") return Number.isFinite(value) ? String(value) : null;
  if (typeof value !== "string") return null;
  return (
    cleanText(value.length > MAX_TEXT_LENGTH ? value.slice(0, MAX_TEXT_LENGTH) : value) || null
  );
}

export function toTexts(value: unknown): string[] {
  return toList(value)
    .map(toText)
    .filter((text) => text !== null);
}

export function toNumber(value: unknown): number | null {
  // "+ 0" makes 0 of -0, which JSON can hold.
  if (typeof value === "number") return Number.isFinite(value) ? value + 0 : null;
  if (typeof value !== "string" || value.length > MAX_NUMBER_LENGTH) return null;
  const text = value.trim();
  if (!DECIMAL.test(text)) return null;
  const number = Number(text) + 0;
  return Number.isFinite(number) ? number : null;
}

/** Whole and never negative (#4); above 99,998 unknown (R4). */
export function toCount(value: unknown): number | null {
  const number = toNumber(value);
  if (number === null || number > MAX_COUNT) return null;
  return number > 0 ? Math.floor(number) : 0;
}

/** A measure: not negative, or unknown (a length below 0 says nothing about the length). */
export function toMeasure(value: unknown): number | null {
  const number = toNumber(value);
  return number !== null && number >= 0 ? number : null;
}

export function toBool(value: unknown): boolean | null {
  return FLAGS.get(typeof value === "string" ? value.trim().toLowerCase() : value) ?? null;
}

/** Epoch seconds from POSIX seconds or ms (number or text) or RFC 3339 with an offset. */
export function toTime_s(value: unknown, now_s?: number | null): number | null {
  const number = toNumber(value);
  const time_s = number === null ? parseTime_s(value) : secondsOf(number);
  if (time_s === null || time_s < MIN_TIME_S || time_s > MAX_TIME_S) return null;
  return typeof now_s === "number" && time_s > now_s + DAY_S ? null : time_s;
}

/**
 * A localised string of 3.0, or a plain one (mobility.md 1.10): for each wanted language the exact
 * tag, then its primary subtag; else the first text that is not empty.
 */
export function toLocalised(value: unknown, languages: readonly string[]): string | null {
  if (!Array.isArray(value)) return toText(toRow(value)?.["text"] ?? value);
  const texts = value.map(toLocalText).filter((entry) => entry !== null);
  for (const language of languages) {
    const wanted = language.toLowerCase();
    const found =
      texts.find((entry) => entry.language === wanted) ??
      texts.find((entry) => primary(entry.language) === primary(wanted));
    if (found) return found.text;
  }
  return texts[0]?.text ?? null;
}

/** The part of a language tag before the first subtag separator. */
export function primary(language: string): string {
  return language.split(/[-_]/, 1)[0]!;
}

function toLocalText(value: unknown): { text: string; language: string } | null {
  const row = toRow(value);
  const text = toText(row ? row["text"] : value);
  return text === null ? null : { text, language: toText(row?.["language"])?.toLowerCase() ?? "" };
}

function cleanText(value: string): string {
  if (!NEEDS_CLEANING.test(value)) return value.trim();
  return value.toWellFormed().replace(BREAKS, " ").replace(UNSAFE, "").trim();
}

function secondsOf(number: number): number {
  return Math.floor(number > MIN_MILLISECONDS ? number / 1_000 : number);
}

/** Without an offset the instant is unknown; fractions of any length are cut. */
function parseTime_s(value: unknown): number | null {
  if (typeof value !== "string" || value.length > MAX_NUMBER_LENGTH) return null;
  const match = RFC_3339.exec(value.trim());
  if (!match) return null;
  const [year, month, day, hour, minute, second] = match
    .slice(1, 7)
    .map((part) => Number(part ?? 0));
  if (month! < 1 || month! > 12 || day! < 1 || day! > 31 || hour! > 24 || minute! > 59) return null;
  const local_s = Date.UTC(year!, month! - 1, day, hour, minute, second) / 1_000;
  const offset_s = (Number(match[8] ?? 0) * 60 + Number(match[9] ?? 0)) * 60;
  return local_s - (match[7] === "-" ? -offset_s : offset_s);
}
