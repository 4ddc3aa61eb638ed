/**
 * Opening hours of a place as its source publishes them, and its state at a moment
 * (docs/design/places.md, "Usable now"). Plain JSON, since places are kept and passed on as such.
 */
import { DAY_MINUTES, toPeriodEnd } from "#kit/time.ts";
import type { OpenState } from "#hours/hours.ts";
import type { Dated, Weekly } from "#hours/weekly.ts";

/** With neither `text` nor `weekly`, hours are published in a form that cannot be read. */
export type Opening = {
  /** IANA name of the zone of the hours, as the source states it; absent: that of the place. */
  time_zone?: string;
  /** In the grammar of the open map. */
  text?: string;
  /** Periods of every week, each within a day. */
  weekly?: Weekly;
  /** Hours of single dates, each within its day, which go before those of `weekly`. */
  dated?: Dated;
  /** Spans in which the source says otherwise; where they overlap, closings decide. */
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
 * Returns the state at a moment, and until when it lasts. What the source says of now goes before its
 * hours, if now is asked for; its exceptions go before its hours always, closings before openings.
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
  if (exceptions.length === 0) return evaluated;
  const layers: Layers = { exceptions, evaluate: (when_ms) => evaluate(opening, when_ms) };
  const first = segmentAt(layers, at_ms);
  const until_ms = endOf(layers, first);
  if (first.is_exception) return { ...NOTHING_KNOWN, state: first.state, until_ms };
  return { ...evaluated, until_ms };
}

type Exceptions = NonNullable<Opening["exceptions"]>;
type Layers = { exceptions: Exceptions; evaluate(at_ms: number): OpenState | null };
/** A span in which one exception, or the hours between two, decide. */
type Segment = Pick<OpenState, "state"> & { end_ms: number; is_exception: boolean };

function segmentAt({ exceptions, evaluate }: Layers, at_ms: number): Segment {
  const holding = exceptions.filter(
    ({ from_ms, until_ms }) => from_ms <= at_ms && at_ms < until_ms,
  );
  const edges = exceptions.flatMap(({ from_ms, until_ms }) => [from_ms, until_ms]);
  const edge_ms = Math.min(...edges.filter((each) => each > at_ms), Number.POSITIVE_INFINITY);
  if (holding.length > 0) {
    const state = holding.some((each) => each.state === "closed") ? "closed" : "open";
    return { state, end_ms: edge_ms, is_exception: true };
  }
  const { state, until_ms } = evaluate(at_ms) ?? NOTHING_KNOWN;
  const end_ms = Math.min(edge_ms, until_ms ?? Number.POSITIVE_INFINITY);
  return { state, end_ms, is_exception: false };
}

/** Spans that are walked through for the end of a state. */
const MOST_SEGMENTS = 64;

/** When another state begins; null: never, or it is not known. */
function endOf(layers: Layers, first: Segment): number | null {
  let segment = first;
  for (let walked = 0; walked < MOST_SEGMENTS; walked++) {
    const { end_ms } = segment;
    if (end_ms === Number.POSITIVE_INFINITY) return null;
    segment = segmentAt(layers, end_ms);
    // What is known of a place may begin with an exception, but it does not end with one.
    if (segment.state === "unknown") return null;
    if (segment.state !== first.state) return end_ms;
  }
  return null;
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

/**
 * Splits a period that begins on a day (0: Monday) into periods of single days; null: it is none, or
 * longer than a week. `until_min` counts from the midnight before it begins.
 */
export function toDays(day: number, from_min: number, until_min: number): Weekly | null {
  const to_min = toPeriodEnd(until_min);
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
