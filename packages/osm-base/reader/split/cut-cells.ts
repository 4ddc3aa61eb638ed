/** Cells of pages, cut from what lies in squares so that no page becomes too large. */
import {
  type PageCell,
  type PageLevel,
  PAGE_LEVELS,
  quartersOf,
  WHOLE,
} from "../../pages/page-cell.ts";
import { LatRows } from "./lat-rows.ts";
import { toX } from "../../tiles/grid.ts";
import { FULL_BITS } from "../../tiles/grid.ts";

const ZOOM = PAGE_LEVELS.ground.zoom;
const SIDE = 2 ** ZOOM;
const BITS = FULL_BITS - ZOOM;

/** Sums by zoom, from the greatest down; each row by row. */
export type Pyramid = readonly Float64Array[];

/** Sums in each square of the greatest zoom of pages. */
export class SquareSums {
  readonly #rows = new LatRows(ZOOM);
  readonly #sums = new Float64Array(SIDE * SIDE);

  add(lat7: number, lon7: number, value: number): void {
    const row = this.#rows.at(lat7);
    const column = Math.min(SIDE - 1, toX(lon7) >> BITS);
    this.#sums[row * SIDE + column]! += value;
  }

  /** Sums of the squares in each square of every zoom, from the greatest down. */
  pyramid(): Pyramid {
    const levels = [this.#sums];
    for (let side = SIDE / 2; side >= 1; side /= 2) {
      const below = levels.at(-1)!;
      const sums = new Float64Array(side * side);
      for (let y = 0; y < side; y++) {
        const upper = below.subarray(4 * y * side, 4 * y * side + 2 * side);
        const lower = below.subarray(4 * y * side + 2 * side, 4 * (y + 1) * side);
        for (let x = 0; x < side; x++)
          sums[y * side + x] =
            upper[2 * x]! + upper[2 * x + 1]! + lower[2 * x]! + lower[2 * x + 1]!;
      }
      levels.push(sums);
    }
    return levels;
  }
}

/**
 * Cells of a level, which make up the world: those with more than `most` are cut into quarters,
 * down to the smallest of the level.
 */
export function cutCells(pyramid: Pyramid, level: PageLevel, most: number): PageCell[] {
  const { zoom } = PAGE_LEVELS[level];
  const cells: PageCell[] = [];
  const left: PageCell[] = [WHOLE];
  for (let cell = left.pop(); cell !== undefined; cell = left.pop()) {
    const { z, x, y } = cell;
    const isFull = pyramid[ZOOM - z]![y * 2 ** z + x]! > most;
    if (isFull && z < zoom) left.push(...quartersOf(cell).toReversed());
    else cells.push(cell);
  }
  return cells;
}
