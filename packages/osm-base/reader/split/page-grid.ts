/** Pages of one level on the squares of its greatest zoom: which page has a point, and which a box touches. */
import {
  boxOfCell,
  type GridBox,
  type PageCell,
  type PageLevel,
  PAGE_LEVELS,
} from "../../pages/page-cell.ts";
import { FULL_BITS } from "../../tiles/grid.ts";

export class PageGrid {
  readonly level: PageLevel;
  /** Number of the first page of the level; the others follow it. */
  readonly first: number;
  readonly cells: readonly PageCell[];
  readonly #side: number;
  readonly #bits: number;
  readonly #pages: Int32Array;
  /** By page: the call that has seen it last. */
  readonly #seen: Uint32Array;
  readonly #spend: (work: number) => void;
  #call = 0;

  /** `cells` make up the world and do not overlap. `spend`: takes how many places are looked at. */
  constructor(
    level: PageLevel,
    cells: readonly PageCell[],
    { first, spend }: { first: number; spend: (work: number) => void },
  ) {
    // One cell needs no squares.
    const zoom = cells.length === 1 ? 0 : PAGE_LEVELS[level].zoom;
    this.level = level;
    this.#spend = spend;
    this.first = first;
    this.cells = cells;
    this.#side = 2 ** zoom;
    this.#bits = FULL_BITS - zoom;
    this.#pages = new Int32Array(this.#side ** 2);
    this.#seen = new Uint32Array(cells.length);
    for (const [number, { z, x, y }] of cells.entries()) {
      const size = 2 ** (zoom - z);
      for (let row = y * size; row < (y + 1) * size; row++)
        this.#pages.fill(
          first + number,
          row * this.#side + x * size,
          row * this.#side + (x + 1) * size,
        );
    }
  }

  /** Page that has a point of the grid. */
  at(x: number, y: number): number {
    return this.#pages[this.#square(y) * this.#side + this.#square(x)]!;
  }

  /** Middle of the cell of a page. */
  middleOf(page: number): { x: number; y: number } {
    const { west, north, east, south } = boxOfCell(this.cells[page - this.first]!);
    return { x: (west + east) / 2, y: (north + south) / 2 };
  }

  /** The page that has a whole box, edges and all; -1: there are several. */
  onlyIn({ west, north, east, south }: GridBox): number {
    const page = this.at(west, north);
    const { z } = this.cells[page - this.first]!;
    const bits = FULL_BITS - z;
    // Beyond the edge of the world there is none.
    const [left, right] = [this.#clamp(west) >> bits, this.#clamp(east) >> bits];
    const [top, bottom] = [this.#clamp(north) >> bits, this.#clamp(south) >> bits];
    return left === right && top === bottom ? page : -1;
  }

  /** Calls back once for each page that a box touches, edges and all. */
  touching(box: GridBox, see: (page: number) => void): void {
    const [top, bottom] = [this.#square(box.north), this.#square(box.south)];
    const [left, right] = [this.#square(box.west), this.#square(box.east)];
    const squares = (bottom - top + 1) * (right - left + 1);
    // A large box is answered from the cells, of which there are fewer.
    if (squares > 4 * this.cells.length) {
      this.#spend(this.cells.length);
      for (const [number, cell] of this.cells.entries())
        if (this.#isTouched(cell, { left, right, top, bottom })) see(this.first + number);
      return;
    }
    this.#spend(squares);
    this.#call += 1;
    for (let row = top; row <= bottom; row++)
      for (let column = left; column <= right; column++) {
        const page = this.#pages[row * this.#side + column]!;
        if (this.#seen[page - this.first] === this.#call) continue;
        this.#seen[page - this.first] = this.#call;
        see(page);
      }
  }

  /** `squares`: the first and the last that are touched. */
  #isTouched(
    { z, x, y }: PageCell,
    squares: { left: number; right: number; top: number; bottom: number },
  ): boolean {
    const size = this.#side / 2 ** z;
    return (
      x * size <= squares.right &&
      (x + 1) * size > squares.left &&
      y * size <= squares.bottom &&
      (y + 1) * size > squares.top
    );
  }

  #clamp(value: number): number {
    return Math.max(0, Math.min(2 ** FULL_BITS - 1, value));
  }

  #square(value: number): number {
    return this.#clamp(value) >> this.#bits;
  }
}
