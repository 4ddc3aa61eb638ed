/**
 * Columns of what realtime feeds say of a timetable, in one pack, so that one thread can make it and
 * another search it where it lies. Times are epoch s; lists of row i lie at starts[i] .. starts[i + 1].
 */
import type { ColumnsOf } from "#kit/pack.ts";
import type { Trail } from "#kit/trail.ts";

/** "VLT1", little endian. */
export const LIVE_FORMAT = { magic: 0x31544c56, version: 2 } as const;

/** Nothing of a kind: no trip, no route, no stop, no text. */
export const NO_VALUE = 0xffffffff;
/** Not known, or not stated. */
export const NO_TIME = 0;
/** A day or a start that is not stated. */
export const NO_START = -(2 ** 31);

/** How a run relates to the timetable. */
export const RUN = { scheduled: 0, cancelled: 1, deleted: 2, added: 3, replaced: 4 } as const;

/** Bits of an event. `skipped`: the vehicle does not call. `has_live_stop`: the feed names the stop. */
export const EVENT = {
  skipped: 1,
  no_departure: 2,
  no_arrival: 4,
  approximate: 8,
  has_live_stop: 16,
} as const;

/**
 * What a selector of an alert is found by. `place`: a place within a station whose ways are in doubt,
 * `access`: a station with something wrong somewhere in it (docs/walking.md, Within stations).
 */
export const SELECTOR = { trip: 0, stop: 1, station: 2, route: 3, place: 4, access: 5 } as const;

export type LiveMeta = {
  counts: {
    /** Updates of trips that should be in the timetable, and are, or are not. */
    matched: number;
    unmatched: number;
    /** Runs that need not be in it. */
    added: number;
    runs: number;
    events: number;
    vehicles: number;
    alerts: number;
  };
  /** Of the messages, and of what was made of them. */
  trail: Trail;
  /** Alerts about places within stations are more than are kept: nothing is known of lifts. */
  is_access_cut: boolean;
};

export const LIVE_COLUMNS = {
  /** In order of their trips, days and keys; those without a trip of the timetable come last. */
  run_trips: Uint32Array,
  /** Runs of each trip of the timetable, without those that are not in it: starts[trip] .. starts[trip + 1]. */
  trip_run_starts: Uint32Array,
  /** Service days, or NO_START. */
  run_days: Int32Array,
  /** Seconds of the service day, or NO_START. */
  run_starts: Int32Array,
  /** Start of the planned run that this one takes the place of, or NO_START. */
  run_keys: Int32Array,
  /** One of RUN. */
  run_status: Uint8Array,
  /** When the feed knew it. */
  run_observed: Uint32Array,
  /** Places in the routes of the feed, or NO. */
  run_routes: Uint32Array,
  /** Texts, or NO: what the timetable does not say. */
  run_ids: Uint32Array,
  run_headsigns: Uint32Array,
  /** Events of each stop of the timetable. */
  event_starts: Uint32Array,
  event_runs: Uint32Array,
  /** Place among the calls of the run. */
  event_positions: Uint16Array,
  /** Planned stop of the timetable, or NO. */
  event_planned_stops: Uint32Array,
  event_planned_arrivals: Uint32Array,
  event_planned_departures: Uint32Array,
  event_arrivals: Uint32Array,
  event_departures: Uint32Array,
  /** Bits of EVENT. */
  event_flags: Uint8Array,
  event_headsigns: Uint32Array,
  texts: Uint8Array,
  text_starts: Uint32Array,
  alert_ids: Uint8Array,
  alert_id_starts: Uint32Array,
  /** JSON of each alert. */
  alerts: Uint8Array,
  alert_starts: Uint32Array,
  alert_period_starts: Uint32Array,
  /** From (inclusive, or NO_TIME) and to (exclusive, or NO_TIME). */
  period_from: Uint32Array,
  period_to: Uint32Array,
  /** In order of their kinds and keys; the others are conditions, or NO and NO_START. */
  selector_kinds: Uint8Array,
  selector_keys: Uint32Array,
  selector_alerts: Uint32Array,
  selector_routes: Uint32Array,
  selector_stops: Uint32Array,
  selector_stations: Uint32Array,
  selector_days: Int32Array,
  selector_starts: Int32Array,
} as const;

export type LiveColumns = ColumnsOf<typeof LIVE_COLUMNS>;
