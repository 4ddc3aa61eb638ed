/**
 * What of an extract the sea of one of its pages depends on: in which squares of the grid it is drawn,
 * which of those without a coastline are sea, and how coastlines that break off go on. Values, so that
 * they can be handed to the threads that build pages.
 */
import { FULL_BITS, type TileBox } from "./grid.ts";

/** Squares of about thirty kilometres; the sea is drawn in those where something is, and next to it. */
const SEA_ZOOM = 10;
export const SQUARES = 2 ** SEA_ZOOM;
export const SQUARE_SIZE = 2 ** (FULL_BITS - SEA_ZOOM);

export type Square = { x: number; y: number };

export type SeaFacts = {
  /** The first square to the north-west, and how many there are. */
  x: number;
  y: number;
  columns: number;
  rows: number;
  /** By row and column: `DRAWN`, `SEA`, both or none. */
  states: Uint8Array;
  /** Straight lines from where coastlines break off to the edge of all squares, with the sea on the right. */
  leads: readonly number[][];
};

/** The sea is drawn in the square. */
export const DRAWN = 1;
/** Where no coastline is in the square, it is sea. */
export const SEA = 2;

export function boxOfSquare({ x, y }: Square): TileBox {
  return {
    minX: x * SQUARE_SIZE,
    minY: y * SQUARE_SIZE,
    maxX: (x + 1) * SQUARE_SIZE,
    maxY: (y + 1) * SQUARE_SIZE,
  };
}

/** Squares in which the sea is drawn and that touch a box, from west to east and north to south. */
export function* listDrawn(
  { x, y, columns, rows, states }: SeaFacts,
  box: TileBox,
): Generator<Square & { isSea: boolean }> {
  const first = { x: squareAt(box.minX, -1), y: squareAt(box.minY, -1) };
  const last = { x: squareAt(box.maxX, 0), y: squareAt(box.maxY, 0) };
  for (let row = Math.max(0, first.y - y); row < Math.min(rows, last.y - y + 1); row++)
    for (
      let column = Math.max(0, first.x - x);
      column < Math.min(columns, last.x - x + 1);
      column++
    ) {
      const state = states[row * columns + column]!;
      if (state & DRAWN) yield { x: x + column, y: y + row, isSea: (state & SEA) !== 0 };
    }
}

/** `edge`: what is on the edge of two squares is in the one before, -1, or in the one after, 0. */
export function squareAt(place: number, edge: -1 | 0): number {
  const at = place / SQUARE_SIZE;
  return Number.isInteger(at) ? at + edge : Math.floor(at);
}

/** Whether the tiles of a box show sea where no coastline is: a page of nothing else has it. */
export function isAtSea(facts: SeaFacts, box: TileBox): boolean {
  return [...listDrawn(facts, box)].some(({ isSea }) => isSea);
}
