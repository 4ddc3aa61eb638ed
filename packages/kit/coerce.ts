/**
 * Readers from whatever a publisher wrote to the value that was meant, or null (mobility.md 1.12
 * #1, #4). Nothing here throws, and nothing turns an unknown into 0, "" or false.
 */
import { cleanId, cleanName, cleanText } from "./text/clean.ts";
import { DAY_S } from "./time.ts";

export type Row = Record<string, unknown>;

/** R4: counts above this mean "no limit". */
export const MAX_COUNT = 99_998;
const MAX_ID_LENGTH = 512;
const MAX_NUMBER_LENGTH = 40;
/** Of one text; the European Union has 24. */
const MAX_LANGUAGES = 64;
/** 2005-01-01: older than any shared-mobility feed (86400 and negatives are placeholders). */
const MIN_TIME_S = 1_104_537_600;
/** 2100-01-01. */
const MAX_TIME_S = 4_102_444_800;
/** A number above this is milliseconds: as seconds it would be the year 5138. */
const MIN_MILLISECONDS = 1e11;

const DECIMAL = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d{1,3})?$/i;
const RFC_3339 =
  /^(\d{4})-(\d{2})-(\d{2})[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.\d+)?)? ?(?:Z|([+-])(\d{2}):?(\d{2}))$/i;
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
  return cleanId(value) || null;
}

/** The usable ids of a list, in order, each once; one bare id counts as a list of one. */
export function toIds(value: unknown): string[] {
  const list = Array.isArray(value) ? value : [value];
  return [...new Set(list.map(toId).filter((id) => id !== null))];
}

/** Descriptions, addresses, tokens: what is shown or compared and is not the name of a thing. */
export function toText(value: unknown): string | null {
  return toCleaned(value, cleanText);
}

/** Returns the name of a thing. */
export function toName(value: unknown): string | null {
  return toCleaned(value, cleanName);
}

function toCleaned(value: unknown, clean: (text: string) => string): string | null {
  if (typeof value === "number") return Number.isFinite(value) ? String(value) : null;
  return typeof value === "string" ? clean(value) || null : null;
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

/**
 * Whole; below 0 or above 99,998 unknown (#4, R4): -1 means "not known", and is no 0, nor is a part of
 * one thing.
 */
export function toCount(value: unknown): number | null {
  const number = toNumber(value);
  if (number === null || number < 0 || number > MAX_COUNT) return null;
  return number > 0 && number < 1 ? null : Math.floor(number);
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
  return localised(value, languages, toText);
}

/** Returns the name of a thing in one of `languages`. */
export function toLocalisedName(value: unknown, languages: readonly string[]): string | null {
  return localised(value, languages, toName);
}

/** Every text of a localised name, in any language. */
export function toNames(value: unknown): string[] {
  const list = Array.isArray(value) ? value.slice(0, MAX_LANGUAGES) : [value];
  return list.flatMap((entry) => toName(toRow(entry)?.["text"] ?? entry) ?? []);
}

function localised(
  value: unknown,
  languages: readonly string[],
  read: typeof toText,
): string | null {
  if (!Array.isArray(value)) return read(toRow(value)?.["text"] ?? value);
  const texts = value.slice(0, MAX_LANGUAGES).flatMap((entry) => toLocalText(entry, read) ?? []);
  for (const language of languages) {
    const wanted = language.toLowerCase();
    const match =
      texts.find((entry) => entry.language === wanted) ??
      texts.find((entry) => primary(entry.language) === primary(wanted));
    if (match) return match.text;
  }
  return texts[0]?.text ?? null;
}

/** The part of a language tag before the first subtag separator. */
export function primary(language: string): string {
  return language.split(/[-_]/, 1)[0]!;
}

function toLocalText(
  value: unknown,
  read: typeof toText,
): { text: string; language: string } | null {
  const row = toRow(value);
  const text = read(row ? row["text"] : value);
  return text === null ? null : { text, language: toText(row?.["language"])?.toLowerCase() ?? "" };
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
