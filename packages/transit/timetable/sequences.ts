/**
 * Distinct sequences of whole numbers, numbered in the order in which they are first added: trips of
 * one line share their stops, and most share their running times.
 */
import { grown, letGo } from "#kit/growing.ts";

const FIRST = 256;
const FNV_PRIME = 0x01000193;
/**
 * Values of a part: the parts of many sequences need not be moved for more of them. Freed memory of
 * 32 MB leaves the process at once (glibc maps it on its own), smaller pieces stay with it.
 */
const PART_VALUES = 1 << 23;

export class Sequences {
  readonly #seed: number;
  readonly #part_values: number;
  /** The last one grows; the others are full, but for what the next sequence had no room in. */
  readonly #parts: Int32Array[];
  /** Per sequence its part, and where in it it lies. */
  #part_of = new Uint32Array(FIRST);
  #starts = new Uint32Array(FIRST);
  #lengths = new Uint32Array(FIRST);
  /** Hash and number + 1, side by side; 0 is free. Never more than three quarters full. */
  #slots = new Int32Array(FIRST * 2);
  #used = 0;
  #count = 0;

  /** The seed keeps a publisher from choosing values that all fall together. */
  constructor(seed: number, part_values: number = PART_VALUES) {
    this.#seed = seed;
    this.#part_values = part_values;
    this.#parts = [new Int32Array(Math.min(FIRST * 16, part_values))];
  }

  get count(): number {
    return this.#count;
  }

  /** A view, good until the next `intern`. */
  at(index: number): Int32Array {
    const start = this.#starts[index]!;
    return this.#parts[this.#part_of[index]!]!.subarray(start, start + this.#lengths[index]!);
  }

  /** The value at a place of a sequence. */
  valueAt(index: number, place: number): number {
    return this.#parts[this.#part_of[index]!]![this.#starts[index]! + place]!;
  }

  /** Number of the first `length` values, which are copied where they are new. */
  intern(values: Int32Array, length: number): number {
    const hash = hashOf(this.#seed, values, length);
    let slot = this.#slotOf(hash, values, length);
    if (this.#slots[slot + 1] !== 0) return this.#slots[slot + 1]! - 1;
    if (this.#count * 8 >= this.#slots.length * 3) {
      this.#widen();
      slot = this.#slotOf(hash, values, length);
    }
    const index = this.#count++;
    if (index === this.#starts.length) this.#makeRoom(index * 2);
    const part = this.#partFor(length);
    part.set(values.subarray(0, length), this.#used);
    this.#part_of[index] = this.#parts.length - 1;
    this.#starts[index] = this.#used;
    this.#lengths[index] = length;
    this.#used += length;
    this.#slots[slot] = hash;
    this.#slots[slot + 1] = index + 1;
    return index;
  }

  /** Lets go of all of it: nothing is read or added any more. */
  clear(): void {
    letGo([...this.#parts, this.#slots, this.#part_of, this.#starts, this.#lengths]);
    this.#count = 0;
  }

  /** The part that has room for this number of values more. */
  #partFor(length: number): Int32Array {
    const last = this.#parts.at(-1)!;
    const end = this.#used + length;
    if (end <= last.length) return last;
    if (last.length < this.#part_values) {
      const wider = grown(last, Math.max(end, last.length * 2));
      this.#parts[this.#parts.length - 1] = wider;
      return wider;
    }
    const next = new Int32Array(Math.max(length, this.#part_values));
    this.#parts.push(next);
    this.#used = 0;
    return next;
  }

  #slotOf(hash: number, values: Int32Array, length: number): number {
    const mask = this.#slots.length - 1;
    let slot = (hash << 1) & mask;
    for (; this.#slots[slot + 1] !== 0; slot = (slot + 2) & mask)
      if (this.#slots[slot] === hash && this.#isAt(this.#slots[slot + 1]! - 1, values, length))
        return slot;
    return slot;
  }

  #isAt(index: number, values: Int32Array, length: number): boolean {
    if (this.#lengths[index] !== length) return false;
    const part = this.#parts[this.#part_of[index]!]!;
    const from = this.#starts[index]!;
    for (let i = 0; i < length; i++) if (part[from + i] !== values[i]) return false;
    return true;
  }

  #makeRoom(size: number): void {
    this.#part_of = grown(this.#part_of, size);
    this.#starts = grown(this.#starts, size);
    this.#lengths = grown(this.#lengths, size);
  }

  #widen(): void {
    const old = this.#slots;
    const slots = new Int32Array(old.length * 2);
    const mask = slots.length - 1;
    for (let from = 0; from < old.length; from += 2) {
      if (old[from + 1] === 0) continue;
      let slot = (old[from]! << 1) & mask;
      while (slots[slot + 1] !== 0) slot = (slot + 2) & mask;
      slots[slot] = old[from]!;
      slots[slot + 1] = old[from + 1]!;
    }
    this.#slots = slots;
  }
}

/** FNV-1a over words, mixed at the end, since the table takes the low bits. */
function hashOf(seed: number, values: Int32Array, length: number): number {
  let hash = seed ^ length;
  for (let i = 0; i < length; i++) {
    hash = Math.imul(hash ^ values[i]!, FNV_PRIME);
    hash ^= hash >>> 15;
  }
  hash = Math.imul(hash, 0x2c1b3c6d);
  return hash ^ (hash >>> 13);
}
