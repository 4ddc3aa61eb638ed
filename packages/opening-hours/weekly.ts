/**
 * Hours of structured periods: those of every week, and those of single dates, which go before them
 * (docs/design/hours.md, "Periods of a week").
 */
import {
  CLOSED,
  DAY_MIN,
  type DateSelector,
  type Hours,
  OPEN,
  type HoursRule,
  type HoursSpan,
  toHours,
  toRule,
  UNKNOWN_STATE,
} from "./hours-model.ts";

/** Structured opening times; Monday is 0, and `to_min` may exceed 1,440 where it is after midnight. */
export type Weekly = { day: 0 | 1 | 2 | 3 | 4 | 5 | 6; from_min: number; to_min: number }[];

/** The hours of one date, `month` from 1, in minutes from its midnight to the next; none: closed. */
export type Dated = {
  year: number;
  month: number;
  date: number;
  periods: { from_min: number; to_min: number }[];
}[];

const WEEKDAYS = ["Mo", "Tu", "We", "Th", "Fr", "Sa", "Su"] as const;
const PUBLIC_HOLIDAY: DateSelector = { kind: "holiday", which: "PH", offset_days: 0 };
const WHOLE_DAY: HoursSpan = { from: 0, to: DAY_MIN, state: CLOSED };
/** A period from midnight that ends before is the rest of a night. */
const NIGHT_END_MIN = DAY_MIN / 2;

/**
 * Returns hours that are open in these periods; what is no period is passed over. A week says
 * nothing of public holidays, so that they are unknown, unless it has no gap or their date is given.
 */
export function weeklyHours(weekly: Weekly, dated: Dated = []): Hours {
  const periods = weekly.filter(isPeriod);
  const rules = periods.map(({ day, from_min, to_min }) => {
    const span = { from: from_min, to: to_min, state: OPEN };
    const text = `${WEEKDAYS[day]} ${toClock(from_min)}-${toClock(to_min)}`;
    return toRule({ kind: "additional", state: OPEN, dates: [onDay(day)], times: [span] }, text);
  });
  const holidays = hasGap(periods) ? holidayRules(periods) : [];
  return toHours([...rules, ...holidays, ...dated.map(dateRule)]);
}

function isPeriod({ from_min, to_min }: Weekly[number]): boolean {
  return from_min >= 0 && from_min < to_min && to_min <= 2 * DAY_MIN;
}

function onDay(day: number): DateSelector {
  return { kind: "weekdays", mask: 1 << day };
}

/** Of a holiday, and of the night that begins on it, which may be written as a period of the next day. */
function holidayRules(periods: Weekly): HoursRule[] {
  const text = "PH unknown";
  const state = UNKNOWN_STATE;
  const ends = new Set(periods.flatMap(({ day, to_min }) => (to_min >= DAY_MIN ? [day] : [])));
  const nights = periods.flatMap(({ day, from_min, to_min }) => {
    const before = (day + 6) % 7;
    const isRest = from_min === 0 && to_min <= NIGHT_END_MIN && ends.has(before as typeof day);
    const nightly = isRest ? [[before, DAY_MIN + to_min] as const] : [];
    return to_min > DAY_MIN ? [...nightly, [day, to_min] as const] : nightly;
  });
  const nightRules = nights.map(([day, to]) => {
    const times = [{ from: DAY_MIN, to, state }];
    const dates = [onDay(day), PUBLIC_HOLIDAY];
    return toRule({ kind: "additional", state, dates, times }, text);
  });
  return [
    toRule({ kind: "normal", state, dates: [PUBLIC_HOLIDAY], times: null }, text),
    ...nightRules,
  ];
}

function dateRule({ year, month, date, periods }: Dated[number]): HoursRule {
  const point = { year, month, date, weekday: null, offset_days: 0 };
  const open = periods.map(({ from_min, to_min }) => ({ from: from_min, to: to_min, state: OPEN }));
  const spans = periods.map(({ from_min, to_min }) => `${toClock(from_min)}-${toClock(to_min)}`);
  const two = (n: number): string => String(n).padStart(2, "0");
  return toRule(
    {
      kind: "normal",
      state: OPEN,
      dates: [{ kind: "range", from: point, to: point }],
      times: [...open, WHOLE_DAY],
    },
    `${year}-${two(month)}-${two(date)} ${spans.join(",") || "off"}`,
  );
}

/** Reports whether some minute of the week is in no period. */
function hasGap(periods: Weekly): boolean {
  const spans = periods
    .flatMap(({ day, from_min, to_min }) => {
      const at = day * DAY_MIN;
      // What is beyond Sunday is the beginning of the week.
      return [0, -7 * DAY_MIN].map(
        (shift) => [at + from_min + shift, at + to_min + shift] as const,
      );
    })
    .sort(([a], [b]) => a - b);
  let covered = 0;
  for (const [from, to] of spans) if (from <= covered) covered = Math.max(covered, to);
  return covered < 7 * DAY_MIN;
}

function toClock(minute: number): string {
  const two = (n: number): string => String(n).padStart(2, "0");
  return `${two(Math.floor(minute / 60))}:${two(minute % 60)}`;
}
