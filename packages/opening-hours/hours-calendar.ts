/** Arithmetic of the Gregorian calendar on days that are counted from 1970-01-01. */
import type { DatePoint } from "./hours-model.ts";
import { DAY_MS } from "#kit/time.ts";

/** A local day; Monday is 0, January is 1. */
export type Day = { day: number; weekday: number; year: number; month: number; date: number };

/** Returns the calendar day of a count. */
export function toDay(day: number): Day {
  const shifted = day + 719_468;
  const era = Math.floor(shifted / 146_097);
  const of_era = shifted - era * 146_097;
  const leaps = Math.floor(of_era / 1_460) - Math.floor(of_era / 36_524);
  const year_of_era = Math.floor((of_era - leaps + Math.floor(of_era / 146_096)) / 365);
  const before = 365 * year_of_era + Math.floor(year_of_era / 4) - Math.floor(year_of_era / 100);
  // Years that begin in March, so that the leap day is the last.
  const of_year = of_era - before;
  const index = Math.floor((5 * of_year + 2) / 153);
  const month = index < 10 ? index + 3 : index - 9;
  return {
    day,
    weekday: weekdayOf(day),
    year: year_of_era + era * 400 + (month <= 2 ? 1 : 0),
    month,
    date: of_year - Math.floor((153 * index + 2) / 5) + 1,
  };
}

/** Returns the count of a date; months and dates that overflow count on. */
export function toDayNumber(year: number, month: number, date: number): number {
  return Math.floor(Date.UTC(year, month - 1, date) / DAY_MS);
}

export function weekdayOf(day: number): number {
  return (((day + 3) % 7) + 7) % 7;
}

/** Returns the count of Easter Sunday. */
export function easterOf(year: number): number {
  const century = Math.floor(year / 100);
  const golden = year % 19;
  const skipped = century - Math.floor(century / 4) - Math.floor((8 * century + 13) / 25);
  const epact = (skipped + 19 * golden + 15) % 30;
  const late = epact > 28 || (epact === 28 && golden > 10) ? 1 : 0;
  const full_moon = toDayNumber(year, 3, 21 + epact - late);
  return full_moon + 7 - ((weekdayOf(full_moon) + 1) % 7);
}

/** Returns the week of ISO 8601 that a day is in. */
export function weekOf({ day, weekday }: Day): number {
  const thursday = toDay(day - weekday + 3);
  return Math.floor((thursday.day - toDayNumber(thursday.year, 1, 1)) / 7) + 1;
}

/** Returns the count of the first such weekday from a day on. */
export function weekdayFrom(day: number, weekday: number): number {
  return day + ((weekday - weekdayOf(day) + 7) % 7);
}

/** Reports whether a day is the n-th of its weekday in its month, from the end where negative. */
export function isNth({ year, month, date }: Day, n: number): boolean {
  if (n > 0) return Math.floor((date - 1) / 7) + 1 === n;
  const last = toDay(toDayNumber(year, month + 1, 1) - 1).date;
  return Math.floor((last - date) / 7) + 1 === -n;
}

/** Returns the count of the day that a point is in a year. */
export function resolvePoint(point: DatePoint, year: number): number {
  const { month, date, weekday, offset_days } = point;
  if (month === null) return easterOf(year) + offset_days;
  if (weekday === null) return toDayNumber(year, month, date) + offset_days;
  if (date > 0)
    return weekdayFrom(toDayNumber(year, month, 1), weekday) + 7 * (date - 1) + offset_days;
  const last = weekdayFrom(toDayNumber(year, month + 1, 1) - 7, weekday);
  return last + 7 * (date + 1) + offset_days;
}
