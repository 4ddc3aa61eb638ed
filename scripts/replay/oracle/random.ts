/** Seeded random numbers: the same circles on every run. */
export type Dice = {
  /** [from, to). */
  between(from: number, to: number): number;
  pick<T>(list: readonly T[]): T;
};

/** mulberry32: small, and good enough to scatter points. */
export function createDice(seed: number): Dice {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    between: (from, to) => from + next() * (to - from),
    pick: (list) => list[Math.floor(next() * list.length)]!,
  };
}
