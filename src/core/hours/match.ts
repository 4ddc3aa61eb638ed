/** Whether the days of a rule include a day. */
import { type Day, isNth, resolvePoint, toDay, weekOf } from "#core/hours/calendar.ts";
import {
  type DatePoint,
  type DateSelector,
  type Match,
  MAYBE,
  NO,
  YES,
} from "#core/hours/model.ts";

/** Reports whether a day is a public holiday of the place. */
export type IsHoliday = (day: Day) => Match;

/** All selectors of a rule must hold. */
export function matchAll(dates: readonly DateSelector[], day: Day, isHoliday: IsHoliday): Match {
  let least: Match = YES;
  for (const selector of dates) {
    const match = matchOne(selector, day, isHoliday);
    if (match === NO) return NO;
    if (match === MAYBE) least = MAYBE;
  }
  return least;
}

function matchOne(selector: DateSelector, day: Day, isHoliday: IsHoliday): Match {
  switch (selector.kind) {
    case "weekdays":
      return toMatch(((selector.mask >> day.weekday) & 1) === 1);
    case "nth": {
      const own = selector.offset_days === 0 ? day : toDay(day.day - selector.offset_days);
      return toMatch(own.weekday === selector.weekday && selector.nths.some((n) => isNth(own, n)));
    }
    case "holiday":
      if (selector.which === "SH") return MAYBE;
      return isHoliday(selector.offset_days === 0 ? day : toDay(day.day - selector.offset_days));
    case "years":
      return toMatch(isStep(day.year, selector));
    case "weeks":
      return toMatch(isStep(weekOf(day), selector));
    case "season": {
      const { from, to } = selector;
      const key = day.month * 32 + day.date;
      return toMatch(from <= to ? from <= key && key <= to : from <= key || key <= to);
    }
    case "range":
      return toMatch(isWithin(selector.from, selector.to, day));
    case "any": {
      let most: Match = NO;
      for (const one of selector.of) {
        const match = matchOne(one, day, isHoliday);
        if (match === YES) return YES;
        if (match === MAYBE) most = MAYBE;
      }
      return most;
    }
  }
}

function toMatch(is: boolean): Match {
  return is ? YES : NO;
}

function isStep(
  n: number,
  { from, to, step }: { from: number; to: number; step: number },
): boolean {
  if (from > to) return n >= from || n <= to;
  return from <= n && n <= to && (n - from) % step === 0;
}

/** Ranges without a year may begin in the year before, or reach into it by their offset. */
function isWithin(from: DatePoint, to: DatePoint | null, { day, year }: Day): boolean {
  if (from.year !== null) {
    const begin = resolvePoint(from, from.year);
    if (to === null) return day >= begin;
    return begin <= day && day <= endOf(to, to.year ?? from.year, begin);
  }
  for (let each = year - 1; each <= year + 1; each++) {
    const begin = resolvePoint(from, each);
    if (to !== null && begin <= day && day <= endOf(to, each, begin)) return true;
  }
  return false;
}

function endOf(to: DatePoint, year: number, begin: number): number {
  const end = resolvePoint(to, year);
  return end < begin && to.year === null ? resolvePoint(to, year + 1) : end;
}
