/**
 * How each source did lately: a ring of slots for each, of 15 minutes or of days, all of them in a few
 * columns of numbers, so that counting an attempt is an addition. A slot of which nothing is known is
 * null.
 */
import type { SourceState } from "#api/sources.ts";
import {
  COLUMN_NAMES,
  copyRow,
  createColumns,
  MAX_SEEN,
  QUARTERS,
  type RingColumns,
  type RingShape,
  spreadIndex,
  spreadOf,
} from "./ring-shape.ts";

/** Later ones have no history: 25 MB for the quarters of an hour of these, and 23 MB for their days. */
export const MAX_SOURCES = 20_000;

/** `age_s` is the oldest that was seen, null: none was. */
export type RingSlot = {
  attempts: number;
  failures: number;
  state: SourceState;
  age_s: number | null;
};

/** The later, the worse; a slot has the worst of its time. */
const STATES = [
  "idle",
  "disabled",
  "not_surveyed",
  "ok",
  "timeout",
  "error",
  "unavailable",
  "unauthorized",
] as const satisfies readonly SourceState[];
const FIRST_REQUEST = STATES.indexOf("ok");
const MAX_AGE_S = 0xffff_fffe;
const FIRST_ROWS = 64;

/** Whether a slot says more than that its source was not asked. */
export function isEventful({ attempts, state }: Pick<RingSlot, "attempts" | "state">): boolean {
  return attempts > 0 || STATES.indexOf(state) >= FIRST_REQUEST;
}

/** The row of a source, and the number of its newest slot since 1970. */
export type RingRow = { source_id: string; newest: number };

export class HistoryRings {
  readonly #rows = new Map<string, number>();
  #newest: number[] = [];
  readonly #shape: RingShape;
  #columns: RingColumns;

  constructor(shape: RingShape = QUARTERS) {
    this.#shape = shape;
    this.#columns = createColumns(FIRST_ROWS, shape);
  }

  /** Counts an attempt that ended so at `now_ms`. */
  count(source_id: string, state: "ok" | SourceState, now_ms: number): void {
    const at = this.#open(source_id, now_ms);
    if (at === null) return;
    const { attempts, failures } = this.#columns;
    attempts[at]!++;
    if (state !== "ok") failures[at]!++;
    this.#worsen(at, state);
  }

