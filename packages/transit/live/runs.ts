/** Which run of the timetable an update is of (departures.md, Identity of a run). */
import { DAY_S } from "#kit/time.ts";
import { runsOn, utcDay } from "../timetable/service-calendar.ts";
import { lowerBound } from "#kit/sorted.ts";
import { durationOf, planOf, type FeedIndex, type TripPlan } from "./feed-index.ts";
import { NO_START } from "./live-layout.ts";
import type { LiveTrip } from "./live-model.ts";

export type Run = {
  plan: TripPlan;
  day: number;
  start_s: number;
  /** Start of the planned run whose place it takes, or NO_START. */
  key: number;
  /** The timetable promises no more than a headway. */
  isHeadway: boolean;
};

/** Run of an update that was known at a moment; a text: why there is none. */
export function findRun(index: FeedIndex, { trip, stops }: LiveTrip, at_s: number): Run | string {
  if (trip.trip_id === null) return "trip_without_id";
  const row = index.timetable.findTrip(trip.trip_id);
  if (row === null) return "unknown_trip";
  const start = startOf(index, planOf(index, row), trip.start_s);
  if (typeof start === "string") return start;
  if (trip.start_day === null) return nearest(index, start, firstTime(stops) ?? at_s);
  const run = { ...start, day: trip.start_day };
  if (!isRunning(index, run)) return "not_on_that_day";
  const begin_s = index.dayStart_s(run.day);
  if (begin_s === null) return "unknown_time_zone";
  const end_s = begin_s + run.start_s + durationOf(index, run.plan);
  return at_s - end_s > DAY_S ? "long_over" : run;
}

type Start = Omit<Run, "day">;

/** The start of a trip that frequencies repeat must be stated; that of another is its own. */
function startOf(index: FeedIndex, plan: TripPlan, stated_s: number | null): Start | string {
  if (!plan.isFrequent) return { plan, start_s: plan.start_s, key: plan.start_s, isHeadway: false };
  if (stated_s === null) return "frequency_without_start";
  const { columns } = index.timetable;
  const { frequency_trips, frequency_from, frequency_to, frequency_headways } = columns;
  let isExact = false;
  const first = lowerBound(frequency_trips, plan.trip);
  for (let row = first; frequency_trips[row] === plan.trip; row++) {
    isExact ||= columns.frequency_exact[row] === 1;
    const from_s = frequency_from[row]!;
    if (stated_s < from_s || stated_s >= frequency_to[row]!) continue;
    const headway_s = frequency_headways[row]!;
    const count = (stated_s - from_s) / headway_s;
    if (columns.frequency_exact[row] === 0) {
      const near_s = from_s + Math.round(count) * headway_s;
      const key = near_s < frequency_to[row]! ? near_s : near_s - headway_s;
      return { plan, start_s: stated_s, key, isHeadway: true };
    }
    if (Number.isInteger(count))
      return { plan, start_s: stated_s, key: stated_s, isHeadway: false };
  }
  return isExact ? "start_of_no_run" : { plan, start_s: stated_s, key: NO_START, isHeadway: true };
}

function isRunning({ timetable: { columns } }: FeedIndex, { plan, day }: Run): boolean {
  return runsOn(columns, columns.trip_services[plan.trip]!, day);
}

/** The day on which the trip runs nearest to a moment, and at most a day from it. */
function nearest(index: FeedIndex, start: Start, at_s: number): Run | string {
  const duration_s = durationOf(index, start.plan);
  const last = utcDay(at_s * 1000) + 2;
  let best: Run | string = "not_near";
  let least_s = DAY_S;
  const first = utcDay((at_s - start.start_s - duration_s) * 1000) - 2;
  for (let day = first; day <= last; day++) {
    const run = { ...start, day };
    const begin_s = index.dayStart_s(day);
    if (begin_s === null) return "unknown_time_zone";
    const from_s = begin_s + start.start_s;
    const distance_s = Math.max(0, from_s - at_s, at_s - from_s - duration_s);
    if (distance_s > least_s || !isRunning(index, run)) continue;
    if (distance_s === least_s && typeof best !== "string") continue;
    best = run;
    least_s = distance_s;
  }
  return best;
}

function firstTime(stops: LiveTrip["stops"]): number | null {
  for (const { arrival, departure } of stops) {
    const time_s = arrival?.time_s ?? departure?.time_s ?? null;
    if (time_s !== null) return time_s;
  }
  return null;
}
