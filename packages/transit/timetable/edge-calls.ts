/**
 * First and last calls of a service day (departures.md, First and last): of each profile only the
 * outermost run is kept, for each text that the vehicle shows, so that a day costs little more than
 * an hour.
 */
import type { Budget } from "#kit/budget.ts";
import { lowerBound } from "#kit/sorted.ts";
import { runsOn } from "./service-calendar.ts";
import { NO_TEXT, type TimetableColumns, type TimetableMeta } from "./timetable-layout.ts";

/** Which runs of a service day (days since 1970-01-01) are wanted. */
export type ServiceEdge = { edge: "first" | "last"; day: number };

/** `isSettled`: whether a run goes as planned for all that is known; the next one is kept as well where it does not. */
export type EdgeWish = ServiceEdge & {
  isSettled: (run: { trip: number; day: number; start_s: number }) => boolean;
};

/** A service day, and the span of its seconds that is wanted. */
export type DaySpan = { day: number; start_ms: number; from_s: number; to_s: number };

/** A trip on a service day; `delta_s`: from its first departure to the call. */
export type Run = {
  trip: number;
  day: number;
  start_s: number;
  delta_s: number;
  start_ms: number;
  headway_s: number | null;
};

/**
 * Seconds after which a service day begins. What runs in the night is of the day before, whether its
 * publisher writes it as 25:10 of that day or as 01:10 of the next.
 */
export const DAY_BEGINS_S: number = 4 * 3_600;

/** The spans of a timetable's days that make one service day of the place. */
export function spansOfDay(
  { max_time_s, days }: TimetableMeta,
  day: number,
  begin_ms: (day: number) => number | null,
): DaySpan[] {
  if (days === null) return [];
  const spans = [
    { day, from_s: DAY_BEGINS_S, to_s: max_time_s + 1 },
    // Times that go backwards begin before their day.
    { day: day + 1, from_s: Number.NEGATIVE_INFINITY, to_s: DAY_BEGINS_S },
  ];
  return spans.flatMap((span) => {
    const start_ms = days[0] <= span.day && span.day <= days[1] ? begin_ms(span.day) : null;
    return start_ms === null ? [] : [{ ...span, start_ms }];
  });
}

/** The service day of a call, by the day of its timetable and the seconds since that began. */
export function serviceDayOf(day: number, call_s: number): number {
  return call_s < DAY_BEGINS_S ? day - 1 : day;
}

type Visit = {
  profile: number;
  delta_s: number;
  days: readonly DaySpan[];
  /** The call has a headsign of its own, so that all runs show the same. */
  isOneText: boolean;
};

/** `keep` returns false where no more may be kept. */
type Keeping = { budget: Budget; keep: (run: Run) => boolean };

/** The outermost runs of a profile that does not repeat. */
export function listEdgeTrips(
  columns: TimetableColumns,
  { profile, delta_s, days, isOneText }: Visit,
  { edge, isSettled }: EdgeWish,
  { budget, keep }: Keeping,
): void {
  const { profile_trips, trip_starts_s, trip_services, trip_headsigns } = columns;
  const [begin, end] = [profile_trips[profile]!, profile_trips[profile + 1]!];
  for (const { day, start_ms, from_s, to_s } of days) {
    const low = lowerBound(trip_starts_s, from_s - delta_s, begin, end);
    const high = lowerBound(trip_starts_s, to_s - delta_s, low, end);
    if (!budget.look(1 + ((high - low) >> SKIPS_A_LOOK))) return;
    const settled = new Set<number>();
    for (let i = 0; i < high - low; i++) {
      const trip = edge === "first" ? low + i : high - 1 - i;
      const text = isOneText ? NO_TEXT : trip_headsigns[trip]!;
      if (settled.has(text)) continue;
      if (!budget.look()) return;
      if (!runsOn(columns, trip_services[trip]!, day)) continue;
      const run = { trip, day, start_s: trip_starts_s[trip]!, delta_s, start_ms, headway_s: null };
      if (!keep(run)) return;
      if (!isSettled(run)) continue;
      if (isOneText) break;
      settled.add(text);
    }
  }
}

/** Trips, as a power of two, that cost as much as one that is looked at when they are passed over. */
const SKIPS_A_LOOK = 6;

/** The outermost runs of a trip that repeats, of each row of frequencies.txt. */
export function listEdgeRepeats(
  columns: TimetableColumns,
  { trip, delta_s, days }: Pick<Visit, "delta_s" | "days"> & { trip: number },
  { edge, isSettled }: EdgeWish,
  { budget, keep }: Keeping,
): void {
  const { frequency_trips, frequency_from, frequency_to, frequency_headways } = columns;
  const service = columns.trip_services[trip]!;
  for (let row = lowerBound(frequency_trips, trip); frequency_trips[row] === trip; row++) {
    const every_s = frequency_headways[row]!;
    const headway_s = columns.frequency_exact[row] === 1 ? null : every_s;
    for (const { day, start_ms, from_s, to_s } of days) {
      if (!budget.look()) return;
      const begin_s = frequency_from[row]!;
      const skipped = Math.max(0, Math.ceil((from_s - delta_s - begin_s) / every_s));
      const first_s = begin_s + skipped * every_s;
      const count = Math.ceil((Math.min(frequency_to[row]!, to_s - delta_s) - first_s) / every_s);
      if (count <= 0 || !runsOn(columns, service, day)) continue;
      for (let i = 0; i < count; i++) {
        const start_s = first_s + (edge === "first" ? i : count - 1 - i) * every_s;
        const run = { trip, day, start_s, delta_s, start_ms, headway_s };
        if (!budget.look() || !keep(run)) return;
        if (isSettled(run)) break;
      }
    }
  }
}
