/**
 * The state of a station or vehicle in one integer. Everything an item says beyond its name, place
 * and counts follows from it (R3, R7 to R10), so items of equal state share one rendered tail.
 * Ingest sets the lower fields; the question adds what depends on time and on `modes`.
 */
import { KNOWN_MODES, MODES, type Mode } from "../entities.ts";

/** [shift, width] of each field. Unknown is a value of its own everywhere. */
const FIELDS = {
  /** Modes of the thing (R2), one bit each in MODES order without `other`. */
  modes: [0, 4],
  /** Requested ∩ own modes, set by the question. */
  matched: [4, 4],
  /** 1: virtual drop-off zone without rentable types (R3 `parking`). */
  parking: [8, 1],
  /** 1: park capability (virtual, parking, or docks/capacity known). */
  park: [9, 1],
  charge: [10, 1],
  reserve: [11, 1],
  /** COUNT: rentable vehicles. */
  vehicles: [12, 2],
  /** COUNT: free docks; unlimited counts as SOME. */
  docks: [14, 2],
  /** TRI, of a station. */
  installed: [16, 2],
  /** TRI, of a station. */
  renting: [18, 2],
  returning: [20, 2],
  /** TRI, of a vehicle, in the bits that a station's two flags take. */
  reserved: [18, 2],
  disabled: [20, 2],
  /** CLASS: data_class, set by the question. */
  data_class: [22, 2],
  /** 1: too old to say (R7), set by the question. */
  unknown: [24, 1],
  /** 1: a closure alert is in force, set by the question. */
  closed: [25, 1],
  /** 1: a vehicle (else a station). */
  vehicle: [26, 1],
  /** 1: available_until of the vehicle has passed, set by the question. */
  expired: [27, 1],
  /** 1: no live row for this station: it is known from its static file alone. */
  no_status: [28, 1],
  /** 1: is_installed=false: left out, counted in debug (decisions, Global nearby). */
  hidden: [29, 1],
  /** Of a vehicle, in bits that only stations use: 1 + its text among the first of its pack's repeats; 0: another. */
  text: [12, 6],
  /** RESOLVED: of a vehicle, in bits that only stations use; set by the question. */
  resolved: [28, 2],
  /** 1: of a station, it has the first text of its pack's repeats. */
  first_text: [27, 1],
  /** 1: of a station, vehicles parked at it are in the list; set by the question. */
  listed: [30, 1],
  /** 1: of a station, its hours say closed and a young report that it rents; set by the question. */
  hours_conflict: [31, 1],
} as const satisfies Record<string, readonly [number, number]>;
export type Field = keyof typeof FIELDS;

export const TRI = { unknown: 0, no: 1, yes: 2 } as const;
export const COUNT = { unknown: 0, none: 1, some: 2 } as const;
/** R11: whether other feeds have a vehicle, or may have it. */
export const RESOLVED = { no: 0, possible: 1, merged: 2 } as const;
export const CLASS = { static: 0, semi_static: 1, realtime: 2 } as const;

export function getField(state: number, field: Field): number {
  const [shift, width] = FIELDS[field];
  return (state >>> shift) & ((1 << width) - 1);
}

export function withField(state: number, field: Field, value: number): number {
  const [shift, width] = FIELDS[field];
  const mask = ((1 << width) - 1) << shift;
  return (state & ~mask) | ((value << shift) & mask);
}

export function tri(value: boolean | null): number {
  return value === null ? TRI.unknown : value ? TRI.yes : TRI.no;
}

export function countClass(value: number | null): number {
  return value === null ? COUNT.unknown : value > 0 ? COUNT.some : COUNT.none;
}

/** Text of an item among the repeats of its pack, as far as its state says; -1: it does not. */
export function bitsText(state: number): number {
  if (state & VEHICLE_BIT) return ((state >>> TEXT_SHIFT) & BITS_TEXTS) - 1;
  return state & FIRST_TEXT_BIT ? 0 : -1;
}

/** Mask of modes; `other` has no bit, since it is never returned. */
export function modeMask(modes: Iterable<Mode>): number {
  let mask = 0;
  for (const mode of modes) if (mode !== "other") mask |= 1 << MODES.indexOf(mode);
  return mask;
}

/** Modes of a mask in reporting order. */
export function modesOf(mask: number): (typeof KNOWN_MODES)[number][] {
  return KNOWN_MODES.filter((_, index) => (mask >> index) & 1);
}

// The hot path reads these two without the table.
export const MODES_MASK = 0b1111;
export const MATCHED_SHIFT = FIELDS.matched[0];
export const DATA_CLASS_SHIFT = FIELDS.data_class[0];
export const UNKNOWN_BIT = 1 << FIELDS.unknown[0];
export const CLOSED_BIT = 1 << FIELDS.closed[0];
export const VEHICLE_BIT = 1 << FIELDS.vehicle[0];
export const EXPIRED_BIT = 1 << FIELDS.expired[0];
export const NO_STATUS_BIT = 1 << FIELDS.no_status[0];
export const HIDDEN_BIT = 1 << FIELDS.hidden[0];
export const FIRST_TEXT_BIT = 1 << FIELDS.first_text[0];
export const RESOLVED_SHIFT = FIELDS.resolved[0];
const TEXT_SHIFT = FIELDS.text[0];
/** How many texts the state of a vehicle can say. */
export const BITS_TEXTS = (1 << FIELDS.text[1]) - 1;
export const LISTED_BIT = 1 << FIELDS.listed[0];
export const HOURS_CONFLICT_BIT = 1 << FIELDS.hours_conflict[0];
