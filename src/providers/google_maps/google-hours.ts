/**
 * Opening hours of a place (places.md 1.4): what the provider says of now, and the periods of a week.
 * Hours of this week have holidays in them, those of any week have not.
 */
import { toDay as toCalendarDay, toDayNumber, weekdayOf } from "#hours/hours-calendar.ts";
import type { Dated, Weekly } from "#hours/weekly.ts";
import { ALWAYS, type Opening, toDays } from "#core/places/opening.ts";
import { toPeriodEnd } from "#kit/time.ts";
import {
  type Row,
  toBool,
  toList,
  toNumber,
  toRow,
  toText,
  toTexts,
  toTime_s,
} from "#kit/coerce.ts";

/** Periods that one place may have; more are no week. */
const MAX_PERIODS = 100;

/** Descriptions of the days, in the language of the question; null: none. */
export function findDescriptions(row: Row): string[] | null {
  const lists = listHours(row).map((hours) => toTexts(hours["weekdayDescriptions"]));
  return lists.find((list) => list.length > 0) ?? null;
}

/**
 * What the provider says of now, and its hours for other times; null: nothing is published. A place
 * that is closed for a time has no other times.
 */
export function googleOpening(row: Row): Opening | null {
  if (/^CLOSED_|^FUTURE_OPENING$/.test(toText(row["businessStatus"]) ?? ""))
    return { now: { state: "closed", until_ms: null } };
  const hours = listHours(row);
  if (hours.length === 0) return null;
  const saying = hours.find((one) => toBool(one["openNow"]) !== null);
  const now = saying ? toStatement(saying) : hours.some(isAlwaysOpen) ? STATED_OPEN : null;
  return { ...toWeek(row), ...(now && { now }) };
}

const STATED_OPEN: NonNullable<Opening["now"]> = { state: "open", until_ms: null };

/** Hours of this week, holidays included, before those of any week. */
function listHours(row: Row): Row[] {
  const hours = [row["currentOpeningHours"], row["regularOpeningHours"]].map(toRow);
  return hours.filter((one) => one !== null);
}

function toStatement(hours: Row): NonNullable<Opening["now"]> {
  const isOpen = toBool(hours["openNow"]) === true;
  const until_s = toTime_s(hours[isOpen ? "nextCloseTime" : "nextOpenTime"]);
  return {
    state: isOpen ? "open" : "closed",
    until_ms: until_s === null ? null : until_s * 1_000,
  };
}

/**
 * The hours of any week, and those of the dates that the answer is about; nothing where special days
 * of these dates are known to differ, and cannot be read.
 */
function toWeek(row: Row): Opening {
  const [current, regular] = [row["currentOpeningHours"], row["regularOpeningHours"]].map(toRow);
  if (!regular) return {};
  const isSpecial = toList(current?.["specialDays"]).length > 0;
  const dated = current ? toDates(current) : null;
  if (isSpecial && !dated) return {};
  if (isAlwaysOpen(regular) && !isSpecial) return ALWAYS;
  const weekly = isAlwaysOpen(regular) ? toDays(0, 0, 7 * 1_440) : toPeriods(regular);
  return weekly ? { weekly, ...(dated ? { dated } : {}) } : {};
}

/** null: there are none, or one cannot be read and may be any day. */
function toPeriods(regular: Row): Weekly | null {
  const periods = toList(regular["periods"]);
  const days = periods.slice(0, MAX_PERIODS).map(toPeriod);
  const weekly = days.filter((period) => period !== null);
  return periods.length > 0 && weekly.length === periods.length ? weekly.flat() : null;
}

/** Dates that an answer is about: seven, and one more by the clocks of the place. */
const MAX_DATES = 8;

