/**
 * How well the resolver does in a city that it was not tuned on: for each set the tunable numbers are
 * chosen from a small grid on all other sets, and judged on the one held out.
 */
import { TUNING, type Tuning } from "#stations/resolution.ts";
import { judge, rates, sumCards } from "./judge.ts";
import type { Card } from "./judge.ts";
import type { LabelledSet } from "./sets.ts";
import type { Variant } from "./variants.ts";

/** What may be tuned; the rest of the table is reasoned, not fitted. */
const GRID = {
  merge: [0.6, 0.7, 0.8, 0.9],
  spacing_m: [100, 200, 400],
  moved_share: [0.02, 0.05, 0.1],
  name_different: [-4, -3, -2],
} as const satisfies Partial<Record<keyof Tuning, readonly number[]>>;
type Choice = Record<keyof typeof GRID, number>;

/** What is judged: the city where no key is shared. */
const VARIANT: Variant = "key_blind";
/** A wrong merge costs as much as this many missed ones: the aims are 0.995 and 0.97. */
const WRONG_COST = 6;

export type HeldOut = {
  stored: { name: string; chosen: Choice; card: Card }[];
  total: { precision: number; recall: number };
};

export function holdOut(sets: readonly LabelledSet[]): HeldOut {
  const choices = listChoices();
  const table = choices.map((choice) =>
    sets.map((set) => judge(set, VARIANT, { ...TUNING, ...choice })),
  );
  const stored = sets.map((set, out) => {
    const best = chooseBest(table.map((cards) => cards.filter((_, i) => i !== out)));
    return { name: set.name, chosen: choices[best]!, card: table[best]![out]! };
  });
  return { stored, total: rates(sumCards(stored.map(({ card }) => card))) };
}

/** The shipped numbers first, so that they win ties. */
function listChoices(): Choice[] {
  const all = Object.entries(GRID).reduce<Choice[]>(
    (choices, [name, values]) =>
      choices.flatMap((choice) => values.map((value) => ({ ...choice, [name]: value }))),
    [{} as Choice],
  );
  const distance = (choice: Choice): number =>
    Object.entries(choice).filter(([name, value]) => TUNING[name as keyof Tuning] !== value).length;
  return all.sort((x, y) => distance(x) - distance(y));
}

/** Least cost, every set counting alike whatever its size; the first of equals. */
function chooseBest(table: readonly (readonly Card[])[]): number {
  const costs = table.map((cards) =>
    cards.reduce((sum, { pairs, merged, contradicted }) => {
      const wrong = merged.different + merged.same_key_far + merged.neighbours + contradicted;
      const missed = pairs.same - merged.same;
      return sum + (missed + WRONG_COST * wrong) / Math.max(1, pairs.same + pairs.neighbours);
    }, 0),
  );
  return costs.indexOf(Math.min(...costs));
}
