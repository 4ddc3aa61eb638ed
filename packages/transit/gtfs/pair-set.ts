/**
 * Distinct pairs of numbers in one open table: which route serves which stop. Half a million rows of
 * `stop_times` are some thousand pairs (mobility.md 3.3).
 */
export type PairSet = {
  add(a: number, b: number): void;
  count(): number;
  /** In no order that means anything. */
  entries(): Generator<[a: number, b: number]>;
};

const FIRST_SLOTS = 1_024;
const FREE = -1;

/** Makes an empty set of pairs; `b` is below `width`. */
export function createPairSet(width: number): PairSet {
  // One number for both: exact up to 2^53.
  let slots = new Float64Array(FIRST_SLOTS).fill(FREE);
  let count = 0;

  function put(key: number): boolean {
    const mask = slots.length - 1;
    let at = mixed(key) & mask;
    while (slots[at] !== FREE) {
      if (slots[at] === key) return false;
      at = (at + 1) & mask;
    }
    slots[at] = key;
    return true;
  }

  function grow(): void {
    const old = slots;
    slots = new Float64Array(old.length * 2).fill(FREE);
    for (const key of old) if (key !== FREE) put(key);
  }

  return {
    add(a, b) {
      if (!put(a * width + b)) return;
      count++;
      if (count * 2 > slots.length) grow();
    },
    count: () => count,
    *entries() {
      for (const key of slots) {
        if (key === FREE) continue;
        const a = Math.floor(key / width);
        yield [a, key - a * width];
      }
    },
  };
}

function mixed(key: number): number {
  const high = Math.floor(key / 2 ** 32);
  let hash = Math.imul((key | 0) ^ Math.imul(high, 0x9e3779b1), 0x85ebca6b);
  hash ^= hash >>> 13;
  return Math.imul(hash, 0xc2b2ae35) ^ (hash >>> 16);
}
