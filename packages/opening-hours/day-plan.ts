/** The course of one local day under the rules: parts of a day, each with its state. */
import { type Day, toDay } from "./hours-calendar.ts";
import { type IsHoliday, matchAll } from "./match-dates.ts";
import {
  CLOSED,
  DAY_MIN,
  guessEnd,
  type Match,
  NO,
  NONE,
  OPEN,
  type HoursRule,
  type HoursSpan,
  type States,
  type SunTime,
  UNKNOWN_STATE,
  YES,
} from "./hours-model.ts";

export type PlanOutcome = typeof CLOSED | typeof OPEN | typeof UNKNOWN_STATE;
/** From a minute of the day on; `rule` is the place of the one that decided. */
export type RulePart = {
  from: number;
  state: PlanOutcome;
  rule: number | null;
  holidays_known: boolean;
};
/** In order; the first part begins at midnight. */
export type HoursPlan = readonly RulePart[];

/** What rules need to know of a place. */
export type DaysAround = {
  isHoliday: IsHoliday;
  /** In minutes from local midnight of that day; null: there is none that day. */
  findSun: (time: SunTime, day: number) => number | null;
};

/**
 * Marks a state that a later rule overwrites by the letter, and that its writer rarely meant to be
 * overwritten: what a night has left after midnight, and holidays that are listed first.
 */
const FRAGILE = 16;
/** Of those, the night: it began the day before, when later rules may have replaced its evening. */
const NIGHT = 32;

const NOON_MIN = DAY_MIN / 2;
const SUN_ORDER = { dawn: 0, sunrise: 1, sunset: 2, dusk: 3 } as const;

type Resolved = { from: number; to: number; state: States };
type Applied = {
  rule: HoursRule;
  index: number;
  today: Match;
  times: readonly Resolved[];
  before: Match;
  times_before: readonly Resolved[];
  /** Whether it holds of the day before, and has replaced the evening of which an earlier rule has left a night. */
  ends: Match;
};

/** Returns the parts of a local day, counted from 1970-01-01. */
export function planDay(rules: readonly HoursRule[], day: number, around: DaysAround): HoursPlan {
  const at = { day, today: toDay(day), before: toDay(day - 1), around };
  const applied: Applied[] = [];
  const edges = [0];
  let hasNight = false;
  for (let index = 0; index < rules.length; index++) {
    const one = toApplied(rules[index]!, index, hasNight, at);
    if (one.today === NO && one.before === NO && one.ends === NO) continue;
    applied.push(one);
    for (const { from, to } of one.times) edges.push(from, to);
    for (const { from, to } of one.times_before) edges.push(from - DAY_MIN, to - DAY_MIN);
    if (one.before !== NO) hasNight = true;
  }
  if (edges.length > 2) edges.sort((a, b) => a - b);
  const parts: RulePart[] = [];
  let last = -1;
  for (const edge of edges) {
    if (edge <= last || edge >= DAY_MIN) continue;
    last = edge;
    parts.push(partOf(applied, edge));
  }
  return parts;
}

type At = { day: number; today: Day; before: Day; around: DaysAround };

/** `hasNight`: an earlier rule has times that began the day before. */
function toApplied(rule: HoursRule, index: number, hasNight: boolean, at: At): Applied {
  const { day, around } = at;
  const today = matchAll(rule.dates, at.today, around.isHoliday);
  const replaces = hasNight && replacesDays(rule);
  const stored = rule.spills || replaces ? matchAll(rule.dates, at.before, around.isHoliday) : NO;
  const before = rule.spills ? stored : NO;
  return {
    rule,
    index,
    today,
    times: today === NO ? [] : resolve(rule, day, around),
    before,
    times_before: before === NO ? [] : resolve(rule, day - 1, around),
    ends: replaces ? stored : NO,
  };
}

/** Whether it leaves nothing of what earlier rules say of its days. */
function replacesDays({ kind, state, times }: HoursRule): boolean {
  if (state === CLOSED) return times === null && (kind === "normal" || kind === "additional");
  return kind === "normal";
}

function partOf(applied: readonly Applied[], minute: number): RulePart {
  let states: States = NONE;
  let decisive: number | null = null;
  for (const one of applied) {
    const own = one.today === NO ? NONE : stateAt(one.times, minute);
    const left = one.before === NO ? NONE : stateAt(one.times_before, minute + DAY_MIN);
    const next = apply(one, { states, own, left });
    if (next !== states || own !== NONE || left !== NONE) decisive = one.index;
    states = next;
  }
  const bare = (states & (CLOSED | OPEN | UNKNOWN_STATE)) | (states & NONE ? CLOSED : 0);
  const single = bare === CLOSED || bare === OPEN || bare === UNKNOWN_STATE;
  return {
    from: minute,
    state: single ? bare : UNKNOWN_STATE,
    rule: decisive,
    holidays_known: single,
  };
}

type Before = {
  /** What earlier rules have left possible. */
  states: States;
  /** The state of the rule at this minute, by its own day and by the day before. */
  own: States;
  left: States;
};

