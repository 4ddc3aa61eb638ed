/** The course of one local day under the rules: parts of a day, each with its state. */
import {
  CLOSED,
  type Day,
  DAY_MIN,
  type DateSelector,
  type Match,
  MAYBE,
  NO,
  NONE,
  OPEN,
  type Rule,
  type States,
  toDay,
  UNKNOWN,
  YES,
} from "#core/hours/model.ts";

export type Outcome = typeof CLOSED | typeof OPEN | typeof UNKNOWN;
/** From a minute of the day on; `rule` is the place of the one that decided. */
export type Part = { from: number; state: Outcome; rule: number | null; holidays_known: boolean };
/** In order; the first part begins at midnight. */
export type Plan = readonly Part[];

/** Set beside a state that an earlier day has left after midnight. */
const SPILLED = 16;

type Applied = { rule: Rule; index: number; today: Match; before: Match };

/** Returns the parts of a local day, counted from 1970-01-01. */
export function planDay(rules: readonly Rule[], day: number): Plan {
  const today = toDay(day);
  const before = toDay(day - 1);
  const applied: Applied[] = [];
  const edges = [0];
  for (const [index, rule] of rules.entries()) {
    const one: Applied = {
      rule,
      index,
      today: matchAll(rule.dates, today),
      before: rule.spills ? matchAll(rule.dates, before) : NO,
    };
    if (one.today === NO && one.before === NO) continue;
    applied.push(one);
    for (const { from, to } of rule.times ?? []) {
      if (one.today !== NO) edges.push(from, to);
      if (one.before !== NO && to > DAY_MIN) edges.push(from - DAY_MIN, to - DAY_MIN);
    }
  }
  edges.sort((a, b) => a - b);
  const parts: Part[] = [];
  let last = -1;
  for (const edge of edges) {
    if (edge <= last || edge < 0 || edge >= DAY_MIN) continue;
    last = edge;
    parts.push(partOf(applied, edge));
  }
  return parts;
}

function partOf(applied: readonly Applied[], minute: number): Part {
  let states: States = NONE;
  let decisive: number | null = null;
  for (const one of applied) {
    const next = apply(one, states, minute);
    if (next !== states || covers(one, minute)) decisive = one.index;
    states = next;
  }
  const bare = (states & ~(SPILLED | NONE)) | (states & NONE ? CLOSED : 0);
  const known = bare === CLOSED || bare === OPEN || bare === UNKNOWN;
  const state = bare === CLOSED || bare === OPEN ? bare : UNKNOWN;
  return { from: minute, state, rule: decisive, holidays_known: known };
}

/** The states that remain possible after a rule, given those before it. */
function apply({ rule, today, before }: Applied, states: States, minute: number): States {
  let result = states;
  if (today !== NO) {
    const own = stateAt(rule, minute);
    const replaced = replace(rule, result, own);
    result = today === YES ? replaced : result | replaced;
  }
  if (before !== NO) {
    const own = stateAt(rule, minute + DAY_MIN);
    if (own !== NONE) result = before === YES ? own | SPILLED : result | own | SPILLED;
  }
  return result;
}

function replace({ kind, state }: Rule, states: States, own: States): States {
  if (kind === "fallback") {
    const open = states & ~(NONE | CLOSED);
    return own === NONE || !(states & (NONE | CLOSED)) ? states : open | own;
  }
  if (own !== NONE) return own;
  if (kind === "additional" || state === CLOSED) return states;
  // What the night before has left is overwritten by the letter, and seldom meant to be.
  return states & SPILLED ? UNKNOWN : NONE;
}

function covers({ rule, today, before }: Applied, minute: number): boolean {
  return (
    (today !== NO && stateAt(rule, minute) !== NONE) ||
    (before !== NO && stateAt(rule, minute + DAY_MIN) !== NONE)
  );
}

/** The state of a rule at a minute after the midnight at which its day begins. */
function stateAt({ state, times }: Rule, minute: number): States {
  if (!times) return minute < DAY_MIN ? state : NONE;
  let found = NONE;
  for (const span of times)
    if (span.from <= minute && minute < span.to && found !== OPEN) found = span.state;
  return found;
}

function matchAll(dates: readonly DateSelector[], day: Day): Match {
  let least: Match = YES;
  for (const selector of dates) {
    const match = matchOne(selector, day);
    if (match === NO) return NO;
    if (match === MAYBE) least = MAYBE;
  }
  return least;
}

function matchOne(selector: DateSelector, day: Day): Match {
  return selector.mask & (1 << day.weekday) ? YES : NO;
}
