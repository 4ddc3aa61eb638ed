/**
 * Numbers by key in memory that several threads share: one lock, and rows in sets of sixteen, of which a key
 * has one. Where a set is full, the row that is worth least to its owner goes: the memory never grows.
 */

/** Rows of a set. */
const WAYS = 16;
/** Cells before the keys: the lock, and two seeds of the hash. */
const HEAD = 4;
const LOCK = 0;
const FREE = 0;
/** Tries before a thread that waits lets others have the core, and how long it does, ms. */
const SPINS = 2_000;
const NAP_MS = 1;

/** What is handed to the threads. */
export type TableMemory = { cells: SharedArrayBuffer; sets: number; width: number };

/** Makes an empty table of `rows` rows or some more, of `width` numbers each; `seeds`: two that no caller knows. */
export function createTableMemory(
  { rows, width }: { rows: number; width: number },
  seeds: readonly [number, number],
): TableMemory {
  const sets = Math.ceil(rows / WAYS);
  const size = sets * WAYS;
  const cells = new SharedArrayBuffer(HEAD * 4 + size * 8 + size * width * 8);
  new Int32Array(cells, 0, HEAD).set([FREE, seeds[0], seeds[1], 0]);
  return { cells, sets, width };
}

export class SharedTable {
  readonly #head: Int32Array;
  /** Two for a row; both zero: the row is free. */
  readonly #keys: Int32Array;
  readonly #numbers: Float64Array;
  readonly #sets: number;
  readonly #width: number;
  readonly #owner: number;
  #isHeld = false;

  /** `owner`: a number above 0 of this thread alone, by which its lock is known. */
  constructor({ cells, sets, width }: TableMemory, owner: number) {
    const size = sets * WAYS;
    this.#head = new Int32Array(cells, 0, HEAD);
    this.#keys = new Int32Array(cells, HEAD * 4, size * 2);
    this.#numbers = new Float64Array(cells, HEAD * 4 + size * 8, size * width);
    this.#sets = sets;
    this.#width = width;
    this.#owner = owner;
  }

  /** Runs a task that ends at once, and no other thread's meanwhile. */
  locked<T>(task: () => T): T {
    if (this.#isHeld) return task();
    const head = this.#head;
    for (let tries = 1; Atomics.compareExchange(head, LOCK, FREE, this.#owner) !== FREE; tries++)
      if (tries % SPINS === 0) Atomics.wait(head, LOCK, Atomics.load(head, LOCK), NAP_MS);
    this.#isHeld = true;
    try {
      return task();
    } finally {
      this.#isHeld = false;
      Atomics.store(head, LOCK, FREE);
    }
  }

  /** Releases the lock of a thread that has died with it. */
  releaseOf(owner: number): void {
    Atomics.compareExchange(this.#head, LOCK, owner, FREE);
  }

  /** Row of a key; -1: it has none. */
  find(key: string): number {
    const [high, low] = this.#hash(key);
    const first = this.#firstOf(low);
    for (let row = first; row < first + WAYS; row++)
      if (this.#keys[2 * row] === high && this.#keys[2 * row + 1] === low) return row;
    return -1;
  }

  /**
   * Row of a key, made of zeros where it has none; in a full set in the place of the row of which `worth`
   * is least.
   */
  rowOf(key: string, worth: (row: number) => number): number {
    const [high, low] = this.#hash(key);
    const first = this.#firstOf(low);
    let free = -1;
    for (let row = first; row < first + WAYS; row++) {
      const other = this.#keys[2 * row];
      if (other === high && this.#keys[2 * row + 1] === low) return row;
      if (free < 0 && other === 0) free = row;
    }
    if (free < 0) free = this.#leastOf(first, worth);
    this.#numbers.fill(0, free * this.#width, (free + 1) * this.#width);
    this.#keys[2 * free] = high;
    this.#keys[2 * free + 1] = low;
    return free;
  }

  get(row: number, column = 0): number {
    return this.#numbers[row * this.#width + column]!;
  }

  set(row: number, value: number, column = 0): void {
    this.#numbers[row * this.#width + column] = value;
  }

  /** Sets one column of all rows to zero. */
  clear(column: number): void {
    for (let at = column; at < this.#numbers.length; at += this.#width) this.#numbers[at] = 0;
  }

  #leastOf(first: number, worth: (row: number) => number): number {
    let least = first;
    for (let row = first + 1; row < first + WAYS; row++) if (worth(row) < worth(least)) least = row;
    return least;
  }

  #firstOf(low: number): number {
    return ((low >>> 0) % this.#sets) * WAYS;
  }

  /** 64 bits that callers cannot foresee; the first half is never 0, which says that there is no key. */
  #hash(key: string): readonly [high: number, low: number] {
    let high = this.#head[1]!;
    let low = this.#head[2]!;
    for (let at = 0; at < key.length; at++) {
      const code = key.charCodeAt(at);
      high = Math.imul((high << 7) | (high >>> 25), 0x2c1b3c6d) ^ Math.imul(code, 0x165667b1);
      low = Math.imul((low << 11) | (low >>> 21), 0x297a2d39) ^ Math.imul(code, 0x27d4eb2f) ^ high;
    }
    return [mix(high ^ key.length) || 1, mix(low)];
  }
}

function mix(bits: number): number {
  const half = Math.imul(bits ^ (bits >>> 16), 0x21f0aaad);
  const whole = Math.imul(half ^ (half >>> 15), 0x735a2d97);
  return whole ^ (whole >>> 15);
}
