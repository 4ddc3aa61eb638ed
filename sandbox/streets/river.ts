// The river of a city: where it is wet, and what would cross it.
import { type Spot, toSpot } from "../openbase/plane.ts";
import { listRiver } from "../world/plan.ts";
import type { City } from "../world/model.ts";
import { apart, besides, crossing, square } from "./plane.ts";

/** From the middle of the river to its banks. */
export const HALF_RIVER_M = 38;
const BANK_M = 6;

export class River {
  readonly line: readonly Spot[];
  readonly #longest_m: number;

  constructor(city: City, seed: number) {
    this.line = listRiver(city, seed).map((point) => toSpot(city, point));
    const lengths = this.line.slice(1).map((to, n) => apart(this.line[n]!, to));
    this.#longest_m = Math.max(...lengths);
  }

  /** Shares of a line at which it crosses the middle of the river. */
  crossings(a: Spot, b: Spot): number[] {
    const reach = (apart(a, b) + this.#longest_m) ** 2;
    const shares: number[] = [];
    for (let n = 1; n < this.line.length; n += 1) {
      const from = this.line[n - 1]!;
      if (square(a, from) > reach) continue;
      const share = crossing(a, b, from, this.line[n]!);
      if (share !== null) shares.push(share);
    }
    return shares;
  }

  isBetween(a: Spot, b: Spot): boolean {
    return this.crossings(a, b).length > 0;
  }

  isWet(at: Spot): boolean {
    const most_m = HALF_RIVER_M + BANK_M;
    const reach = (this.#longest_m + most_m) ** 2;
    return this.line.some(
      (to, n) => n > 0 && square(at, to) < reach && besides(at, this.line[n - 1]!, to) < most_m,
    );
  }
}
