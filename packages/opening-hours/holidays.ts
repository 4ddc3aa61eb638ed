/** Public holidays by country, from rules (docs/design/hours.md). */
import { type Day, easterOf, toDayNumber, weekdayFrom, weekdayOf } from "./hours-calendar.ts";
import { isKnownRegion, listRegional } from "./regional.ts";
import table from "./holidays.json" with { type: "json" };
import { type Match, MAYBE, NO, YES } from "./hours-model.ts";

/** `12-25`, `easter+1`, `Mo from 05-25` (the first on or after), `equinox-03` (of Japan). */
export type HolidayRule = string;

export type CountryHolidays = {
  /** Where a holiday that falls on a weekend may also be kept. */
  observed: "none" | "after" | "nearest";
  days: readonly HolidayRule[];
  /** Kept in some regions, by some, or not surely. */
  some: readonly SomeDay[];
  /** Days that no rule gives, by year; every other year is not known. */
  near?: readonly { within_days: number; by_year: Readonly<Record<string, string>> }[];
};

type SomeDay = {
  day: HolidayRule;
  /** Those that keep it, where all are known. */
  regions: readonly string[] | null;
  /** Where they are not: all that may keep it; in others it is none. Absent: any may. */
  perhaps?: readonly string[];
};

export const HOLIDAYS: Readonly<Record<string, CountryHolidays>> = table as Readonly<
  Record<string, CountryHolidays>
>;

/** The rules are those in force in these years; of others nothing is known. */
const FIRST_YEAR = 2_025;
const LAST_YEAR = 2_099;
const WEEKDAYS = ["Mo", "Tu", "We", "Th", "Fr", "Sa", "Su"];
const SATURDAY = 5;

type Country = string | null;
export type Holidays = {
  /** Reports whether a day is a public holiday of a country, and of a region where that is known. */
  find: (day: Day, country: Country, region: string | null) => Match;
};

type Year = { all: boolean; days: ReadonlyMap<number, Match> };

/** Each country with each region that the table names, for all years. */
const MAX_YEARS = 10_000;

/** Creates an empty memory of holidays, to be kept by the caller. */
export function createHolidays(): Holidays {
  const cache = new Map<string, Map<number, Year>>();
  let count = 0;
  return {
    find({ day, year }, country, input) {
      if (country === null || !Object.hasOwn(HOLIDAYS, country)) return MAYBE;
      const region = input !== null && isKnownRegion(country, input) ? input : null;
      if (year < FIRST_YEAR || year > LAST_YEAR) return MAYBE;
      const key = region === null ? country : `${country} ${region}`;
      let years = cache.get(key);
      let match = years?.get(year);
      if (!match) {
        if (count >= MAX_YEARS) {
          cache.clear();
          years = undefined;
          count = 0;
        }
        count++;
        match = readYear(country, year, region);
        if (!years) {
          years = new Map();
          cache.set(key, years);
        }
        years.set(year, match);
      }
      return match.days.get(day) ?? (match.all ? MAYBE : NO);
    },
  };
}

/** With the days around New Year that belong to a holiday of the next year or the last. */
function readYear(code: string, year: number, region: string | null): Year {
  const country = HOLIDAYS[code]!;
  const days = new Map<number, Match>();
  const fixed: number[] = [];
  const keep = (rule: HolidayRule, at: number, match: Match): void => {
    if (days.get(at) !== YES) days.set(at, match);
    if (/^(?:\d|equinox)/.test(rule)) fixed.push(at);
  };
  let all = listRegional(code, region, year) === null;
  for (const each of [year - 1, year, year + 1]) {
    for (const rule of country.days) keep(rule, resolveHoliday(rule, each), YES);
    for (const { day, sure } of listRegional(code, region, each) ?? [])
      keep(day, resolveHoliday(day, each), sure ? YES : MAYBE);
    for (const some of country.some) {
      const match = matchIn(some, region);
      if (match !== NO) keep(some.day, resolveHoliday(some.day, each), match);
    }
  }
  for (const { within_days, by_year } of country.near ?? []) {
    const date = by_year[String(year)];
    if (date === undefined) all = true;
    else markNear(days, resolveHoliday(date, year), within_days);
  }
  if (country.observed !== "none") markObserved(days, fixed, country.observed);
  return { all, days };
}

/** Whether a region keeps what some do; null: it is not known. */
function matchIn({ regions, perhaps }: SomeDay, region: string | null): Match {
  if (region === null) return MAYBE;
  if (regions !== null) return regions.includes(region) ? YES : NO;
  return perhaps === undefined || perhaps.includes(region) ? MAYBE : NO;
}

function markNear(days: Map<number, Match>, middle: number, within_days: number): void {
  for (let at = middle - within_days; at <= middle + within_days; at++)
    if (days.get(at) !== YES) days.set(at, within_days === 0 ? YES : MAYBE);
}

/**
 * Those of a date may move from a weekend. Which do, and for whom, differs: the days that come into
 * question may be holidays.
 */
function markObserved(
  days: Map<number, Match>,
  fixed: readonly number[],
  observed: "after" | "nearest",
): void {
  for (const day of [...fixed].sort((a, b) => a - b)) {
    const weekday = weekdayOf(day);
    if (weekday < SATURDAY) continue;
    if (observed === "nearest" && weekday === SATURDAY && !days.has(day - 1))
      days.set(day - 1, MAYBE);
    let next = day + 1;
    while (weekdayOf(next) >= SATURDAY || days.has(next)) next++;
    days.set(next, MAYBE);
  }
}

/** Returns the day of a rule in a year, counted from 1970-01-01. */
export function resolveHoliday(rule: HolidayRule, year: number): number {
  if (rule.startsWith("easter")) return easterOf(year) + Number(rule.slice("easter".length));
  if (rule.startsWith("equinox-")) return equinoxOf(year, rule.endsWith("03") ? 3 : 9);
  const [month, date] = rule.slice(-5).split("-").map(Number) as [number, number];
  const day = toDayNumber(year, month, date);
  return rule.includes(" from ") ? weekdayFrom(day, WEEKDAYS.indexOf(rule.slice(0, 2))) : day;
}

/** By the mean motion of the sun, which gives the days announced for 1980 to 2099. */
function equinoxOf(year: number, month: 3 | 9): number {
  const base = month === 3 ? 20.8431 : 23.2488;
  const date = Math.floor(base + 0.242194 * (year - 1980) - Math.floor((year - 1980) / 4));
  return toDayNumber(year, month, date);
}
