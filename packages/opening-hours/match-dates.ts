/** Whether the days of a rule include a day. */
import { type Day, isNth, resolvePoint, toDay, toDayNumber, weekOf } from "./hours-calendar.ts";
import { type DatePoint, type DateSelector, type Match, MAYBE, NO, YES } from "./hours-model.ts";

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
      return matchRange(selector.from, selector.to, day);
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
function matchRange(from: DatePoint, to: DatePoint | null, { day, year }: Day): Match {
  if (from.year !== null) {
    const begin = resolvePoint(from, from.year);
    if (to === null) return toMatch(day >= begin);
    return matchYear({ from, to, begin, year: to.year ?? from.year }, day);
  }
  let most: Match = NO;
  for (let each = year - 1; each <= year + 1; each++) {
    if (to === null) continue;
    const match = matchYear({ from, to, begin: resolvePoint(from, each), year: each }, day);
    if (match === YES) return YES;
    if (match === MAYBE) most = MAYBE;
  }
  return most;
}

/** Feasts and weekdays move by no more days than this from year to year. */
const MOVES_DAYS = 40;

type InYear = { from: DatePoint; to: DatePoint; begin: number; year: number };

/** A movable day may fall behind the other end of its range: the rest of the year is not meant then. */
function matchYear({ from, to, begin, year }: InYear, day: number): Match {
  const end = resolvePoint(to, year);
  if (begin <= end) return toMatch(begin <= day && day <= end);
  if (to.year !== null) return NO;
  const isWithin = begin <= day && day <= resolvePoint(to, year + 1);
  const isSlip = begin - end < MOVES_DAYS && (isMovable(from) || isMovable(to));
  // By the year alone its beginning would be meant, too.
  if (isSlip && toDayNumber(year, 1, 1) <= day && day <= end) return MAYBE;
  return isWithin ? (isSlip ? MAYBE : YES) : NO;
}

function isMovable({ month, weekday }: DatePoint): boolean {
  return month === null || weekday !== null;
}
