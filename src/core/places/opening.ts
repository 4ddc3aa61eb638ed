/**
 * Opening hours of a place as its source publishes them, and its state at a moment
 * (docs/design/places.md, "Usable now"). Plain JSON, since places are kept and passed on as such.
 */
import type { OpenState } from "#core/hours/hours.ts";
import type { Dated, Weekly } from "#core/hours/weekly.ts";

const DAY_MINUTES = 1_440;

/** With neither `text` nor `weekly`, hours are published in a form that cannot be read. */
export type Opening = {
  /** In the grammar of the open map. */
  text?: string;
  /** Periods of every week, each within a day. */
  weekly?: Weekly;
  /** Hours of single dates, each within its day, which go before those of `weekly`. */
  dated?: Dated;
  /** Spans in which the source says otherwise, the first that holds the moment decides. */
  exceptions?: readonly { state: "open" | "closed"; from_ms: number; until_ms: number }[];
  /** What the source says of the moment of its answer. */
  now?: { state: "open" | "closed"; until_ms: number | null };
};

/** Evaluates the hours of an opening at a moment; null: they cannot be read. */
export type EvaluateOpening = (opening: Opening, at_ms: number) => OpenState | null;

/** Nothing is known: no hours, or none that can be read. */
const NOTHING_KNOWN: OpenState = {
  state: "unknown",
  until_ms: null,
  rule: null,
  holidays_known: true,
};

/**
 * Returns the state at a moment. What the source says of now goes before its hours, if now is asked
 * for; its exceptions go before its hours always.
 */
export function openStateOf(
  opening: Opening | undefined,
  { at_ms, is_now }: { at_ms: number; is_now: boolean },
  evaluate: EvaluateOpening,
): OpenState {
  if (!opening) return NOTHING_KNOWN;
  const { exceptions = [], now } = opening;
  const evaluated = evaluate(opening, at_ms) ?? NOTHING_KNOWN;
  if (is_now && now) return stated(now, evaluated, at_ms);
  const exception = exceptions.find(
    ({ from_ms, until_ms }) => from_ms <= at_ms && at_ms < until_ms,
  );
  if (exception) {
    const { state, until_ms } = exception;
    // What follows may be the same state: then this is no end of it.
    const after = evaluate(opening, until_ms) ?? NOTHING_KNOWN;
    const ends = after.state !== state && after.state !== "unknown";
    return { ...NOTHING_KNOWN, state, until_ms: ends ? until_ms : null };
  }
  return cutAt(evaluated, exceptions, at_ms);
}

/** The end that the hours give holds only where they agree with what is said of now. */
function stated(
  { state, until_ms }: NonNullable<Opening["now"]>,
  evaluated: OpenState,
  at_ms: number,
): OpenState {
  // It has ended since the source answered.
  if (until_ms !== null && until_ms <= at_ms) return evaluated;
  if (evaluated.state !== state) return { ...NOTHING_KNOWN, state, until_ms };
  return { ...evaluated, until_ms: until_ms ?? evaluated.until_ms };
}

/** Where an exception of another state begins before the end of the state, it is that end. */
function cutAt(
  found: OpenState,
  exceptions: NonNullable<Opening["exceptions"]>,
  at_ms: number,
): OpenState {
  const { state, until_ms } = found;
  const end_ms = until_ms ?? Number.POSITIVE_INFINITY;
  const next = exceptions
    .filter(({ from_ms }) => from_ms > at_ms && from_ms <= end_ms)
    .toSorted((a, b) => a.from_ms - b.from_ms)[0];
  if (!next) return found;
  // At its end the same state goes on: until when is not looked for.
  return { ...found, until_ms: next.state === state ? null : next.from_ms };
}

/**
 * Splits a period that begins on a day (0: Monday) into periods of single days; null: it is none, or
 * longer than a week. `to_min` counts from the midnight before it begins.
 */
export function toDays(day: number, from_min: number, to_min: number): Weekly | null {
  const isPeriod = from_min >= 0 && from_min < DAY_MINUTES && to_min > from_min;
  if (!isPeriod || to_min - from_min > 7 * DAY_MINUTES) return null;
  if (!Number.isInteger(day) || day < 0 || day > 6) return null;
  const days: Weekly = [];
  for (let at = 0; at * DAY_MINUTES < to_min; at++) {
    const [from, to] = [from_min - at * DAY_MINUTES, to_min - at * DAY_MINUTES];
    days.push({
      day: ((day + at) % 7) as Weekly[number]["day"],
      from_min: Math.max(0, from),
      to_min: Math.min(DAY_MINUTES, to),
    });
  }
  return days;
}

/** Every day of the week, from midnight to midnight. */
export const ALWAYS: Opening = { text: "24/7" };
