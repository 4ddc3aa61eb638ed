/**
 * Departures or arrivals of a station between two moments: the timetable's, and what a realtime feed
 * makes of them. Where the feed is silent or old, nothing is expected (departures.md, Age).
 */
import type { Budget } from "#kit/budget.ts";
import { readText } from "#kit/bytes.ts";
import { type OpenFeed, WHEELCHAIRS } from "./feed-pack.ts";
import {
  alertsOf,
  continuesOf,
  type Departure,
  type DepartureQuery,
  isFresh,
  type LiveView,
  openView,
  runInPlaceOf,
  type View,
} from "./departure-view.ts";
import { EVENT, NO_VALUE, NO_START, NO_TIME, RUN } from "../live/live-layout.ts";
import type { LiveTable } from "../live/live-table.ts";
import type { TripDay } from "../timetable/continuation.ts";
import { CALL } from "../timetable/timetable-draft.ts";
import { NO_TEXT } from "../timetable/timetable-layout.ts";
import type { PlannedCall } from "../timetable/timetable.ts";

/** A departure as it is found: what it is ordered and merged by, and the rest when it is shown. */
export type FoundCall = Pick<
  Departure,
  "route" | "headsign" | "planned_ms" | "expected_ms" | "realtime" | "status" | "day"
> & {
  /** Place among the calls of the trip; null: the run is not that of the timetable. */
  position: number | null;
  /** Decide between departures of one time and route. */
  trip: number;
  stop: number;
  read(): Departure;
};

/** The feed as it is asked. `live`: undefined without a realtime feed, null while nothing is known from it. */
export type AskedFeed = { feed: OpenFeed; live: LiveTable | null | undefined };

/**
 * In no order, as far as the budget goes: events of the realtime feed are looked at and kept like
 * planned calls. null: the departures of the feed are not known. In steps.
 */
export function* findDepartures(
  { feed: { timetable }, live }: AskedFeed,
  query: DepartureQuery,
  budget: Budget,
): Generator<void, FoundCall[] | null> {
  if (timetable === null) return null;
  const calls: FoundCall[] = [];
  const view: View = { timetable, hasFeed: live !== undefined, query };
  const liveView = live ? openView(view, live) : null;
  const isSettled = (run: TripDay & { start_s: number }): boolean =>
    liveView === null || runInPlaceOf(liveView, run) === null;
  const wish = { ...query, edge: query.edge ? { ...query.edge, isSettled } : null };
  for (const [i, call] of timetable.list(query.station, wish, budget).entries()) {
    if (i % STEP_CALLS === STEP_CALLS - 1) yield;
    const planned = toPlanned(view, liveView, call);
    if (planned !== null) calls.push(planned);
  }
  if (liveView) addEvents(liveView, calls, budget);
  return calls;
}

const STEP_CALLS = 2_000;

/** The order in which departures of one station are listed: time, line and trip. */
export function compareCalls(a: FoundCall, b: FoundCall): number {
  return (
    (a.expected_ms ?? a.planned_ms!) - (b.expected_ms ?? b.planned_ms!) ||
    (a.route ?? NO_VALUE) - (b.route ?? NO_VALUE) ||
    a.trip - b.trip ||
    a.stop - b.stop
  );
}

/** null where a run that the feed knows takes its place; a cancelled one does so where it would call. */
function toPlanned(view: View, liveView: LiveView | null, call: PlannedCall): FoundCall | null {
  const run = liveView ? runInPlaceOf(liveView, call) : null;
  if (run !== null && liveView!.live.columns.run_status[run] !== RUN.cancelled) return null;
  return new PlannedDeparture(liveView ?? view, call, run);
}

/** A call of the timetable; `run`: the cancelled one that takes its place. */
class PlannedDeparture implements FoundCall {
  readonly trip: number;
  readonly stop: number;
  readonly day: number;
  readonly position: number;
  readonly route: number;
  readonly planned_ms: number;
  readonly expected_ms = null;
  readonly realtime: Departure["realtime"];
  readonly status: Departure["status"];
  readonly #view: View | LiveView;
  readonly #call: PlannedCall;
  readonly #run: number | null;

