/** Hours from the `opening_times` of a location (OCPI 2.2.1, mod_locations, Hours class). */
import { ALWAYS, type Opening, toDays } from "#core/places/opening.ts";
import { type Row, toBool, toList, toNumber, toRow, toText, toTime_s } from "#kit/coerce.ts";

const WEEKDAYS = [
  ...["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"],
];
/** Some write seconds as well. */
const CLOCK = /^((?:[01]?\d|2[0-4]):[0-5]\d)(?::[0-5]\d)?$/;
/** Midnight of every zone is at a quarter of an hour. */
const QUARTER_S = 900;
/** Of a quarter of an hour: where its last minute begins, and its last second. */
const LAST_S = [QUARTER_S - 60, QUARTER_S - 1];

/** Periods that one location may have; more are no hours. */
const MAX_PERIODS = 100;

/** Reports whether it says so itself. */
function isAlwaysOpen(times: Row | null): boolean {
  return toBool(times?.["twentyfourseven"]) === true;
}

/** One text for each day of which something is said, Monday first; null: nothing is known. */
export function ocpiOpeningHours(times: Row | null): string[] | null {
  if (isAlwaysOpen(times)) return ["24/7"];
  const periods = listPeriods(times).filter((period) => period !== null);
  const texts = WEEKDAYS.flatMap((name, index) => {
    const hours = periods.filter(({ weekday }) => weekday === index + 1);
    const spans = hours.map(({ begin, end }) => `${begin}-${end}`);
    return spans.length > 0 ? [`${name}: ${[...new Set(spans)].sort().join(", ")}`] : [];
  });
  return texts.length > 0 ? texts : null;
}

/**
 * The same for evaluation, with the exceptional closings and openings; null: nothing is published. A
 * day without periods is closed; one period that cannot be read makes the week unreadable.
 */
export function toOpening(times: Row | null): Opening | null {
  if (times === null) return null;
  const exceptions = [
    ...listSpans(times["exceptional_closings"], "closed"),
    ...listSpans(times["exceptional_openings"], "open"),
  ];
  const hours = isAlwaysOpen(times) ? ALWAYS : toWeek(listPeriods(times));
  if (!hours && exceptions.length === 0) return null;
  // One that cannot be read may be any day.
  if (exceptions.includes(null)) return {};
  const defined = exceptions.filter((span) => span !== null);
  return { ...hours, ...(defined.length > 0 ? { exceptions: defined } : {}) };
}

/** null: there are none. */
function toWeek(periods: readonly (Period | null)[]): Opening | null {
  if (periods.length === 0) return null;
  const days = periods.map((period) => {
    if (!period) return null;
    const [from, to] = [toMinutes(period.begin), toMinutes(period.end)];
    // Until midnight, or beyond it.
    return toDays(period.weekday - 1, from, to > from ? to : to + 1_440);
  });
  const weekly = days.filter((period) => period !== null);
  return weekly.length === days.length ? { weekly: weekly.flat() } : {};
}

function toMinutes(clock: string): number {
  const [hours, minutes] = clock.split(":").map(Number);
  return hours! * 60 + minutes!;
}

type Exceptions = NonNullable<Opening["exceptions"]>;

/** null: one cannot be read. */
function listSpans(wire: unknown, state: "open" | "closed"): (Exceptions[number] | null)[] {
  return toList(wire)
    .slice(0, MAX_PERIODS)
    .map((value) => {
      const row = toRow(value);
      const [from_s, until_s] = [toTime_s(row?.["period_begin"]), toTime_s(row?.["period_end"])];
      if (from_s === null || until_s === null || until_s <= from_s) return null;
      return { state, from_ms: from_s * 1_000, until_ms: toMidnight_s(until_s) * 1_000 };
    });
}

/** What ends at 23:59 or 23:59:59 ends at midnight, as it does in regular hours. */
function toMidnight_s(time_s: number): number {
  const second = time_s % QUARTER_S;
  return LAST_S.includes(second) ? time_s + QUARTER_S - second : time_s;
}

type Period = { weekday: number; begin: string; end: string };

/** null: one that cannot be read. */
function listPeriods(times: Row | null): (Period | null)[] {
  return toList(times?.["regular_hours"]).slice(0, MAX_PERIODS).map(toPeriod);
}

function toPeriod(value: unknown): Period | null {
  const row = toRow(value);
  const weekday = toNumber(row?.["weekday"]);
  const [begin, end] = [toClock(row?.["period_begin"]), toClock(row?.["period_end"])];
  if (weekday === null || begin === null || end === null) return null;
  return { weekday, begin, end };
}

/** `HH:MM`; null: it is none. */
function toClock(value: unknown): string | null {
  return CLOCK.exec(toText(value) ?? "")?.[1] ?? null;
}
