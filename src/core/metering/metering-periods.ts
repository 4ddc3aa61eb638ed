/** The periods of metering: days and calendar months, UTC. Times come from outside. */
import { matching, type Rule } from "#kit/rule.ts";
import { DAY_MS } from "#kit/time.ts";

/** Time for which single events are kept (reliability 6.3); totals stay for ever. */
export const EVENT_RETENTION_MS = 400 * DAY_MS;

/** Epoch milliseconds → `2026-11-21`, by arithmetic: several are needed for each reply. */
export function dayOf(at_ms: number): string {
  const day = Math.floor(at_ms / DAY_MS) + DAYS_BEFORE_1970;
  // Years from March on, so that a leap day is the last of its year.
  const era = Math.floor(day / DAYS_OF_ERA);
  const of_era = day - era * DAYS_OF_ERA;
  const leaps =
    Math.floor(of_era / 1460) - Math.floor(of_era / 36524) + Math.floor(of_era / 146096);
  const of_400 = Math.floor((of_era - leaps) / 365);
  const of_year = of_era - (365 * of_400 + Math.floor(of_400 / 4) - Math.floor(of_400 / 100));
  const year = era * 400 + of_400 + (of_year >= JANUARY ? 1 : 0);
  return year + MONTH_AND_DAY[of_year]!;
}

/** From 1 March of the year 0, and in 400 years. */
const DAYS_BEFORE_1970 = 719_468;
const DAYS_OF_ERA = 146_097;
/** Days from March to January. */
const JANUARY = 306;
/** `-03-01` to `-02-29`. */
const MONTH_AND_DAY = Array.from({ length: 366 }, (_, of_year) =>
  new Date(Date.UTC(2003, 2, 1 + of_year)).toISOString().slice(4, 10),
);

/** Epoch milliseconds → `2026-11`. */
export function monthOf(at_ms: number): string {
  return dayOf(at_ms).slice(0, 7);
}

/** Of a year from 1970. */
export const MONTH: Rule<string> = matching(
  /^(19[7-9]\d|[2-9]\d{3})-(0[1-9]|1[0-2])$/,
  "a month such as 2026-11",
);

/** Returns the first moments of the month and of the next one, epoch ms: when units are reset. */
export function monthBounds(month: string): { from_ms: number; until_ms: number } {
  const year = Number(month.slice(0, 4));
  const index = Number(month.slice(5, 7)) - 1;
  return { from_ms: Date.UTC(year, index), until_ms: Date.UTC(year, index + 1) };
}

/** What units are counted by: the UTC day, or the calendar month. */
export type PeriodKind = "day" | "month";

/** A period by its name (`2026-11-21`, `2026-11`), with its first moment and that of the next one. */
export type Period = { name: string; from_ms: number; until_ms: number };

/** Returns the period of this kind that a moment is in. */
export function periodAt(kind: PeriodKind, at_ms: number): Period {
  const day = dayOf(at_ms);
  if (kind === "month") return { name: day.slice(0, 7), ...monthBounds(day) };
  const from_ms = Math.floor(at_ms / DAY_MS) * DAY_MS;
  return { name: day, from_ms, until_ms: from_ms + DAY_MS };
}

/** The kind of a period by its name. */
export function kindOfPeriod(name: string): PeriodKind {
  return name.length > MONTH_LENGTH ? "day" : "month";
}

const MONTH_LENGTH = "2026-11".length;
