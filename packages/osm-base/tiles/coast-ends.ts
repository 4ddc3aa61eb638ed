/** How coastlines go on in one another, by their ends alone: which break off, and which are small rings. */
import type { TileBox, TilePoints } from "./grid.ts";
import { SQUARE_SIZE, SQUARES } from "./sea-facts.ts";
import { Rows } from "./tile-rows.ts";

/** A chain of lines that does not end where it begins. */
export type BrokenCoast = { x0: number; y0: number; x1: number; y1: number };

/**
 * Points outside of a box to which a line is led on that breaks off in it: in the direction in which it
 * runs as a whole. null: that end does not lie in the box.
 */
export function leadOut(
  { x0, y0, x1, y1 }: BrokenCoast,
  box: TileBox,
): { before: [x: number, y: number] | null; after: [x: number, y: number] | null } {
  const length = Math.hypot(x1 - x0, y1 - y0) || 1;
  const far = 2 * Math.max(box.maxX - box.minX, box.maxY - box.minY);
  const dx = Math.round(((x1 - x0) / length) * far);
  const dy = Math.round(((y1 - y0) / length) * far);
  return {
    before: isWithin(box, x0, y0) ? [x0 - dx, y0 - dy] : null,
    after: isWithin(box, x1, y1) ? [x1 + dx, y1 + dy] : null,
  };
}

function isWithin({ minX, minY, maxX, maxY }: TileBox, x: number, y: number): boolean {
  return x > minX && x < maxX && y > minY && y < maxY;
}

const START = 0;
const END = 2;
const SQUARE = 4;
/** Of a line that is in more than one square. */
const NO_SQUARE = SQUARES * SQUARES;
const NONE = -1;

type Chain = { first: number; last: number; isClosed: boolean; square: number; size: number };

export class CoastEnds {
  readonly #rows = new Rows(5);
  /** Twice the area between each line and the corner of its square. */
  readonly #sizes: number[] = [];
  #chains: Chain[] | null = null;

  get count(): number {
    return this.#rows.length;
  }

  add(line: TilePoints): void {
    const last = line.length - 2;
    const square = squareOf(line);
    this.#rows.push([line[0]!, line[1]!, line[last]!, line[last + 1]!, square]);
    this.#sizes.push(square === NO_SQUARE ? 0 : sizeOf(line));
  }

  listBroken(): BrokenCoast[] {
    return this.#toChains().flatMap(({ first, last, isClosed }) => {
      const [x0, y0] = [this.#rows.at(first, START), this.#rows.at(first, START + 1)];
      const [x1, y1] = [this.#rows.at(last, END), this.#rows.at(last, END + 1)];
      return isClosed ? [] : [{ x0, y0, x1, y1 }];
    });
  }

  /** Twice the area of the largest ring of each square that has one: below zero is an island. */
  listRings(): Map<number, number> {
    const rings = new Map<number, number>();
    for (const { isClosed, square, size } of this.#toChains()) {
      if (!isClosed || square === NO_SQUARE || size === 0) continue;
      if (Math.abs(size) > Math.abs(rings.get(square) ?? 0)) rings.set(square, size);
    }
    return rings;
  }

  #toChains(): Chain[] {
    if (this.#chains !== null) return this.#chains;
    const count = this.#rows.length;
    const next = this.#findNext();
    const hasBefore = new Uint8Array(count);
    for (const line of next) if (line !== NONE) hasBefore[line] = 1;
    const used = new Uint8Array(count);
    const follow = (first: number): Chain => {
      const square = this.#rows.at(first, SQUARE);
      const chain: Chain = { first, last: first, isClosed: false, square, size: 0 };
      let line = first;
      while (line !== NONE && used[line] === 0) {
        used[line] = 1;
        chain.last = line;
        chain.size += this.#sizes[line]!;
        if (this.#rows.at(line, SQUARE) !== square) chain.square = NO_SQUARE;
        line = next[line]!;
      }
      chain.isClosed =
        this.#rows.at(first, START) === this.#rows.at(chain.last, END) &&
        this.#rows.at(first, START + 1) === this.#rows.at(chain.last, END + 1);
      return chain;
    };
    // Those that nothing leads to first; what is left then are rings.
    const order = [...used.keys()];
    this.#chains = [...order.filter((line) => hasBefore[line] === 0), ...order].flatMap((line) =>
      used[line] === 1 ? [] : [follow(line)],
    );
    return this.#chains;
  }

  /** By line: the one that begins where it ends; NONE: there is none. */
  #findNext(): Int32Array {
    const rows = this.#rows;
    const compare = (a: number, i: number, b: number, j: number): number =>
      rows.at(a, i) - rows.at(b, j) || rows.at(a, i + 1) - rows.at(b, j + 1);
    const order = (column: number): Uint32Array =>
      Uint32Array.from({ length: rows.length }, (_, line) => line).sort(
        (a, b) => compare(a, column, b, column) || a - b,
      );
    const starts = order(START);
    const next = new Int32Array(rows.length).fill(NONE);
    let at = 0;
    for (const line of order(END)) {
      while (at < starts.length && compare(starts[at]!, START, line, END) < 0) at += 1;
      if (at < starts.length && compare(starts[at]!, START, line, END) === 0)
        next[line] = starts[at]!;
    }
    return next;
  }
}

/** NO_SQUARE: it is in several. */
function squareOf(line: TilePoints): number {
  const x = Math.floor(line[0]! / SQUARE_SIZE);
  const y = Math.floor(line[1]! / SQUARE_SIZE);
  for (let i = 2; i < line.length; i += 2)
    if (Math.floor(line[i]! / SQUARE_SIZE) !== x || Math.floor(line[i + 1]! / SQUARE_SIZE) !== y)
      return NO_SQUARE;
  return x < SQUARES && y < SQUARES ? y * SQUARES + x : NO_SQUARE;
}

/** Of the stretches from point to point, so that those of lines that make up a ring are its area. */
function sizeOf(line: TilePoints): number {
  const [x, y] = [line[0]! - (line[0]! % SQUARE_SIZE), line[1]! - (line[1]! % SQUARE_SIZE)];
  let sum = 0;
  for (let i = 0; i + 3 < line.length; i += 2)
    sum += (line[i]! - x) * (line[i + 3]! - y) - (line[i + 2]! - x) * (line[i + 1]! - y);
  return sum;
}
