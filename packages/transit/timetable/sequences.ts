/**
 * Distinct sequences of whole numbers, numbered in the order in which they are first added: trips of
 * one line share their stops, and most share their running times.
 */
import { grown } from "#kit/growing.ts";

const FIRST = 256;
const FNV_PRIME = 0x01000193;

export class Sequences {
  readonly #seed: number;
  #values = new Int32Array(FIRST * 16);
  #starts = new Uint32Array(FIRST + 1);
  #hashes = new Int32Array(FIRST);
  /** Number + 1; 0 is free. Never more than half full. */
  #slots = new Int32Array(FIRST * 2);
  #count = 0;

  /** The seed keeps a publisher from choosing values that all fall together. */
  constructor(seed: number) {
    this.#seed = seed;
  }

  get count(): number {
    return this.#count;
  }

  /** A view, good until the next `intern`. */
  at(index: number): Int32Array {
    return this.#values.subarray(this.#starts[index], this.#starts[index + 1]);
  }

  /** Number of the first `length` values, which are copied where they are new. */
  intern(values: Int32Array, length: number): number {
    const hash = hashOf(this.#seed, values, length);
    let slot = this.#slotOf(hash, values, length);
    if (this.#slots[slot] !== 0) return this.#slots[slot]! - 1;
    if (this.#count === this.#hashes.length) {
      this.#widen();
      slot = this.#slotOf(hash, values, length);
    }
    const from = this.#starts[this.#count]!;
    const end = from + length;
    if (end > this.#values.length)
      this.#values = grown(this.#values, Math.max(end, this.#values.length * 2));
    this.#values.set(values.subarray(0, length), from);
    this.#hashes[this.#count] = hash;
    this.#slots[slot] = this.#count + 1;
    this.#starts[this.#count + 1] = end;
    return this.#count++;
  }

  #slotOf(hash: number, values: Int32Array, length: number): number {
    const mask = this.#slots.length - 1;
    let slot = hash & mask;
    for (; this.#slots[slot] !== 0; slot = (slot + 1) & mask) {
      const index = this.#slots[slot]! - 1;
      if (this.#hashes[index] === hash && this.#isAt(index, values, length)) return slot;
    }
    return slot;
  }

  #isAt(index: number, values: Int32Array, length: number): boolean {
    const from = this.#starts[index]!;
    if (this.#starts[index + 1]! - from !== length) return false;
    for (let i = 0; i < length; i++) if (this.#values[from + i] !== values[i]) return false;
    return true;
  }

  #widen(): void {
    const size = this.#hashes.length * 2;
    this.#hashes = grown(this.#hashes, size);
    this.#starts = grown(this.#starts, size + 1);
    this.#slots = new Int32Array(size * 2);
    const mask = this.#slots.length - 1;
    for (let index = 0; index < this.#count; index++) {
      let slot = this.#hashes[index]! & mask;
      while (this.#slots[slot] !== 0) slot = (slot + 1) & mask;
      this.#slots[slot] = index + 1;
    }
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
