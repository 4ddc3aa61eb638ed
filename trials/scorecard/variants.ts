/** What is taken away before judging: keys, names, both, or precision. Seeded by the set's name. */
import { METRES_PER_DEGREE } from "#kit/geo.ts";
import type { Observation } from "#stations/index.ts";
import { createDice } from "../dice.ts";

export const VARIANTS = [
  "keys",
  "key_blind",
  "name_free",
  "key_and_name_free",
  "noise_20m",
] as const;
export type Variant = (typeof VARIANTS)[number];

type Change = (row: Observation, random: () => number) => Observation;

const NOISE_M = 20;

const CHANGES: Record<Variant, Change> = {
  keys: (row) => row,
  key_blind: blind,
  name_free: (row) => ({ ...row, name: "" }),
  key_and_name_free: (row, random) => ({ ...blind(row, random), name: "" }),
  noise_20m: (row, random) => {
    const metres = (): number => (random() * 2 - 1) * NOISE_M;
    return {
      ...row,
      lat: row.lat + metres() / METRES_PER_DEGREE,
      lon: row.lon + metres() / (METRES_PER_DEGREE * Math.cos((row.lat * Math.PI) / 180)),
    };
  },
};

export function vary(
  observations: readonly Observation[],
  variant: Variant,
  seed: string,
): Observation[] {
  const random = createDice(seedOf(`${seed} ${variant}`)).next;
  return observations.map((row) => CHANGES[variant](row, random));
}

function blind(row: Observation, random: () => number): Observation {
  const key = (): string =>
    Array.from({ length: 4 }, () =>
      Math.floor(random() * 2 ** 32)
        .toString(16)
        .padStart(8, "0"),
    ).join("");
  return {
    ...row,
    id: key(),
    keys: Object.fromEntries(Object.keys(row.keys).map((name) => [name, key()])),
  };
}

/** One seed for a text. */
function seedOf(text: string): number {
  let seed = 0;
  for (const letter of text) seed = (Math.imul(seed, 31) + letter.codePointAt(0)!) | 0;
  return seed >>> 0;
}
