/**
 * Departures or arrivals of a station between two moments: the timetable's, and what a realtime feed
 * makes of them. Where the feed is silent or old, nothing is expected (departures.md, Age).
 */
import type { Budget } from "#kit/budget.ts";
import { readText } from "#kit/bytes.ts";
import { type OpenFeed, WHEELCHAIRS } from "./feed-pack.ts";
import type { Wheelchair } from "./station.ts";
import { EVENT, NO_VALUE, NO_START, NO_TIME, RUN } from "../live/live-layout.ts";
import type { LiveTable } from "../live/live-table.ts";
import { findContinuation, type TripDay } from "../timetable/continuation.ts";
import { CALL } from "../timetable/timetable-draft.ts";
import { NO_TEXT } from "../timetable/timetable-layout.ts";
import type { CallKind, PlannedCall, Timetable } from "../timetable/timetable.ts";

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

/** A departure as it is found: what it is ordered and merged by, and the rest when it is shown. */
export type FoundCall = Pick<
  Departure,
  "route" | "headsign" | "planned_ms" | "expected_ms" | "realtime" | "status"
> & {
  /** Decide between departures of one time and route. */
  trip: number;
  stop: number;
  read(): Departure;
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
  for (const [i, call] of timetable.list(query.station, query, budget).entries()) {
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

type View = { timetable: Timetable; hasFeed: boolean; query: DepartureQuery };
type LiveView = View & {
  live: LiveTable;
  /** Departures or arrivals of the events, as the query wants them; epoch s, or NO_TIME. */
  planned: Uint32Array;
  expected: Uint32Array;
  /** What was observed before is not used; epoch s. */
  oldest_s: number;
};

function openView(view: View, live: LiveTable): LiveView {
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

/** The run that takes the place of a planned one: rather one that takes place than a cancelled one. */
function runInPlaceOf(view: LiveView, planned: TripDay & { start_s: number }): number | null {
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

function isFresh({ live, oldest_s }: LiveView, run: number): boolean {
  return live.columns.run_observed[run]! >= oldest_s;
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
  const { stop, realtime, status, route, planned_ms, expected_ms } = departure;
  const isBoth = planned_ms !== null && expected_ms !== null;
  const day = columns.run_days[run]!;
  const start_s = columns.run_starts[run]!;
  return {
    trip_id: live.text(columns.run_ids[run]!) ?? facts!.id,
    day: day === NO_START ? null : day,
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
    continues: columns.run_status[run] === RUN.scheduled ? continuesOf(view, { trip, day }) : null,
    alerts: alertsOf(view, { trip, day, start_s, route: columns.run_routes[run]!, stop }),
  };
}

/** Not as a run that does not take place as planned. */
function continuesOf(view: View | LiveView, run: TripDay): Departure["continues"] {
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

type AboutCall = { trip: number; day: number; start_s: number; route: number; stop: number };

function alertsOf(view: View | LiveView, call: AboutCall): string[] {
  if (!("live" in view)) return [];
  const { live, query } = view;
  const alerts = new Set<number>();
  live.addAlerts({ ...call, station: query.station }, Math.floor(query.now_ms / 1000), alerts);
  return [...alerts].sort((a, b) => a - b).map((alert) => live.alertId(alert));
}
