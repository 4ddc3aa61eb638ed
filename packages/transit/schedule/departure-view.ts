/** Departures, what is asked of them, and a timetable with the newest live data of its feed as one question sees them. */
import { RUN } from "../live/live-layout.ts";
import type { LiveTable } from "../live/live-table.ts";
import { findContinuation, type TripDay } from "../timetable/continuation.ts";
import type { ServiceEdge } from "../timetable/edge-calls.ts";
import type { CallKind, Timetable } from "../timetable/timetable.ts";
import type { Wheelchair } from "./station.ts";

export type Departure = {
  trip_id: string;
  /** Service day, days since 1970-01-01; null: not stated. */
  day: number | null;
  /** First departure of the run as planned, seconds of its service day. */
  start_s: number | null;
  stop_id: string;
  /** Row of the station. */
  station: number;
  /** Place in the routes of the feed. */
  route: number | null;
  headsign: string | null;
  planned_ms: number | null;
  expected_ms: number | null;
  delay_s: number | null;
  /** `unknown`: there is a realtime feed, and it says nothing of this one, or is old. */
  realtime: "live" | "planned_only" | "unknown";
  /** When the feed knew it, epoch s; null: it is not live. */
  observed_s: number | null;
  status: "scheduled" | "cancelled" | "skipped" | "added";
  platform: { planned: string | null; live: string | null } | null;
  /** Seconds between runs, where only that is promised. */
  headway_s: number | null;
  approximate: boolean;
  wheelchair: Wheelchair;
  /** As what the run goes on, riders in it: place in the routes, and headsign. null: it does not, or it is unknown. */
  continues: { route: number; headsign: string | null } | null;
  /** Ids of the alerts that are to be shown now. */
  alerts: string[];
};

export type DepartureQuery = {
  /** Row of the station. */
  station: number;
  kind: CallKind;
  /** From (inclusive) to (exclusive), epoch ms. */
  from_ms: number;
  to_ms: number;
  now_ms: number;
  /** What a realtime feed knew longer ago than this is not used. */
  max_age_s: number;
  /** By place in the routes of the feed, 1 where it is wanted; null or absent: all. */
  routes?: Uint8Array | null;
  /** Only the outermost departures of a service day, by line and headsign; live ones are listed all. */
  edge?: ServiceEdge | null;
};

export type View = { timetable: Timetable; hasFeed: boolean; query: DepartureQuery };
export type LiveView = View & {
  live: LiveTable;
  /** Departures or arrivals of the events, as the query wants them; epoch s, or NO_TIME. */
  planned: Uint32Array;
  expected: Uint32Array;
  /** What was observed before is not used; epoch s. */
  oldest_s: number;
};

export function openView(view: View, live: LiveTable): LiveView {
  const { kind, now_ms, max_age_s } = view.query;
  const { columns } = live;
  const isDeparture = kind === "departures";
  return {
    ...view,
    live,
    planned: isDeparture ? columns.event_planned_departures : columns.event_planned_arrivals,
    expected: isDeparture ? columns.event_departures : columns.event_arrivals,
    oldest_s: now_ms / 1000 - max_age_s,
  };
}

/** The run that takes the place of a planned one: rather one that takes place than a cancelled one. */
export function runInPlaceOf(
  view: LiveView,
  planned: TripDay & { start_s: number },
): number | null {
  const { trip, day, start_s } = planned;
  const { trip_run_starts, run_days, run_keys, run_status } = view.live.columns;
  const last = trip_run_starts[trip + 1]!;
  let low = trip_run_starts[trip]!;
  let high = last;
  // In order of their days and keys.
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((run_days[middle]! - day || run_keys[middle]! - start_s) < 0) low = middle + 1;
    else high = middle;
  }
  let match: number | null = null;
  const end = Math.min(last, low + MOST_RUNS);
  for (let run = low; run < end && run_days[run] === day && run_keys[run] === start_s; run++) {
    if (!isFresh(view, run)) continue;
    if (run_status[run] !== RUN.cancelled) return run;
    match = run;
  }
  return match;
}

/** Runs that a feed may state in place of one: some, where only a headway is promised. */
const MOST_RUNS = 64;

export function isFresh({ live, oldest_s }: LiveView, run: number): boolean {
  return live.columns.run_observed[run]! >= oldest_s;
}

/** Not as a run that does not take place as planned. */
export function continuesOf(view: View | LiveView, run: TripDay): Departure["continues"] {
  const { timetable } = view;
  const next = findContinuation(timetable.columns, run);
  if (next === null) return null;
  const { trip, day } = next;
  if ("live" in view) {
    const start_s = timetable.columns.trip_starts_s[trip]!;
    const other = runInPlaceOf(view, { trip, day, start_s });
    if (other !== null && view.live.columns.run_status[other] !== RUN.scheduled) return null;
  }
  return { route: timetable.trip(trip).route, headsign: timetable.headsign(trip, 0) };
}

type AboutCall = { trip: number; day: number; start_s: number; route: number; stop: number };

export function alertsOf(view: View | LiveView, call: AboutCall): string[] {
  if (!("live" in view)) return [];
  const { live, query } = view;
  const alerts = new Set<number>();
  live.addAlerts({ ...call, station: query.station }, Math.floor(query.now_ms / 1000), alerts);
  return [...alerts].sort((a, b) => a - b).map((alert) => live.alertId(alert));
}
