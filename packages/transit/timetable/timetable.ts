/**
 * A packed timetable where it lies: the calls at a station between two moments, and what is known of
 * a trip. Opening makes views; a call becomes an object when it is found.
 */
import type { Budget } from "#kit/budget.ts";
import { lowerBound } from "#kit/sorted.ts";
import { createZones } from "#kit/time-zones.ts";
import { readText } from "#kit/bytes.ts";
import {
  type DaySpan,
  type EdgeWish,
  listEdgeRepeats,
  listEdgeTrips,
  type Run,
  spansOfDay,
} from "./edge-calls.ts";
import { dayStart_ms, runsOn, utcDay } from "./service-calendar.ts";
import { CALL, NOT_AVAILABLE } from "./timetable-draft.ts";
import { NO_TEXT, UNTIMED, type TimetableColumns, type TimetableMeta } from "./timetable-layout.ts";

/** Departures of a station, or arrivals. */
export type CallKind = "departures" | "arrivals";

/** A trip on a service day calls at a stop. */
export type PlannedCall = {
  trip: number;
  /** Service day, days since 1970-01-01. */
  day: number;
  /** First departure of the run, seconds since its service day began: a trip may run several times. */
  start_s: number;
  stop: number;
  pattern: number;
  /** Place among the calls of the pattern. */
  position: number;
  /** Departure, or arrival, as planned; epoch ms. */
  planned_ms: number;
  /** Seconds between runs, where only that is promised; otherwise null. */
  headway_s: number | null;
};

type CallQuery = {
  kind: CallKind;
  /** From (inclusive) to (exclusive), epoch ms. */
  from_ms: number;
  to_ms: number;
  /** By place in the routes of the feed, 1 where it is wanted; null or absent: all. */
  routes?: Uint8Array | null;
  /** Only the outermost calls of a service day, whatever the two moments are; null or absent: all between them. */
  edge?: EdgeWish | null;
};

/** What a timetable says of a run, apart from its times. */
type TripFacts = {
  id: string;
  /** Place in the routes of the feed. */
  route: number;
  short_name: string | null;
  /** Place in WHEELCHAIRS. */
  wheelchair: number;
};

export type Timetable = {
  meta: TimetableMeta;
  columns: TimetableColumns;
  /**
   * Calls at a station (a row of the pack), in no order, as far as the budget goes: each profile on
   * each day, each of their trips and each row of frequencies is looked at, each call kept.
   */
  list(station: number, query: CallQuery, budget: Budget): PlannedCall[];
  trip(trip: number): TripFacts;
  /** Row of a trip by its id; null: unknown. */
  findTrip(id: string): number | null;
  /** Stop by its id; null: nothing calls there. */
  stopId(stop: number): string;
  platform(stop: number): string | null;
  /** What the vehicle shows at a call: its own headsign, else the trip's; null: neither is stated. */
  headsign(trip: number, position: number): string | null;
  /** IANA name of the zone whose clocks are shown at a station (a row of the pack); null: unknown. */
  zoneOf(station: number): string | null;
  /** Begin of a service day, epoch ms; null: the time zone is unknown. */
  dayStart_ms(day: number): number | null;
};

/** Opens the columns of a feed's timetable. */
export function openTimetable(meta: TimetableMeta, columns: TimetableColumns): Timetable {
  const zones = createZones();
  const texts = { bytes: columns.texts, offsets: columns.text_starts };
  const tripIds = { bytes: columns.trip_ids, offsets: columns.trip_id_starts };
  const stopIds = { bytes: columns.stop_ids, offsets: columns.stop_id_starts };
  const toText = (index: number): string | null =>
    index === NO_TEXT ? null : readText(texts, index) || null;
  const begin_ms = (day: number): number | null =>
    meta.time_zone === null ? null : dayStart_ms(zones, meta.time_zone, day);
  const zones_of = new Map(
    Object.entries(meta.station_zones ?? {}).flatMap(([zone, stations]) =>
      stations.map((station) => [station, zone] as const),
    ),
  );
  return {
    meta,
    columns,
    dayStart_ms: begin_ms,
    zoneOf: (station) => zones_of.get(station) ?? meta.time_zone,
    list(station, query, budget) {
      const match: CallSearch = { calls: [], budget };
      const days = query.edge
        ? spansOfDay(meta, query.edge.day, begin_ms)
        : daysOf(meta, query, begin_ms);
      if (days.length > 0) listStation(columns, { station, query, days }, match);
      return match.calls;
    },
    trip: (trip) => ({
      id: readText(tripIds, trip),
      route: columns.pattern_routes[columns.profile_patterns[profileOf(columns, trip)]!]!,
      short_name: toText(columns.trip_short_names[trip]!),
      wheelchair: columns.trip_wheelchairs[trip]!,
    }),
    findTrip: (id) => findTrip(columns, id),
    stopId: (stop) => readText(stopIds, stop),
    platform: (stop) => toText(columns.stop_platforms[stop]!),
    headsign(trip, position) {
      const { pattern_headsigns, pattern_starts, profile_patterns } = columns;
      const first = pattern_starts[profile_patterns[profileOf(columns, trip)]!]!;
      const own = pattern_headsigns.length > 0 ? pattern_headsigns[first + position]! : NO_TEXT;
      return toText(own === NO_TEXT ? columns.trip_headsigns[trip]! : own);
    },
  };
}

