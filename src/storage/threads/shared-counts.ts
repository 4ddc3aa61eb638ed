/**
 * UnitCounts of several threads (ports/unit-counts.ts). A row has the units that were used, the beginning of
 * their period, and what each thread has reserved: what a thread that died had reserved is taken back.
 */
import type { UnitCounts } from "#ports/unit-counts.ts";
import { SharedTable, type TableMemory } from "./shared-table.ts";

const UNITS = 0;
const FROM_MS = 1;
const FIRST = 2;
/** Units beyond this number make a row worth no more than others of its period. */
const MANY = 1e9;

/** Numbers of a row for this number of threads. */
export function countsWidth(threads: number): number {
  return FIRST + threads;
}

export class SharedCounts implements UnitCounts {
  readonly #table: SharedTable;
  readonly #threads: number;
  readonly #own: number;

  /** `owner`: number of this thread, from 1. */
  constructor(memory: TableMemory, owner: number) {
    this.#table = new SharedTable(memory, owner);
    this.#threads = memory.width - FIRST;
    this.#own = FIRST + owner - 1;
  }

  together = <T>(task: () => T): T => this.#table.locked(task);

  used = (key: string, from_ms: number): number =>
    this.#table.locked(() => {
      const row = this.#table.find(key);
      return row >= 0 && this.#table.get(row, FROM_MS) === from_ms
        ? this.#table.get(row, UNITS)
        : 0;
    });

  add = (key: string, units: number, from_ms: number): void =>
    this.#table.locked(() => this.#addTo(this.#rowOf(key), units, from_ms));

  /** Units used under a key; `read`: those that were used before any thread has counted them here. */
  total(key: string, from_ms: number, read: () => number): number {
    return this.#table.locked(() => {
      const row = this.#rowOf(key);
      if (this.#table.get(row, FROM_MS) !== from_ms) this.#addTo(row, read(), from_ms);
      return this.#table.get(row, UNITS);
    });
  }

  reserved = (name: string): number =>
    this.#table.locked(() => {
      const row = this.#table.find(name);
      return row < 0 ? 0 : this.#reservedIn(row);
    });

  reserve = (name: string, units: number): void =>
    this.#table.locked(() => {
      const row = this.#rowOf(name);
      this.#table.set(row, this.#table.get(row, this.#own) + units, this.#own);
    });

  /**
   * Takes back all that a thread has reserved, which has died. Without the lock, which another one may hold
   * that has died as well: no other thread writes these numbers, but for the zeros of a row that another key takes.
   */
  endOf(owner: number): void {
    this.#table.releaseOf(owner);
    this.#table.clear(FIRST + owner - 1);
  }

  #rowOf(key: string): number {
    return this.#table.rowOf(key, this.#worth);
  }

  #addTo(row: number, units: number, from_ms: number): void {
    const before = this.#table.get(row, FROM_MS) === from_ms ? this.#table.get(row, UNITS) : 0;
    this.#table.set(row, before + units, UNITS);
    this.#table.set(row, from_ms, FROM_MS);
  }

  #reservedIn(row: number): number {
    let sum = 0;
    for (let thread = 0; thread < this.#threads; thread++)
      sum += this.#table.get(row, FIRST + thread);
    return sum;
  }

  /** What is reserved stays; of others those of the latest period, and the most of these. */
  readonly #worth = (row: number): number =>
    this.#reservedIn(row) > 0
      ? Infinity
      : this.#table.get(row, FROM_MS) + Math.min(this.#table.get(row, UNITS), MANY) / MANY;
}
