/** Which pages a place touches: cells of pages do not overlap, and are found from the greatest zoom down. */
import { FULL_BITS } from "../tiles/grid.ts";
import { cellAt, type GridBox, isWithinCell, type PageCell } from "./page-cell.ts";

export class PageTable {
  readonly #cells: readonly PageCell[];
  readonly #numbers = new Map<string, number>();
  readonly #zooms: readonly number[];

  readonly #pages: readonly number[];

  /** Cells of one level, and the numbers of their pages; absent: their places in the list. */
  constructor(cells: readonly PageCell[], pages: readonly number[] = [...cells.keys()]) {
    this.#cells = cells;
    this.#pages = pages;
    for (const [i, cell] of cells.entries()) this.#numbers.set(keyOf(cell), pages[i]!);
    this.#zooms = [...new Set(cells.map(({ z }) => z))].sort((a, b) => b - a);
  }

  /** Number of the page whose cell holds a point; null: no page does. */
  at(lat7: number, lon7: number): number | null {
    for (const z of this.#zooms) {
      const number = this.#numbers.get(keyOf(cellAt(z, lat7, lon7)));
      if (number !== undefined) return number;
    }
    return null;
  }

  /** Numbers of the pages whose cells touch a box of the grid, in ascending order. */
  touching({ west, north, east, south }: GridBox): number[] {
    const numbers: number[] = [];
    for (const z of this.#zooms) {
      const size = 2 ** (FULL_BITS - z);
      const [left, right] = [Math.floor(west / size), Math.floor((east - 1) / size)];
      const [top, bottom] = [Math.floor(north / size), Math.floor((south - 1) / size)];
      // A box of more cells than there are pages is answered from the pages.
      if ((right - left + 1) * (bottom - top + 1) > this.#cells.length)
        return this.#listTouching({ west, north, east, south });
      for (let y = top; y <= bottom; y++)
        for (let x = left; x <= right; x++) {
          const number = this.#numbers.get(keyOf({ z, x, y }));
          if (number !== undefined) numbers.push(number);
        }
    }
    return numbers.sort((a, b) => a - b);
  }

  /** Numbers of the pages that make up a cell, or the one that holds it. */
  of(cell: PageCell): number[] {
    return this.#cells.flatMap((own, i) =>
      isWithinCell(own, cell) || isWithinCell(cell, own) ? [this.#pages[i]!] : [],
    );
  }

  #listTouching({ west, north, east, south }: GridBox): number[] {
    return this.#cells.flatMap(({ z, x, y }, i) => {
      const size = 2 ** (FULL_BITS - z);
      const isTouched =
        x * size < east && (x + 1) * size > west && y * size < south && (y + 1) * size > north;
      return isTouched ? [this.#pages[i]!] : [];
    });
  }
}

function keyOf({ z, x, y }: PageCell): string {
  return `${z}/${x}/${y}`;
}