/** Whether a call takes passengers up, or sets them down. */
export function isServed(flags: number, kind: CallKind): boolean {
  const value = kind === "departures" ? flags : flags >> CALL.drop_off_shift;
  return (value & CALL.pickup) !== NOT_AVAILABLE;
}

/** The profile that a trip runs by. */
export function profileOf({ profile_trips }: TimetableColumns, trip: number): number {
  let low = 0;
  let high = profile_trips.length - 1;
  while (high - low > 1) {
    const middle = (low + high) >>> 1;
    if (profile_trips[middle]! <= trip) low = middle;
    else high = middle;
  }
  return low;
}

function daysOf(
  { max_time_s, days }: TimetableMeta,
  { from_ms, to_ms }: CallQuery,
  begin_ms: (day: number) => number | null,
): DaySpan[] {
  if (days === null) return [];
  const first = Math.max(days[0], utcDay(from_ms - max_time_s * 1000) - 1);
  const last = Math.min(days[1], utcDay(to_ms) + 1);
  const result: DaySpan[] = [];
  for (let day = first; day <= last; day++) {
    const start_ms = begin_ms(day);
    if (start_ms === null) continue;
    // Departures are whole seconds.
    const from_s = Math.ceil((from_ms - start_ms) / 1000);
    const to_s = Math.ceil((to_ms - start_ms) / 1000);
    // No lower bound: repeated trips whose times go backwards begin before their day.
    if (from_s <= max_time_s) result.push({ day, start_ms, from_s, to_s });
  }
  return result;
}

type CallSearch = { calls: PlannedCall[]; budget: Budget };

type Job = { station: number; query: CallQuery; days: readonly DaySpan[] };

function listStation(
  columns: TimetableColumns,
  { station, query, days }: Job,
  match: CallSearch,
): void {
  const { kind, routes = null, edge = null } = query;
  const { station_stops, station_stop_starts, stop_call_starts } = columns;
  const { stop_call_patterns, stop_call_positions, pattern_profiles } = columns;
  for (let i = station_stop_starts[station]!; i < station_stop_starts[station + 1]!; i++) {
    const stop = station_stops[i]!;
    for (let call = stop_call_starts[stop]!; call < stop_call_starts[stop + 1]!; call++) {
      if (!match.budget.look() || match.budget.isSpent) return;
      const pattern = stop_call_patterns[call]!;
      const position = stop_call_positions[call]!;
      if (routes !== null && routes[columns.pattern_routes[pattern]!] !== 1) continue;
      if (!isCallOf(columns, pattern, position, kind)) continue;
      const to = pattern_profiles[pattern + 1]!;
      const visit = { stop, pattern, position, kind, days, edge };
      for (let profile = pattern_profiles[pattern]!; profile < to; profile++) {
        if (!match.budget.look(days.length) || match.budget.isSpent) return;
        listProfile(columns, { ...visit, profile }, match);
      }
    }
  }
}

/** The last call is no departure and the first no arrival, nor is one that takes no passengers. */
function isCallOf(
  { pattern_starts, pattern_flags }: TimetableColumns,
  pattern: number,
  position: number,
  kind: CallKind,
): boolean {
  const first = pattern_starts[pattern]!;
  const end = kind === "departures" ? pattern_starts[pattern + 1]! - 1 - first : 0;
  return position !== end && isServed(pattern_flags[first + position]!, kind);
}

type Visit = {
  stop: number;
  pattern: number;
  position: number;
  profile: number;
  kind: CallKind;
  days: readonly DaySpan[];
  edge: EdgeWish | null;
};

