/**
 * Bound of what lies at one point: a heap of places of one kind within a metre is a mistake of its
 * publisher, or an attack, and every circle around it would pay for it (as stations: density.ts).
 */
import { METRES_PER_DEGREE } from "#kit/geo.ts";
import type { Location } from "#kit/geo.ts";

/** Places of one kind in a square metre. */
const MOST_WITHIN_A_METRE = 64;
/** Why the others are left out. */
export const CROWDED = "crowded";

/** More square metres than a parallel has. */
const COLUMNS = 2 ** 26;
const RAD = Math.PI / 180;

/** Counts the places of one kind. */
export class Crowd {
  readonly #counts = new Map<number, number>();

  /** Whether it is one of the first in its square metre. */
  admits({ lat, lon }: Location): boolean {
    const row = Math.floor((lat + 90) * METRES_PER_DEGREE);
    const width = Math.cos((row / METRES_PER_DEGREE - 90) * RAD) * METRES_PER_DEGREE;
    const cell = row * COLUMNS + Math.floor((lon + 180) * Math.max(0, width));
    const count = this.#counts.get(cell) ?? 0;
    if (count < MOST_WITHIN_A_METRE) this.#counts.set(cell, count + 1);
    return count < MOST_WITHIN_A_METRE;
  }
}
