/**
 * How each source did in the last 24 hours: a ring of 96 slots of 15 minutes for each, all of them in
 * a few columns of numbers, so that counting an attempt is an addition. A slot of which nothing is
 * known is null.
 */
import type { SourceState } from "#api/sources.ts";

export const SLOT_MS = 900_000;
export const SLOTS = 96;
/** Later ones have no history; 13 bytes a slot make 25 MB of these, and 1.2 kB of one. */
export const MAX_SOURCES = 20_000;

/** A quarter of an hour; `age_s` is the oldest that was seen, null: none was. */
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

export type RingColumns = {
  attempts: Uint32Array;
  failures: Uint32Array;
  /** Seconds and one more; 0: none. */
  ages: Uint32Array;
  /** Place in `STATES` and one more; 0: nothing is known of the slot. */
  states: Uint8Array;
};

/** The columns of that number of sources, all of them empty. */
export function createColumns(rows: number): RingColumns {
  const length = rows * SLOTS;
  return {
    attempts: new Uint32Array(length),
    failures: new Uint32Array(length),
    ages: new Uint32Array(length),
    states: new Uint8Array(length),
  };
}

/** The row of a source, and the number of its newest slot since 1970. */
export type RingRow = { source_id: string; newest: number };

export class HistoryRings {
  readonly #rows = new Map<string, number>();
  #newest: number[] = [];
  #columns: RingColumns = createColumns(FIRST_ROWS);

  /** Counts an attempt that ended so at `now_ms`. */
  count(source_id: string, state: "ok" | SourceState, now_ms: number): void {
    const at = this.#open(source_id, now_ms);
    if (at === null) return;
    const { attempts, failures } = this.#columns;
    attempts[at]!++;
    if (state !== "ok") failures[at]!++;
    this.#worsen(at, state);
  }

  /** Notes what was seen of a source at `now_ms`; `age_s` null: its age is unknown. */
  observe(source_id: string, seen: Pick<RingSlot, "state" | "age_s">, now_ms: number): void {
    const at = this.#open(source_id, now_ms);
    if (at === null) return;
    const { ages } = this.#columns;
    this.#worsen(at, seen.state);
    if (seen.age_s === null) return;
    const age_s = Math.min(Math.max(0, Math.round(seen.age_s)), MAX_AGE_S);
    ages[at] = Math.max(ages[at]!, age_s + 1);
  }

  /** The slots until `now_ms`, the oldest first, null: unknown; null: nothing is kept of it. */
  read(source_id: string, now_ms: number): (RingSlot | null)[] | null {
    const row = this.#rows.get(source_id);
    if (row === undefined) return null;
    const last = toSlot(now_ms);
    return Array.from({ length: SLOTS }, (_, i) => this.#read(row, last - SLOTS + 1 + i));
  }

  /** Attempts until `now_ms`; null: it was not asked, as far as is known, nor seen at work. */
  countAttempts(source_id: string, now_ms: number): number | null {
    const row = this.#rows.get(source_id);
    if (row === undefined) return null;
    const last = toSlot(now_ms);
    let sum: number | null = null;
    for (let slot = last - SLOTS + 1; slot <= last; slot++) {
      const at = this.#find(row, slot);
      if (at === null || this.#columns.states[at]! <= FIRST_REQUEST) continue;
      sum = (sum ?? 0) + this.#columns.attempts[at]!;
    }
    return sum;
  }

  /** A copy of what is known of the sources that were asked in the last 24 hours or so. */
  export(now_ms: number): { rows: RingRow[]; columns: RingColumns } {
    const last = toSlot(now_ms);
    const requests = [...this.#rows].filter(
      ([, row]) => this.#newest[row]! > last - SLOTS && this.#wasAsked(row),
    );
    const columns = createColumns(requests.length);
    for (const [to, [, from]] of requests.entries()) copyRow(this.#columns, from, columns, to);
    const rows = requests.map(([source_id, row]) => ({ source_id, newest: this.#newest[row]! }));
    return { rows, columns };
  }

  /** Takes up what was exported, without what is older than 24 hours or after `now_ms`. */
  import({ rows, columns }: ReturnType<HistoryRings["export"]>, now_ms: number): void {
    const last = toSlot(now_ms);
    for (const [from, { source_id, newest }] of rows.entries()) {
      if (Math.abs(newest - last) >= SLOTS || this.#rows.has(source_id)) continue;
      const row = this.#add(source_id);
      if (row === null) return;
      this.#newest[row] = Math.min(newest, last);
      copyRow(columns, from, this.#columns, row);
      // The clock was ahead.
      for (let slot = last + 1; slot <= newest; slot++) this.#empty(toIndex(row, slot));
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
    const slot = toSlot(now_ms);
    const newest = this.#newest[row]!;
    if (slot <= newest - SLOTS) return null;
    if (slot > newest) {
      for (let old = Math.max(newest + 1, slot - SLOTS + 1); old <= slot; old++)
        this.#empty(toIndex(row, old));
      this.#newest[row] = slot;
    }
    return toIndex(row, slot);
  }

  #add(source_id: string): number | null {
    const row = this.#rows.size;
    if (row === MAX_SOURCES) return null;
    if (row * SLOTS === this.#columns.states.length) this.#grow();
    this.#rows.set(source_id, row);
    this.#newest[row] = 0;
    return row;
  }

  #grow(): void {
    const old = this.#columns;
    this.#columns = createColumns(Math.min(MAX_SOURCES, (old.states.length / SLOTS) * 2));
    this.#columns.attempts.set(old.attempts);
    this.#columns.failures.set(old.failures);
    this.#columns.ages.set(old.ages);
    this.#columns.states.set(old.states);
  }

  #empty(at: number): void {
    const { attempts, failures, ages, states } = this.#columns;
    attempts[at] = failures[at] = ages[at] = states[at] = 0;
  }

  #wasAsked(row: number): boolean {
    const { states } = this.#columns;
    const end = (row + 1) * SLOTS;
    for (let at = row * SLOTS; at < end; at++) if (states[at]! > FIRST_REQUEST) return true;
    return false;
  }

  #find(row: number, slot: number): number | null {
    const newest = this.#newest[row]!;
    return slot > newest || slot <= newest - SLOTS ? null : toIndex(row, slot);
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
}

function copyRow(source: RingColumns, from: number, target: RingColumns, to: number): void {
  for (const name of ["attempts", "failures", "ages", "states"] as const)
    target[name].set(source[name].subarray(from * SLOTS, (from + 1) * SLOTS), to * SLOTS);
}

/** Number of the slot of a time, since 1970. */
export function toSlot(epoch_ms: number): number {
  return Math.floor(epoch_ms / SLOT_MS);
}

function toIndex(row: number, slot: number): number {
  return row * SLOTS + (slot % SLOTS);
}
