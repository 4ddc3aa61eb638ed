/**
 * Distinct sequences of whole numbers, numbered in the order in which they are first added: trips of
 * one line share their stops, and most share their running times.
 */
export type Sequences = {
  /** Number of the first `length` values, which are copied where they are new. */
  intern(values: Int32Array, length: number): number;
  /** A view, good until the next `intern`. */
  at(index: number): Int32Array;
  count(): number;
};

const FIRST = 256;
const FNV_PRIME = 0x01000193;

/** The seed keeps a publisher from choosing values that all fall together. */
export function createSequences(seed: number): Sequences {
  let values = new Int32Array(FIRST * 16);
  let starts = new Uint32Array(FIRST + 1);
  let hashes = new Int32Array(FIRST);
  /** Number + 1; 0 is free. Never more than half full. */
  let slots = new Int32Array(FIRST * 2);
  let count = 0;

  function isAt(index: number, wanted: Int32Array, length: number): boolean {
    const from = starts[index]!;
    if (starts[index + 1]! - from !== length) return false;
    for (let i = 0; i < length; i++) if (values[from + i] !== wanted[i]) return false;
    return true;
  }

  function place(hash: number, wanted: Int32Array, length: number): number {
    const mask = slots.length - 1;
    let at = hash & mask;
    for (; slots[at] !== 0; at = (at + 1) & mask) {
      const index = slots[at]! - 1;
      if (hashes[index] === hash && isAt(index, wanted, length)) return at;
    }
    return at;
  }

  function widen(): void {
    const size = hashes.length * 2;
    hashes = grown(hashes, size);
    const wider = new Uint32Array(size + 1);
    wider.set(starts);
    starts = wider;
    slots = new Int32Array(size * 2);
    const mask = slots.length - 1;
    for (let index = 0; index < count; index++) {
      let at = hashes[index]! & mask;
      while (slots[at] !== 0) at = (at + 1) & mask;
      slots[at] = index + 1;
    }
  }

  return {
    intern(wanted, length) {
      const hash = hashOf(seed, wanted, length);
      let at = place(hash, wanted, length);
      if (slots[at] !== 0) return slots[at]! - 1;
      if (count === hashes.length) {
        widen();
        at = place(hash, wanted, length);
      }
      const from = starts[count]!;
      if (from + length > values.length)
        values = grown(values, Math.max(from + length, values.length * 2));
      values.set(wanted.subarray(0, length), from);
      hashes[count] = hash;
      slots[at] = count + 1;
      starts[count + 1] = from + length;
      return count++;
    },
    at: (index) => values.subarray(starts[index], starts[index + 1]),
    count: () => count,
  };
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

function grown(column: Int32Array<ArrayBuffer>, size: number): Int32Array<ArrayBuffer> {
  const wider = new Int32Array(size);
  wider.set(column);
  return wider;
}
