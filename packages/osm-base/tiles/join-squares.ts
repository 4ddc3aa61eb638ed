/**
 * Which lines may be joined to one another: those that begin in the same square of the grid and are no
 * longer than half of one. So what a line becomes depends on those near it alone, and is the same in
 * each page of a base that has it.
 */
import { FULL_BITS, GROUPS, tileBox, type TilePoints } from "./grid.ts";

/** Zoom of the squares, by the group of zooms: there are eight in a row of the smallest cells. */
const ZOOMS = [8, 11, 14] as const;
const LONGEST = 1 / 2;

/** Number of the square in which the line is joined; null: it is too long. */
export function joinSquareOf(line: TilePoints, group: number): number | null {
  const size = sizeOf(group);
  const { minX, minY, maxX, maxY } = tileBox(line);
  if (Math.max(maxX - minX, maxY - minY) > size * LONGEST) return null;
  const squares = 2 ** FULL_BITS / size + 1;
  return Math.floor(line[1]! / size) * squares + Math.floor(line[0]! / size);
}

/** How far from a line that is drawn those that are joined to it may lie; 0: none are. */
export function joinReach(group: number): number {
  return group < GROUPS.length - 1 ? sizeOf(group) * (1 + LONGEST) : 0;
}

function sizeOf(group: number): number {
  return 2 ** (FULL_BITS - ZOOMS[group]!);
}