  constructor(view: View | LiveView, call: PlannedCall, run: number | null) {
    this.#view = view;
    this.#call = call;
    this.#run = run;
    this.trip = call.trip;
    this.stop = call.stop;
    this.day = call.day;
    this.position = call.position;
    this.route = view.timetable.columns.pattern_routes[call.pattern]!;
    this.planned_ms = call.planned_ms;
    const isPromise = call.headway_s !== null || !view.hasFeed;
    this.realtime = run !== null ? "live" : isPromise ? "planned_only" : "unknown";
    this.status = run !== null ? "cancelled" : "scheduled";
  }

  get headsign(): string | null {
    return this.#view.timetable.headsign(this.#call.trip, this.#call.position);
  }

  read(): Departure {
    return readPlanned(this.#view, this.#call, { realtime: this.realtime, run: this.#run });
  }
}

/** `run`: the cancelled one that takes its place; null: none does. */
type State = Pick<Departure, "realtime"> & { run: number | null };

function readPlanned(
  view: View | LiveView,
  call: PlannedCall,
  { realtime, run }: State,
): Departure {
  const { timetable } = view;
  const { columns } = timetable;
  const flags = columns.pattern_flags[columns.pattern_starts[call.pattern]! + call.position]!;
  const facts = timetable.trip(call.trip);
  const platform = timetable.platform(call.stop);
  return {
    trip_id: facts.id,
    day: call.day,
    start_s: call.start_s,
    stop_id: timetable.stopId(call.stop),
    station: view.query.station,
    route: facts.route,
    headsign: timetable.headsign(call.trip, call.position),
    planned_ms: call.planned_ms,
    expected_ms: null,
    delay_s: null,
    realtime,
    observed_s: run === null || !("live" in view) ? null : view.live.columns.run_observed[run]!,
    status: run === null ? "scheduled" : "cancelled",
    platform: platform === null ? null : { planned: platform, live: null },
    headway_s: call.headway_s,
    approximate: call.headway_s !== null || (flags & CALL.approximate) !== 0,
    wheelchair: WHEELCHAIRS[facts.wheelchair]!,
    continues: run === null ? continuesOf(view, call) : null,
    alerts: alertsOf(view, { ...call, route: facts.route }),
  };
}

function addEvents(view: LiveView, calls: FoundCall[], budget: Budget): void {
  const { station_stops, station_stop_starts } = view.timetable.columns;
  const { event_starts } = view.live.columns;
  const { station } = view.query;
  for (let i = station_stop_starts[station]!; i < station_stop_starts[station + 1]!; i++) {
    const stop = station_stops[i]!;
    for (let event = event_starts[stop]!; event < event_starts[stop + 1]!; event++) {
      if (budget.isSpent || !budget.look()) return;
      if (!isListed(view, event)) continue;
      if (!budget.keep()) return;
      calls.push(new EventDeparture(view, stop, event));
    }
  }
}

/** By when it is expected, or else planned; a call that is skipped, by its plan. */
function isListed(view: LiveView, event: number): boolean {
  const { live, query } = view;
  const flags = live.columns.event_flags[event]!;
  const other = query.kind === "departures" ? EVENT.no_departure : EVENT.no_arrival;
  const run = live.columns.event_runs[event]!;
  if ((flags & other) !== 0 || !isFresh(view, run)) return false;
  if (query.routes && query.routes[live.columns.run_routes[run]!] !== 1) return false;
  const [planned, expected] = [view.planned[event]!, view.expected[event]!];
  const time = (flags & EVENT.skipped) !== 0 || expected === NO_TIME ? planned : expected;
  return time !== NO_TIME && time * 1000 >= query.from_ms && time * 1000 < query.to_ms;
}

/** A call that the feed speaks of. */
class EventDeparture implements FoundCall {
  readonly trip: number;
  readonly stop: number;
  readonly day: number | null;
  readonly position: number | null;
  readonly route: number | null;
  readonly planned_ms: number | null;
  readonly expected_ms: number | null;
  readonly realtime: Departure["realtime"];
  readonly status: Departure["status"];
  readonly #view: LiveView;
  readonly #event: number;