/** From the first date that is named to the last; null: they are not named, or not to be understood. */
function toDates(current: Row): Dated | null {
  const periods = toList(current["periods"]).slice(0, MAX_PERIODS).map(toDatedPeriod);
  const special = toList(current["specialDays"])
    .slice(0, MAX_PERIODS)
    .map((value) => toDay(toRow(value)?.["date"]));
  const defined = periods.filter((period) => period !== null);
  const names = [...defined.map(({ day }) => day), ...special.filter((day) => day !== null)];
  if (defined.length < periods.length || special.includes(null) || names.length === 0) return null;
  const [first, last] = [Math.min(...names), Math.max(...names)];
  if (last - first >= MAX_DATES) return null;
  return Array.from({ length: last - first + 1 }, (_, i) => {
    const { year, month, date } = toCalendarDay(first + i);
    const within = defined.flatMap(({ day, from_min, to_min }) => {
      const shift = (first + i - day) * 1_440;
      const [from, to] = [Math.max(0, from_min - shift), Math.min(1_440, to_min - shift)];
      return from < to ? [{ from_min: from, to_min: to }] : [];
    });
    return { year, month, date, periods: within };
  });
}

/** In minutes from the midnight of its first day; the end of one that was cut is that of its day. */
function toDatedPeriod(value: unknown): { day: number; from_min: number; to_min: number } | null {
  const row = toRow(value);
  const [open, close] = [toDatedPoint(row?.["open"]), toDatedPoint(row?.["close"])];
  if (!open || !close) return null;
  const to_min =
    (close.day - open.day) * 1_440 + (close.isCut ? 1_440 : toPeriodEnd(close.minutes));
  return to_min > open.minutes ? { day: open.day, from_min: open.minutes, to_min } : null;
}

function toDatedPoint(value: unknown): { day: number; minutes: number; isCut: boolean } | null {
  const row = toRow(value);
  const [point, day] = [toPoint(row), toDay(row?.["date"])];
  // Sunday is 0; one that is of another date says nothing certain.
  if (!point || day === null || weekdayOf(day) !== (point.day + 6) % 7) return null;
  return { day, minutes: point.minutes, isCut: toBool(row?.["truncated"]) === true };
}

/** Counted from 1970-01-01. */
function toDay(value: unknown): number | null {
  const row = toRow(value);
  const [year, month, date] = ["year", "month", "day"].map((name) => toNumber(row?.[name]));
  if (year == null || month == null || date == null) return null;
  const isDate = [year, month, date].every(Number.isInteger) && year >= 1970 && year < 3000;
  return isDate && month >= 1 && month <= 12 && date >= 1 && date <= 31
    ? toDayNumber(year, month, date)
    : null;
}

/** One period that begins on Sunday at 0:00 and has no end; these zeros are always written. */
function isAlwaysOpen(hours: Row): boolean {
  const periods = toList(hours["periods"]).map(toRow);
  const open = toRow(periods[0]?.["open"]);
  if (periods.length !== 1 || !open || periods[0]?.["close"] != null) return false;
  return open["day"] === 0 && open["hour"] === 0 && open["minute"] === 0;
}

/** From one day and time to another; Sunday is 0. null: it cannot be read. */
function toPeriod(value: unknown): Weekly | null {
  const row = toRow(value);
  const [open, close] = [toPoint(row?.["open"]), toPoint(row?.["close"])];
  if (!open || !close) return null;
  const days = (close.day - open.day + 7) % 7;
  const length = days * 1_440 + close.minutes - open.minutes;
  // It ends before it begins: that is a week later.
  const whole = length > 0 ? length : length + 7 * 1_440;
  return toDays((open.day + 6) % 7, open.minutes, open.minutes + whole);
}

function toPoint(value: unknown): { day: number; minutes: number } | null {
  const row = toRow(value);
  const [day, hour, minute] = ["day", "hour", "minute"].map((name) => toNumber(row?.[name]));
  if (day == null || hour == null || minute == null) return null;
  const isPoint = Number.isInteger(day) && day >= 0 && day <= 6 && hour >= 0 && hour <= 24;
  return isPoint && minute >= 0 && minute < 60 ? { day, minutes: hour * 60 + minute } : null;
}
