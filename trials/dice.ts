/** Seeded randomness: the n-th request of a seed is the same on every run, whatever came before. */
export type Dice = {
  /** [0, 1). */
  next(): number;
  /** Both ends included. */
  integer(from: number, to: number): number;
  between(from: number, to: number): number;
  chance(probability: number): boolean;
  pick<T>(list: readonly T[]): T;
  shuffle<T>(list: readonly T[]): T[];
};

/** Numbers in [0, 1). */
export type Random = Dice["next"];

export function createDice(seed: number, index = 0): Dice {
  let state = (Math.imul(seed, 0x9e3779b1) ^ Math.imul(index + 1, 0x85ebca6b)) >>> 0;
  // mulberry32
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const integer = (from: number, to: number): number => from + Math.floor(next() * (to - from + 1));
  return {
    next,
    integer,
    between: (from, to) => from + next() * (to - from),
    chance: (probability) => next() < probability,
    pick: (list) => list[integer(0, list.length - 1)]!,
    shuffle: (list) => {
      const all = [...list];
      for (let at = all.length - 1; at > 0; at--) {
        const other = integer(0, at);
        [all[at], all[other]] = [all[other]!, all[at]!];
      }
      return all;
    },
  };
}
