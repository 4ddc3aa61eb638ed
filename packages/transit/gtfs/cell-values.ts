/** Cells of a GTFS file as numbers, read from their bytes: the hot path of the import. */
import type { CsvRow } from "#kit/csv.ts";

const DIGIT_0 = 0x30;
const COLON = 0x3a;
/** Ten days: the longest trips of real feeds take a week. */
const MOST_HOURS = 240;

/** One digit up to `most`; 0 for an empty cell, null for anything else. */
export function digitOf(row: CsvRow, slot: number, most: number): number | null {
  const length = row.ends[slot]! - row.starts[slot]!;
  if (length === 0) return 0;
  const digit = row.bytes[row.starts[slot]!]! - DIGIT_0;
  return length === 1 && digit >= 0 && digit <= most ? digit : null;
}

/** Whole number below two thousand million; null for anything else. */
export function wholeOf(row: CsvRow, slot: number): number | null {
  const start = row.starts[slot]!;
  const end = row.ends[slot]!;
  if (start === end || end - start > 9) return null;
  let value = 0;
  for (let at = start; at < end; at++) {
    const digit = row.bytes[at]! - DIGIT_0;
    if (digit < 0 || digit > 9) return null;
    value = value * 10 + digit;
  }
  return value;
}

/** H:MM:SS as seconds, 24 hours and more allowed; null for an empty cell and for anything else. */
export function secondsOf(row: CsvRow, slot: number): number | null {
  const { bytes } = row;
  const start = row.starts[slot]!;
  const end = row.ends[slot]!;
  const hours_end = end - 6;
  if (hours_end <= start || hours_end - start > 3) return null;
  if (bytes[hours_end] !== COLON || bytes[end - 3] !== COLON) return null;
  let hours = 0;
  for (let at = start; at < hours_end; at++) {
    const digit = bytes[at]! - DIGIT_0;
    if (digit < 0 || digit > 9) return null;
    hours = hours * 10 + digit;
  }
  const minutes = twoDigits(bytes, hours_end + 1);
  const seconds = twoDigits(bytes, end - 2);
  if (hours > MOST_HOURS || minutes === null || seconds === null) return null;
  return hours * 3_600 + minutes * 60 + seconds;
}

/** Below 60. */
function twoDigits(bytes: Uint8Array, at: number): number | null {
  const tens = bytes[at]! - DIGIT_0;
  const ones = bytes[at + 1]! - DIGIT_0;
  return tens >= 0 && tens < 6 && ones >= 0 && ones <= 9 ? tens * 10 + ones : null;
}

const DATE = /^(\d{4})(\d{2})(\d{2})$/;
const DAY_MS = 86_400_000;

/** YYYYMMDD as days since 1970-01-01; null for what is no day of 1970 to 2199. */
export function dayOfCell(text: string): number | null {
  const match = DATE.exec(text);
  if (match === null) return null;
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])];
  const at = new Date(Date.UTC(year, month - 1, day));
  if (year < 1970 || year > 2199 || at.getUTCMonth() !== month - 1 || at.getUTCDate() !== day)
    return null;
  return at.getTime() / DAY_MS;
}
