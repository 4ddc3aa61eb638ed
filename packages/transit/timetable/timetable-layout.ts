/** Columns of a timetable in a packed feed (feed-layout.ts). Lists of row i lie at starts[i] .. starts[i + 1]. */

import type { ColumnsOf } from "#kit/pack.ts";

/** Facts of a timetable that hold for all of its trips. */
export type TimetableMeta = {
  /** IANA name; null: unknown, and nothing is said of departures. */
  time_zone: string | null;
  /** Rows of stations whose clocks are those of another zone, by its name; absent: none is stated. */
  station_zones?: Readonly<Record<string, readonly number[]>>;
  /** Latest time of a call, seconds since the service day began. */
  max_time_s: number;
  /** First and last day on which anything runs, days since 1970-01-01; null: never. */
  days: readonly [first: number, last: number] | null;
  counts: { calls: number; trips: number; patterns: number; profiles: number };
};

export const TIMETABLE_COLUMNS = {
  /** Stops that are called at: row of their station (NO_ROW: none), platform (a text, or NO_TEXT). */
  stop_ids: Uint8Array,
  stop_id_starts: Uint32Array,
  stop_stations: Uint32Array,
  stop_platforms: Uint32Array,
  /** Stops of each station. */
  station_stops: Uint32Array,
  station_stop_starts: Uint32Array,
  /** Calls of each stop: patterns, and positions in them. */
  stop_call_starts: Uint32Array,
  stop_call_patterns: Uint32Array,
  stop_call_positions: Uint16Array,
  /** Places in `meta.routes`. */
  pattern_routes: Uint32Array,
  pattern_starts: Uint32Array,
  pattern_stops: Uint32Array,
  pattern_sequences: Uint32Array,
  /** Bits of CALL. */
  pattern_flags: Uint8Array,
  /** Headsigns of calls: empty where no call of the feed has its own. */
  pattern_headsigns: Uint32Array,
  /** Profiles are in order of their patterns, trips in order of their profiles and then of time. */
  pattern_profiles: Uint32Array,
  profile_patterns: Uint32Array,
  profile_starts: Uint32Array,
  /** Seconds after the first departure of the trip, and seconds that it waits before: at most 18 hours. */
  profile_departures: Int32Array,
  profile_dwells: Uint16Array,
  /** 1: its trips run as `frequency_*` says. */
  profile_frequent: Uint8Array,
  profile_trips: Uint32Array,
  trip_starts_s: Int32Array,
  trip_services: Uint32Array,
  /** A text, or NO_TEXT. */
  trip_headsigns: Uint32Array,
  trip_short_names: Uint32Array,
  /** Place in WHEELCHAIRS. */
  trip_wheelchairs: Uint8Array,
  trip_ids: Uint8Array,
  trip_id_starts: Uint32Array,
  /** Trips in order of the bytes of their ids. */
  trip_order: Uint32Array,
  service_weekdays: Uint8Array,
  service_from: Int32Array,
  service_to: Int32Array,
  exception_starts: Uint32Array,
  /** 2 × day, plus 1 where the service is added; ascending. */
  exceptions: Int32Array,
  /** In order of their trips. */
  frequency_trips: Uint32Array,
  frequency_from: Int32Array,
  frequency_to: Int32Array,
  frequency_headways: Uint32Array,
  frequency_exact: Uint8Array,
  /** Trips that go on as others, in their order, and those others. */
  continuation_trips: Uint32Array,
  continuation_to: Uint32Array,
  texts: Uint8Array,
  text_starts: Uint32Array,
} as const;

/** Departure of a call that states no time, and lies before the first or after the last that does. */
export const UNTIMED = -(2 ** 31);
export const NO_ROW = 0xffffffff;
export const NO_TEXT = 0xffffffff;

export type TimetableColumns = ColumnsOf<typeof TIMETABLE_COLUMNS>;
