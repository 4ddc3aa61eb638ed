/** Where things are that are counted and not shown: made for the nearest alone. */
import type { Budget } from "#kit/budget.ts";
import type { Location } from "#kit/geo.ts";

/** The nearest of them; `cut_m`: up to where these are all, null: everywhere. */
export type NearestSpots = { at: readonly Location[]; cut_m: number | null };

export const NO_SPOTS: NearestSpots = { at: [], cut_m: null };

export class Spots {
  readonly #all: { metres: number; locate: () => Location }[] = [];

  add(metres: number, locate: () => Location): void {
    this.#all.push({ metres, locate });
  }

  nearest(most: number, budget: Budget): NearestSpots {
    const sorted = this.#all.sort((a, b) => a.metres - b.metres);
    const at = sorted.slice(0, most).flatMap(({ locate }) => (budget.keep() ? [locate()] : []));
    return { at, cut_m: at.length < sorted.length ? Math.floor(sorted[at.length]!.metres) : null };
  }
}
