/** Compiled opening hours: rules in order, each with the days it applies to and its times of the day. */

/** What a moment may be, as bits: until a rule needs what is not known, exactly one is set. */
export const NONE = 1;
export const CLOSED = 2;
export const OPEN = 4;
export const UNKNOWN = 8;
/** A set of those bits. */
export type States = number;

/** Whether a rule applies to a day; 1: that depends on a holiday that is not known. */
export type Match = 0 | 1 | 2;
export const NO = 0;
export const MAYBE = 1;
export const YES = 2;

export const DAY_MIN = 1_440;

/** A local calendar day; `day` counts from 1970-01-01, Monday is 0, January is 1. */
export type Day = { day: number; weekday: number; year: number; month: number; date: number };

/** The days within a week, as bits from Monday on. */
export type WeekdayRange = { kind: "weekdays"; mask: number };

export type DateSelector = WeekdayRange;

/** Minutes from local midnight; `to` may be after the next midnight. */
export type Span = { from: number; to: number; state: States };

/** `normal` replaces earlier rules on its days, `additional` adds, `fallback` fills what is left. */
export type RuleKind = "normal" | "additional" | "fallback";

export type Rule = {
  readonly kind: RuleKind;
  readonly state: States;
  /** All of them must hold; an empty list is every day. */
  readonly dates: readonly DateSelector[];
  /** null: the whole day. */
  readonly times: readonly Span[] | null;
  /** Some time lies after midnight. */
  readonly spills: boolean;
  readonly text: string;
};

export type Hours = { readonly rules: readonly Rule[] };

/** Returns the calendar day of a count of days since 1970-01-01. */
export function toDay(day: number): Day {
  const shifted = day + 719_468;
  const era = Math.floor(shifted / 146_097);
  const day_of_era = shifted - era * 146_097;
  const year_of_era = Math.floor(
    (day_of_era -
      Math.floor(day_of_era / 1_460) +
      Math.floor(day_of_era / 36_524) -
      Math.floor(day_of_era / 146_096)) /
      365,
  );
  const day_of_year =
    day_of_era - (365 * year_of_era + Math.floor(year_of_era / 4) - Math.floor(year_of_era / 100));
  const shifted_month = Math.floor((5 * day_of_year + 2) / 153);
  const month = shifted_month < 10 ? shifted_month + 3 : shifted_month - 9;
  return {
    day,
    weekday: (((day + 3) % 7) + 7) % 7,
    year: year_of_era + era * 400 + (month <= 2 ? 1 : 0),
    month,
    date: day_of_year - Math.floor((153 * shifted_month + 2) / 5) + 1,
  };
}

/** Returns the days from 1970-01-01 to a date; months and dates that overflow count on. */
export function toDayNumber(year: number, month: number, date: number): number {
  return Math.floor(Date.UTC(year, month - 1, date) / 86_400_000);
}
