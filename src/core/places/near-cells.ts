/** What lies near a point, by cells a little higher than the reach: what is near is in one of nine. */
import type { Location } from "#kit/geo.ts";

/** A cell is at least this high (111 m). */
const LEAST_DEGREES = 0.001;
/** Less than a degree of latitude has: what lies just within reach is never two cells away. */
const METRES_OF_A_DEGREE = 110_000;
/** This close to a pole a row is one cell: what is near may lie beyond the pole. */
const POLAR_DEGREES = 0.5;
/** More columns than a row has. */
const COLUMNS = 400_000;
const STEPS = [-1, 0, 1] as const;

export class NearCells {
  readonly #degrees: number;
  readonly #cells = new Map<number, number[]>();

  constructor(reach_m: number) {
    this.#degrees = Math.max(LEAST_DEGREES, reach_m / METRES_OF_A_DEGREE);
  }

  add(at: Location, item: number): void {
    const cell = this.#cellOf(at, 0, 0);
    const inside = this.#cells.get(cell);
    if (inside) inside.push(item);
    else this.#cells.set(cell, [item]);
  }

  /** Items within reach, and some beyond it. */
  around(at: Location): number[] {
    const near: number[] = [];
    const seen = new Set<number>();
    for (const up of STEPS)
      for (const right of STEPS) {
        const cell = this.#cellOf(at, up, right);
        const inside = this.#cells.get(cell);
        // Where a row has fewer than three columns, they are each other's neighbours.
        if (inside === undefined || seen.has(cell)) continue;
        seen.add(cell);
        for (const item of inside) near.push(item);
      }
    return near;
  }

  /** Columns widen towards the poles, so that one is never narrower than the bound. */
  #cellOf({ lat, lon }: Location, up: number, right: number): number {
    const row = Math.floor(lat / this.#degrees) + up;
    const row_lat = row * this.#degrees;
    const polar = Math.abs(row_lat) > 90 - POLAR_DEGREES;
    // Whole columns: a sliver at the antimeridian would part what is near.
    const columns = polar
      ? 1
      : Math.floor((360 / this.#degrees) * Math.cos((row_lat * Math.PI) / 180));
    const column = Math.floor(((lon + 180) / 360) * columns) + right;
    return row * COLUMNS + (((column % columns) + columns) % columns);
  }
}
