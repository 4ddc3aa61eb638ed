/**
 * The trips of a feed while they are read: what an importer fills, and `packTimetable` turns into
 * columns. Days are counted from 1970-01-01; times are seconds since noon minus twelve hours of the
 * service day, which may exceed 24 hours (mobility.md 3.1).
 */
import type { ServiceColumns } from "./service-calendar.ts";
import type { Sequences } from "./sequences.ts";

/** Nothing of a kind: no station, no text, no trip. */
export const NO_PLACE = -1;

/** Bits of a call. Boarding and alighting: 0 regular, 1 none, 2 by phone, 3 ask the driver. */
export const CALL = { pickup: 0b11, drop_off_shift: 2, drop_off: 0b1100, approximate: 0b10000 };

/** Not available for boarding, or for alighting. */
export const NOT_AVAILABLE = 1;

/** Words of a pattern before its calls, and of each call. */
export const PATTERN = { head: 1, call: 4 } as const;
/** Words of a profile before its calls, and of each call. */
export const PROFILE = { head: 2, call: 2 } as const;

export type TimetableDraft = {
  /** IANA name; null: unknown, and no departure can be placed in time. */
  time_zone: string | null;
  stops: {
    count: number;
    id(stop: number): string;
    /** Place in the feed's stations, or NONE. */
    station(stop: number): number;
    /** A text, or NONE. */
    platform(stop: number): number;
    /** IANA name of the zone whose clocks are shown there; null: the feed's. */
    zone(stop: number): string | null;
  };
  /** Place of a route in the feed's list; NONE: no station has it. */
  routePlace(route: number): number;
  /** route, then per call: stop, sequence, bits of CALL, headsign (a text, or NONE). */
  patterns: Sequences;
  /** pattern, 1 where frequencies repeat the trip, then per call: departure after the first one, dwell. */
  profiles: Sequences;
  trips: {
    count: number;
    id(trip: number): string;
    /** NONE: the trip has no calls that can be used. */
    profile: Int32Array;
    /** Departure at the first call. */
    start_s: Int32Array;
    /** Place in `services`; NONE: it never runs. */
    service: Int32Array;
    /** Texts, or NONE. */
    headsign: Int32Array;
    short_name: Int32Array;
    /** Place in WHEELCHAIRS. */
    wheelchair: Uint8Array;
  };
  services: ServiceColumns;
  frequencies: readonly Frequency[];
  /** Each pair once. */
  continuations: readonly Continuation[];
  /** Headsigns, short names and platforms, each once. */
  texts: { count: number; text(index: number): string };
  /** Lets go of a part that is packed, where it is read once; absent: it stays. */
  release?(part: "stations" | "sequences" | "trips"): void;
};

/** A trip after which riders may stay in the vehicle, and the trip as which it goes on. */
export type Continuation = { from: number; to: number };

export type Frequency = {
  trip: number;
  /** From (inclusive) and to (exclusive). */
  from_s: number;
  to_s: number;
  headway_s: number;
  /** The departures are exactly these; otherwise only their distance is promised. */
  exact: boolean;
};
