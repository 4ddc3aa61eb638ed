/** Trips that go on as others, riders in them: their columns, and as which a run does (departures.md, Continuations). */
import { lowerBound } from "#kit/sorted.ts";
import { DAY_S } from "#kit/time.ts";
import { runsOn } from "./service-calendar.ts";
import { NO_PLACE, type TimetableDraft } from "./timetable-draft.ts";
import { UNTIMED, type TimetableColumns } from "./timetable-layout.ts";
import { profileOf } from "./timetable.ts";

/** A trip on a service day, days since 1970-01-01. */
export type TripDay = { trip: number; day: number };

const MOST_WAIT_S = 2 * 3_600;
/** Trips that one may go on as: one for each kind of day, as a rule. */
const MOST_LOOKED = 200;

type ContinuationColumns = Pick<TimetableColumns, "continuation_trips" | "continuation_to">;

/** In the order in which they are searched. `places`: the trip of each of the draft's; NONE: left out. */
export function packContinuations(
  { continuations }: Pick<TimetableDraft, "continuations">,
  places: Int32Array,
): ContinuationColumns {
  const stored = continuations
    .map(({ from, to }) => ({ from: places[from]!, to: places[to]! }))
    .filter(({ from, to }) => from !== NO_PLACE && to !== NO_PLACE)
    .sort((a, b) => a.from - b.from || a.to - b.to);
  return {
    continuation_trips: Uint32Array.from(stored, ({ from }) => from),
    continuation_to: Uint32Array.from(stored, ({ to }) => to),
  };
}

/** null: it does not go on, or it is open as which: the vehicle is divided, or repeats. */
export function findContinuation(columns: TimetableColumns, run: TripDay): TripDay | null {
  const { continuation_trips, continuation_to } = columns;
  const first = lowerBound(continuation_trips, run.trip);
  if (continuation_trips[first] !== run.trip) return null;
  const end_s = endOf(columns, run.trip);
  if (end_s === null) return null;
  let day: TripDay | null = null;
  for (let row = first; row < first + MOST_LOOKED && continuation_trips[row] === run.trip; row++) {
    const next = startOf(columns, continuation_to[row]!, { day: run.day, from_s: end_s });
    if (next === null) continue;
    if (day !== null) return null;
    day = next;
  }
  return day;
}

/** Arrival at the last call, seconds of the service day; null: it has no time, or many. */
function endOf(columns: TimetableColumns, trip: number): number | null {
  const { profile_starts, profile_departures, profile_dwells, profile_frequent } = columns;
  const profile = profileOf(columns, trip);
  const last = profile_starts[profile + 1]! - 1;
  if (profile_frequent[profile] === 1 || profile_departures[last] === UNTIMED) return null;
  return columns.trip_starts_s[trip]! + profile_departures[last]! - profile_dwells[last]!;
}

/** The run of a trip that begins soon after a time of a service day; null: there is none. */
function startOf(
  columns: TimetableColumns,
  trip: number,
  { day, from_s }: { day: number; from_s: number },
): TripDay | null {
  if (columns.profile_frequent[profileOf(columns, trip)] === 1) return null;
  // Around midnight it may be a trip of the next service day, or still of the one before.
  for (const later of [0, 1, -1]) {
    const wait_s = columns.trip_starts_s[trip]! + later * DAY_S - from_s;
    const isSoon = wait_s >= 0 && wait_s <= MOST_WAIT_S;
    if (isSoon && runsOn(columns, columns.trip_services[trip]!, day + later))
      return { trip, day: day + later };
  }
  return null;
}