function listProfile(columns: TimetableColumns, visit: Visit, match: CallSearch): void {
  const { profile_starts, profile_departures, profile_dwells, profile_trips } = columns;
  const { profile, position, kind, edge } = visit;
  const call = profile_starts[profile]! + position;
  if (profile_departures[call] === UNTIMED) return;
  const delta_s = profile_departures[call]! - (kind === "arrivals" ? profile_dwells[call]! : 0);
  const first = profile_trips[profile]!;
  const end = profile_trips[profile + 1]!;
  if (columns.profile_frequent[profile] === 1) {
    for (let trip = first; trip < end && !match.budget.isSpent; trip++)
      listRuns(columns, { ...visit, trip, delta_s }, match);
    return;
  }
  if (edge !== null) {
    const isOneText = hasOwnText(columns, visit);
    listEdgeTrips(columns, { ...visit, delta_s, isOneText }, edge, toKeeping(match, visit));
    return;
  }
  const { trip_starts_s, trip_services } = columns;
  for (const { day, start_ms, from_s, to_s } of visit.days) {
    if (trip_starts_s[end - 1]! + delta_s < from_s) continue;
    let trip = lowerBound(trip_starts_s, from_s - delta_s, first, end);
    for (; trip < end && trip_starts_s[trip]! + delta_s < to_s; trip++) {
      if (!match.budget.look()) return;
      if (!runsOn(columns, trip_services[trip]!, day)) continue;
      const start_s = trip_starts_s[trip]!;
      if (!add(match, visit, { trip, day, start_s, delta_s, start_ms, headway_s: null })) return;
    }
  }
}

/** Whether the call itself states what the vehicle shows. */
function hasOwnText(
  { pattern_headsigns, pattern_starts }: TimetableColumns,
  { pattern, position }: Visit,
): boolean {
  return (
    pattern_headsigns.length > 0 &&
    pattern_headsigns[pattern_starts[pattern]! + position] !== NO_TEXT
  );
}

function toKeeping(match: CallSearch, visit: Visit) {
  return { budget: match.budget, keep: (run: Run) => add(match, visit, run) };
}

/** The runs of a trip that repeats: each row of frequencies.txt from its begin in whole headways. */
function listRuns(
  columns: TimetableColumns,
  visit: Visit & { trip: number; delta_s: number },
  match: CallSearch,
): void {
  const { trip, delta_s, edge } = visit;
  if (edge !== null) {
    listEdgeRepeats(columns, visit, edge, toKeeping(match, visit));
    return;
  }
  const { frequency_trips, frequency_from, frequency_to, frequency_headways } = columns;
  const first = lowerBound(frequency_trips, trip);
  for (let row = first; frequency_trips[row] === trip; row++) {
    const headway_s = frequency_headways[row]!;
    const begin_s = frequency_from[row]!;
    for (const { day, start_ms, from_s, to_s } of visit.days) {
      if (!match.budget.look()) return;
      const skipped = Math.max(0, Math.ceil((from_s - delta_s - begin_s) / headway_s));
      let start_s = begin_s + skipped * headway_s;
      const end_s = Math.min(frequency_to[row]!, to_s - delta_s);
      if (start_s >= end_s || !runsOn(columns, columns.trip_services[trip]!, day)) continue;
      const promised = columns.frequency_exact[row] === 1 ? null : headway_s;
      for (; start_s < end_s; start_s += headway_s) {
        const run = { trip, day, start_s, delta_s, start_ms, headway_s: promised };
        if (!add(match, visit, run)) return;
      }
    }
  }
}

/** Keeps a call; false: no more may be kept. */
function add({ calls, budget }: CallSearch, { stop, pattern, position }: Visit, run: Run): boolean {
  if (!budget.keep()) return false;
  const { trip, day, start_s, delta_s, start_ms, headway_s } = run;
  const planned_ms = start_ms + (start_s + delta_s) * 1000;
  calls.push({ trip, day, start_s, stop, pattern, position, planned_ms, headway_s });
  return true;
}

const encoder = new TextEncoder();

function findTrip({ trip_order, trip_ids, trip_id_starts }: TimetableColumns, id: string) {
  const wanted = encoder.encode(id);
  let low = 0;
  let high = trip_order.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const trip = trip_order[middle]!;
    const order = compareAt(trip_ids, trip_id_starts[trip]!, trip_id_starts[trip + 1]!, wanted);
    if (order === 0) return trip;
    if (order < 0) low = middle + 1;
    else high = middle;
  }
  return null;
}

/** Order of the bytes from … to and of the wanted ones. */
function compareAt(bytes: Uint8Array, from: number, to: number, wanted: Uint8Array): number {
  const shared = Math.min(to - from, wanted.length);
  for (let i = 0; i < shared; i++) {
    const order = bytes[from + i]! - wanted[i]!;
    if (order !== 0) return order;
  }
  return to - from - wanted.length;
}