  /**
   * Notes what was seen of a source at `now_ms`; `age_s` null: its age is unknown. `counts`: as one of
   * the ages of which half are younger than the median.
   */
  observe(
    source_id: string,
    seen: Pick<RingSlot, "state" | "age_s"> & { counts?: boolean },
    now_ms: number,
  ): void {
    const at = this.#open(source_id, now_ms);
    if (at === null) return;
    const { ages, spread } = this.#columns;
    this.#worsen(at, seen.state);
    if (seen.age_s === null) return;
    const age_s = Math.min(Math.max(0, Math.round(seen.age_s)), MAX_AGE_S);
    ages[at] = Math.max(ages[at]!, age_s + 1);
    if (!this.#shape.spread || seen.counts === false) return;
    const place = spreadIndex(at, age_s);
    if (spread[place]! < MAX_SEEN) spread[place]!++;
  }

  /** The slots until `now_ms`, the oldest first, null: unknown; null: nothing is kept of it. */
  read(source_id: string, now_ms: number): (RingSlot | null)[] | null {
    const row = this.#rows.get(source_id);
    if (row === undefined) return null;
    const first = this.#toSlot(now_ms) - this.#shape.slots + 1;
    return Array.from({ length: this.#shape.slots }, (_, i) => this.#read(row, first + i));
  }

  /** How often each class of age was seen until `now_ms`; null: nothing is kept of it. */
  readSpread(source_id: string, now_ms: number): number[] | null {
    const row = this.#rows.get(source_id);
    if (row === undefined) return null;
    const last = this.#toSlot(now_ms);
    const sums: number[] = [];
    for (let slot = last - this.#shape.slots + 1; slot <= last; slot++) {
      const at = this.#find(row, slot);
      if (at === null) continue;
      for (const [i, seen] of spreadOf(this.#columns, at).entries())
        sums[i] = (sums[i] ?? 0) + seen;
    }
    return sums;
  }

  /** Attempts until `now_ms`; null: it was not asked, as far as is known, nor seen at work. */
  countAttempts(source_id: string, now_ms: number): number | null {
    const row = this.#rows.get(source_id);
    if (row === undefined) return null;
    const last = this.#toSlot(now_ms);
    let sum: number | null = null;
    for (let slot = last - this.#shape.slots + 1; slot <= last; slot++) {
      const at = this.#find(row, slot);
      if (at === null || this.#columns.states[at]! <= FIRST_REQUEST) continue;
      sum = (sum ?? 0) + this.#columns.attempts[at]!;
    }
    return sum;
  }

  /** A copy of what is known of the sources that were asked in the time of the ring or so. */
  export(now_ms: number): { rows: RingRow[]; columns: RingColumns } {
    const shape = this.#shape;
    const last = this.#toSlot(now_ms);
    const requests = [...this.#rows].filter(
      ([, row]) => this.#newest[row]! > last - shape.slots && this.#wasAsked(row),
    );
    const target = createColumns(requests.length, shape);
    for (const [to, [, from]] of requests.entries())
      copyRow(this.#columns, from, { target, to, shape });
    const rows = requests.map(([source_id, row]) => ({ source_id, newest: this.#newest[row]! }));
    return { rows, columns: target };
  }

  /** Takes up what was exported, without what is older than the ring or after `now_ms`. */
  import({ rows, columns }: ReturnType<HistoryRings["export"]>, now_ms: number): void {
    const shape = this.#shape;
    const last = this.#toSlot(now_ms);
    for (const [from, { source_id, newest }] of rows.entries()) {
      if (Math.abs(newest - last) >= shape.slots || this.#rows.has(source_id)) continue;
      const row = this.#add(source_id);
      if (row === null) return;
      this.#newest[row] = Math.min(newest, last);
      copyRow(columns, from, { target: this.#columns, to: row, shape });
      // The clock was ahead.
      for (let slot = last + 1; slot <= newest; slot++) this.#empty(this.#toIndex(row, slot));
    }
  }

  #worsen(at: number, state: SourceState): void {
    const { states } = this.#columns;
    states[at] = Math.max(states[at]!, STATES.indexOf(state) + 1);
  }

  /** Index of the slot of that time, emptied where it is new; null: there is no room or it is past. */
  #open(source_id: string, now_ms: number): number | null {
    const row = this.#rows.get(source_id) ?? this.#add(source_id);
    if (row === null) return null;
    const { slots } = this.#shape;
    const slot = this.#toSlot(now_ms);
    const newest = this.#newest[row]!;
    if (slot <= newest - slots) return null;
    if (slot > newest) {
      for (let old = Math.max(newest + 1, slot - slots + 1); old <= slot; old++)
        this.#empty(this.#toIndex(row, old));
      this.#newest[row] = slot;
    }
    return this.#toIndex(row, slot);
  }

  #add(source_id: string): number | null {
    const row = this.#rows.size;
    if (row === MAX_SOURCES) return null;
    if (row * this.#shape.slots === this.#columns.states.length) this.#grow();
    this.#rows.set(source_id, row);
    this.#newest[row] = 0;
    return row;
  }

  #grow(): void {
    const old = this.#columns;
    const rows = (old.states.length / this.#shape.slots) * 2;
    this.#columns = createColumns(Math.min(MAX_SOURCES, rows), this.#shape);
    for (const name of COLUMN_NAMES) this.#columns[name].set(old[name]);
  }

  #empty(at: number): void {
    const { attempts, failures, ages, states } = this.#columns;
    attempts[at] = failures[at] = ages[at] = states[at] = 0;
    if (this.#shape.spread) spreadOf(this.#columns, at).fill(0);
  }

  #wasAsked(row: number): boolean {
    const { states } = this.#columns;
    const { slots } = this.#shape;
    const end = (row + 1) * slots;
    for (let at = row * slots; at < end; at++) if (states[at]! > FIRST_REQUEST) return true;
    return false;
  }

  #find(row: number, slot: number): number | null {
    const newest = this.#newest[row]!;
    return slot > newest || slot <= newest - this.#shape.slots ? null : this.#toIndex(row, slot);
  }

  #read(row: number, slot: number): RingSlot | null {
    const at = this.#find(row, slot);
    const { attempts, failures, ages, states } = this.#columns;
    const state = at === null ? undefined : STATES[states[at]! - 1];
    if (at === null || state === undefined) return null;
    const age = ages[at]!;
    return {
      attempts: attempts[at]!,
      failures: failures[at]!,
      state,
      age_s: age === 0 ? null : age - 1,
    };
  }

  #toSlot(epoch_ms: number): number {
    return toSlot(epoch_ms, this.#shape);
  }

  #toIndex(row: number, slot: number): number {
    const { slots } = this.#shape;
    return row * slots + (slot % slots);
  }
}

/** Number of the slot of a time, since 1970. */
export function toSlot(epoch_ms: number, { slot_ms }: RingShape): number {
  return Math.floor(epoch_ms / slot_ms);
}