/** The states that remain possible after a rule, given those before it. */
function apply(applied: Applied, { states, own, left }: Before): States {
  const { rule, today, before, ends } = applied;
  let result = states;
  if (today !== NO) {
    const replaced = replace(applied, result, own);
    result = today === YES ? replaced : result | replaced;
  }
  if (left !== NONE && (rule.kind !== "fallback" || result & (NONE | CLOSED))) {
    const painted = (mayClose(rule, left) ? closeInDoubt(result) : left) | FRAGILE | NIGHT;
    return before === YES ? painted : result | painted;
  }
  // By the letter the night of an evening that was replaced goes on.
  if (ends === NO || !(result & NIGHT) || !(result & OPEN)) return result;
  const doubted = (result & ~OPEN) | UNKNOWN_STATE;
  return ends === YES ? doubted : result | doubted;
}

/** Whether a rule that closes has come to the part of which its end is not stated. */
function mayClose({ state }: HoursRule, states: States): boolean {
  return state === CLOSED && states === UNKNOWN_STATE;
}

/** What is closed stays closed; what is open may be closed. */
function closeInDoubt(states: States): States {
  const rest = states & (CLOSED | UNKNOWN_STATE | FRAGILE | NIGHT);
  return rest | (states & OPEN ? UNKNOWN_STATE : 0) | (states & NONE ? CLOSED : 0);
}

/** Whether a night may be open still, which a rule of today alone ends by the letter. */
function isNightLeft(states: States, ends: Match): boolean {
  return (states & NIGHT) !== 0 && (states & (OPEN | UNKNOWN_STATE)) !== 0 && ends !== YES;
}

function replace({ rule, ends }: Applied, states: States, own_states: States): States {
  const { kind, state, holidays } = rule;
  if (kind === "fallback") {
    if (own_states === NONE || !(states & (NONE | CLOSED))) return states;
    return (states & (OPEN | UNKNOWN_STATE)) | own_states;
  }
  if (kind === "doubtful") {
    if (own_states === NONE) return states & OPEN ? UNKNOWN_STATE : states;
    return own_states === states ? own_states : UNKNOWN_STATE;
  }
  if (mayClose(rule, own_states)) return closeInDoubt(states);
  if (own_states !== NONE) {
    if (own_states === CLOSED && rule.times === null) {
      if (isNightLeft(states, ends)) return UNKNOWN_STATE;
      return holidays ? CLOSED | FRAGILE : CLOSED;
    }
    const doubtful = (states & FRAGILE) !== 0 && (states & CLOSED) !== 0;
    if (!doubtful || kind === "additional" || !rule.general || own_states !== OPEN)
      return own_states;
    return (states & ~NIGHT) === (CLOSED | FRAGILE) ? UNKNOWN_STATE : own_states | UNKNOWN_STATE;
  }
  if (kind === "additional" || state === CLOSED) return states;
  return isNightLeft(states, ends) ? UNKNOWN_STATE : NONE;
}

function stateAt(times: readonly Resolved[], minute: number): States {
  let match = NONE;
  for (const { from, to, state } of times)
    if (from <= minute && minute < to && (match === NONE || state === OPEN)) match = state;
  return match;
}

function resolve(rule: HoursRule, day: number, around: DaysAround): readonly Resolved[] {
  if (!rule.times) return [{ from: 0, to: DAY_MIN, state: rule.state }];
  return rule.times.map((span) => resolveSpan(span, day, around));
}

/** Without a sunrise or sunset that day nothing is known of it, nor of the night that it begins. */
function resolveSpan({ from, to, state }: HoursSpan, day: number, around: DaysAround): Resolved {
  if (typeof from === "number" && typeof to === "number") return { from, to, state };
  const nightly = typeof from === "object" && isEvening(from);
  const not_known = { from: 0, to: nightly ? DAY_MIN + NOON_MIN : DAY_MIN, state: UNKNOWN_STATE };
  const begin = typeof from === "number" ? from : around.findSun(from, day);
  if (begin === null) return not_known;
  if (to === null) return { from: begin, to: guessEnd(begin), state };
  const end = typeof to === "number" ? to : around.findSun(to, day);
  if (end === null) return not_known;
  if (end > begin) return { from: begin, to: end, state };
  const next = typeof to === "number" ? to : around.findSun(to, day + 1);
  if (next === null) return not_known;
  const night = { from: begin, to: next + DAY_MIN, state };
  // Where the season turns the times around, no night is meant; the span is empty, or a slip.
  return isNight(from, to) ? night : { ...night, state: UNKNOWN_STATE };
}

/** What opens for the night opens later than that; a morning ends earlier. */
const LATEST_MORNING_MIN = NOON_MIN;
/** Before the sun rises anywhere that it sets: an end that is a night's. */
const SMALL_HOURS_MIN = 3 * 60;

/** Reports whether a span that ends before it begins is meant to go over midnight. */
function isNight(from: HoursSpan["from"], to: number | SunTime): boolean {
  if (typeof from === "number")
    return from >= LATEST_MORNING_MIN && typeof to === "object" && !isEvening(to);
  if (typeof to === "number") return to <= (isEvening(from) ? LATEST_MORNING_MIN : SMALL_HOURS_MIN);
  // An hour after sunrise may come after an hour before sunset.
  return SUN_ORDER[from.event] > SUN_ORDER[to.event];
}

function isEvening({ event }: SunTime): boolean {
  return SUN_ORDER[event] >= SUN_ORDER.sunset;
}
