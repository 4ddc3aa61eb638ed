/**
 * Opening hours of a place (places.md 1.4): what the provider says of now, and the periods of a week.
 * Hours of this week have holidays in them, those of any week have not.
 */
import type { Weekly } from "#core/hours/hours.ts";
import { ALWAYS, type Opening, toDays } from "#core/places/opening.ts";
import {
  type Row,
  toBool,
  toList,
  toNumber,
  toRow,
  toText,
  toTexts,
  toTime_s,
} from "#providers/coerce.ts";

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
export function toOpening(row: Row): Opening | null {
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

/** The hours of any week; nothing where special days of this week are known to differ from them. */
function toWeek(row: Row): Opening {
  const [current, regular] = [row["currentOpeningHours"], row["regularOpeningHours"]].map(toRow);
  if (!regular || toList(current?.["specialDays"]).length > 0) return {};
  if (isAlwaysOpen(regular)) return ALWAYS;
  const periods = toList(regular["periods"]);
  const days = periods.slice(0, MAX_PERIODS).map(toPeriod);
  const weekly = days.filter((period) => period !== null);
  // One that cannot be read may be any day.
  const isWhole = periods.length > 0 && weekly.length === periods.length;
  return isWhole ? { weekly: weekly.flat() } : {};
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