  constructor(view: LiveView, stop: number, event: number) {
    const { columns } = view.live;
    const run = columns.event_runs[event]!;
    const isSkipped = (columns.event_flags[event]! & EVENT.skipped) !== 0;
    const [planned, expected] = [view.planned[event]!, view.expected[event]!];
    const isExpected = expected !== NO_TIME && !isSkipped;
    const route = columns.run_routes[run]!;
    const isAdded = columns.run_status[run] === RUN.added;
    this.#view = view;
    this.#event = event;
    this.trip = columns.run_trips[run]!;
    this.stop = stop;
    const day = columns.run_days[run]!;
    this.day = day === NO_START ? null : day;
    const isOfTrip = this.trip !== NO_VALUE && columns.event_planned_stops[event] !== NO_VALUE;
    this.position = isOfTrip ? columns.event_positions[event]! : null;
    this.route = route === NO_VALUE ? null : route;
    this.planned_ms = planned === NO_TIME ? null : planned * 1000;
    this.expected_ms = isExpected ? expected * 1000 : null;
    this.realtime = isExpected || isSkipped ? "live" : "unknown";
    this.status = isSkipped ? "skipped" : isAdded ? "added" : "scheduled";
  }

  get headsign(): string | null {
    return headsignOf(this.#view, this.#event);
  }

  read(): Departure {
    return readEvent(this.#view, this, this.#event);
  }
}

function readEvent(view: LiveView, departure: EventDeparture, event: number): Departure {
  const { timetable, live } = view;
  const { columns } = live;
  const run = columns.event_runs[event]!;
  const flags = columns.event_flags[event]!;
  const trip = columns.run_trips[run]!;
  const facts = trip === NO_VALUE ? null : timetable.trip(trip);
  const { stop, day, realtime, status, route, planned_ms, expected_ms } = departure;
  const isBoth = planned_ms !== null && expected_ms !== null;
  const start_s = columns.run_starts[run]!;
  return {
    trip_id: live.text(columns.run_ids[run]!) ?? facts!.id,
    day,
    start_s: start_s === NO_START ? null : start_s,
    stop_id: timetable.stopId(stop),
    station: view.query.station,
    route,
    headsign: headsignOf(view, event),
    planned_ms,
    expected_ms,
    delay_s: isBoth ? Math.round((expected_ms - planned_ms) / 1000) : null,
    realtime,
    observed_s: realtime === "live" ? columns.run_observed[run]! : null,
    status,
    platform: platformOf(view, stop, event),
    headway_s: null,
    approximate: (flags & EVENT.approximate) !== 0,
    wheelchair: facts === null ? "unknown" : WHEELCHAIRS[facts.wheelchair]!,
    continues:
      columns.run_status[run] === RUN.scheduled
        ? continuesOf(view, { trip, day: columns.run_days[run]! })
        : null,
    alerts: alertsOf(view, {
      ...{ trip, start_s, stop },
      day: columns.run_days[run]!,
      route: columns.run_routes[run]!,
    }),
  };
}

function platformOf({ timetable, live }: LiveView, stop: number, event: number) {
  const { event_planned_stops, event_flags } = live.columns;
  const planned_stop = event_planned_stops[event]!;
  const planned = planned_stop === NO_VALUE ? null : timetable.platform(planned_stop);
  const isNamed = (event_flags[event]! & EVENT.has_live_stop) !== 0;
  const match = isNamed ? timetable.platform(stop) : null;
  return planned === null && match === null ? null : { planned, live: match };
}

/** What the feed says of the call, or of the run; else what the timetable says of them. */
function headsignOf({ timetable, live }: LiveView, event: number): string | null {
  const { columns } = live;
  const run = columns.event_runs[event]!;
  const headsign =
    live.text(columns.event_headsigns[event]!) ?? live.text(columns.run_headsigns[run]!);
  const trip = columns.run_trips[run]!;
  if (headsign !== null || trip === NO_VALUE) return headsign;
  if (columns.event_planned_stops[event] !== NO_VALUE)
    return timetable.headsign(trip, columns.event_positions[event]!);
  const { trip_headsigns, texts, text_starts } = timetable.columns;
  const text = trip_headsigns[trip]!;
  return text === NO_TEXT ? null : readText({ bytes: texts, offsets: text_starts }, text);
}
