/** Compiled opening hours: rules in order, each with the days it applies to and its times of the day. */

/** What a moment may be, as bits: until a rule needs what is not known, exactly one is set. */
export const NONE = 1;
export const CLOSED = 2;
export const OPEN = 4;
export const UNKNOWN_STATE = 8;
/** A set of those bits. */
export type States = number;

/** Whether a rule applies to a day; `MAYBE` depends on a holiday that is not known. */
export type Match = 0 | 1 | 2;
export const NO = 0;
export const MAYBE = 1;
export const YES = 2;

export const DAY_MIN = 1_440;

/** One day of a year, or one that `easter` or a weekday of a month decides. */
export type DatePoint = {
  year: number | null;
  /** null: Easter Sunday. */
  month: number | null;
  /** A date, or the n-th of a weekday, from the end where it is negative. */
  date: number;
  weekday: number | null;
  offset_days: number;
};

export type DateSelector =
  /** Bits from Monday on. */
  | { kind: "weekdays"; mask: number }
  /** The n-th of a weekday in its month, from the end where negative, moved by days. */
  | { kind: "nth"; weekday: number; nths: readonly number[]; offset_days: number }
  | { kind: "holiday"; which: "PH" | "SH"; offset_days: number }
  | { kind: "years"; from: number; to: number; step: number }
  | { kind: "weeks"; from: number; to: number; step: number }
  /** Within every year, as month × 32 + date; over New Year where `from` is the later. */
  | { kind: "season"; from: number; to: number }
  /** Both ends included; `to` null: on and on. */
  | { kind: "range"; from: DatePoint; to: DatePoint | null }
  | { kind: "any"; of: readonly DateSelector[] };

export type SunEvent = "dawn" | "sunrise" | "sunset" | "dusk";
export type SunTime = { event: SunEvent; offset_min: number };

/** Minutes from local midnight; `to` may be after the next midnight. */
export type HoursSpan = {
  from: number | SunTime;
  /** null: not stated, such as in `18:00+`. */
  to: number | SunTime | null;
  state: States;
};

/**
 * `normal` replaces earlier rules on its days, `additional` adds, `fallback` fills what is left; of
 * `doubtful` ones and the earlier rules only what both say is known.
 */
export type RuleKind = "normal" | "additional" | "fallback" | "doubtful";

export type HoursRule = {
  readonly kind: RuleKind;
  readonly state: States;
  /** All of them must hold; an empty list is every day. */
  readonly dates: readonly DateSelector[];
  /** null: the whole day. */
  readonly times: readonly HoursSpan[] | null;
  /** Some time lies, or may lie, after midnight. */
  readonly spills: boolean;
  /** The rule names holidays. */
  readonly holidays: boolean;
  /** The days are those of a week or a season, and no particular ones. */
  readonly general: boolean;
  readonly text: string;
};

export type Hours = {
  readonly rules: readonly HoursRule[];
  /** A search for the next change ends after this number of days: a week for weekly hours, 14 months at most. */
  readonly horizon_days: number;
  /** Some time is that of the sun. */
  readonly sun: boolean;
  /** Some rule depends on the holidays of a country. */
  readonly holidays: boolean;
};

/** Returns a rule of its parts. */
export function toRule(
  { kind, state, dates, times }: Pick<HoursRule, "kind" | "state" | "dates" | "times">,
  text: string,
): HoursRule {
  return {
    kind,
    state,
    dates,
    times,
    spills: (times ?? []).some(maySpill),
    holidays: dates.some(namesHoliday),
    general: dates.every(
      (one) => one.kind === "weekdays" || (one.kind === "season" && one.from !== one.to),
    ),
    text,
  };
}

function maySpill({ from, to }: HoursSpan): boolean {
  if (typeof from !== "number") return true;
  return typeof to === "number" ? to > DAY_MIN : to !== null || guessEnd(from) > DAY_MIN;
}

function namesHoliday(selector: DateSelector): boolean {
  return selector.kind === "any" ? selector.of.some(namesHoliday) : selector.kind === "holiday";
}

const WEEK_DAYS = 9;
const MAX_DAYS = 426;
/** Roughly, of a search; and what a day of it takes for each thing of a rule. */
const SEARCH_NS = 300_000;
const DAY_NS = 200;
const RULE_NS = 60;
const SUN_NS = 8_000;
const EDGE_NS = 5;
const SELECTOR_NS: Readonly<Record<Exclude<DateSelector["kind"], "any">, number>> = {
  weekdays: 5,
  season: 10,
  years: 10,
  weeks: 150,
  nth: 150,
  holiday: 150,
  range: 600,
};

/** Returns the hours of rules in their order. */
export function toHours(rules: readonly HoursRule[]): Hours {
  const spans = rules.flatMap(({ times }) => times ?? []);
  const selectors = rules.flatMap(({ dates }) => dates.flatMap(listSelectors));
  const sun = spans.filter(({ from, to }) => typeof from === "object" || isSun(to)).length;
  const weekly = sun === 0 && selectors.every(({ kind }) => kind === "weekdays");
  const edges_ns = EDGE_NS * (1 + 2 * spans.length) * (rules.length + spans.length);
  const selectors_ns = selectors.reduce((sum, { kind }) => sum + SELECTOR_NS[kind], 0);
  const day_ns = DAY_NS + RULE_NS * rules.length + SUN_NS * sun + edges_ns + 2 * selectors_ns;
  const most_days = weekly ? WEEK_DAYS : MAX_DAYS;
  const horizon_days = Math.min(most_days, 2 + Math.floor(SEARCH_NS / day_ns));
  const holidays = selectors.some(({ kind }) => kind === "holiday");
  return { rules, horizon_days, sun: sun > 0, holidays };
}

type Single = Exclude<DateSelector, { kind: "any" }>;

function listSelectors(selector: DateSelector): Single[] {
  return selector.kind === "any" ? selector.of.flatMap(listSelectors) : [selector];
}

function isSun(to: HoursSpan["to"]): boolean {
  return typeof to === "object" && to !== null;
}

/**
 * Returns when something ends whose end is not stated: at midnight, and later where it begins in the
 * evening.
 */
export function guessEnd(from_min: number): number {
  if (from_min >= 22 * 60) return from_min + 8 * 60;
  if (from_min >= 17 * 60) return from_min + 10 * 60;
  return DAY_MIN;
}
