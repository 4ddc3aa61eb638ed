/** How long a ring of slots is, and the columns of numbers that hold the rings of all sources. */

export type RingShape = {
  slot_ms: number;
  slots: number;
  /** Counts, for each slot, how often an age was seen in each of `AGE_BOUNDS_S`. */
  spread: boolean;
};

/** 24 hours: 13 bytes a slot, 1.2 kB a source. */
export const QUARTERS: RingShape = { slot_ms: 900_000, slots: 96, spread: false };
/** 30 days of UTC: 39 bytes a slot, 1.2 kB a source. */
export const DAYS: RingShape = { slot_ms: 86_400_000, slots: 30, spread: true };

const MINUTE_S = 60;
const HOUR_S = 3_600;
const DAY_S = 86_400;
/** Classes of age, by the greatest age of each; what is older than the last is in the last. */
export const AGE_BOUNDS_S: readonly number[] = [
  ...[15, 30, 60, 90],
  ...[2, 3, 4, 5, 10, 15, 20, 30, 45].map((minutes) => minutes * MINUTE_S),
  ...[1, 2, 3, 4, 6, 12].map((hours) => hours * HOUR_S),
  ...[1, 2, 4, 7, 14, 30].map((days) => days * DAY_S),
  Infinity,
];
const CLASSES = AGE_BOUNDS_S.length;
/** A class of a slot counts no further. */
export const MAX_SEEN = 255;

export type RingColumns = {
  attempts: Uint32Array;
  failures: Uint32Array;
  /** Seconds and one more; 0: none. */
  ages: Uint32Array;
  /** Place in the list of states and one more; 0: nothing is known of the slot. */
  states: Uint8Array;
  /** Ages seen, by class; empty where the shape counts none. */
  spread: Uint8Array;
};

export const COLUMN_NAMES = ["attempts", "failures", "ages", "states", "spread"] as const;

/** Elements that a row has in that column. */
export function widthOf(name: (typeof COLUMN_NAMES)[number], { slots, spread }: RingShape): number {
  return name === "spread" ? (spread ? slots * CLASSES : 0) : slots;
}

/** The columns of that number of sources, all of them empty. */
export function createColumns(rows: number, shape: RingShape): RingColumns {
  const length = rows * shape.slots;
  return {
    attempts: new Uint32Array(length),
    failures: new Uint32Array(length),
    ages: new Uint32Array(length),
    states: new Uint8Array(length),
    spread: new Uint8Array(rows * widthOf("spread", shape)),
  };
}

export function copyRow(
  source: RingColumns,
  from: number,
  { target, to, shape }: { target: RingColumns; to: number; shape: RingShape },
): void {
  for (const name of COLUMN_NAMES) {
    const width = widthOf(name, shape);
    target[name].set(source[name].subarray(from * width, (from + 1) * width), to * width);
  }
}

/** The place in `spread` of the class of an age, in the slot at this index. */
export function spreadIndex(at: number, age_s: number): number {
  return at * CLASSES + AGE_BOUNDS_S.findIndex((bound_s) => age_s <= bound_s);
}

/** The ages seen in the slot at this index, by class. */
export function spreadOf({ spread }: RingColumns, at: number): Uint8Array {
  return spread.subarray(at * CLASSES, (at + 1) * CLASSES);
}
