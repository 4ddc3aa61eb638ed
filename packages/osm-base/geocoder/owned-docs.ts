/**
 * Which documents of a page are its own: those whose point is in its cell. What lies near to the cell
 * is in the page too, for what it says of others, and is an answer of the page that owns it.
 */
import { boxOfCell, isInCell, type PageCell } from "../pages/page-cell.ts";
import { toX, toY } from "../tiles/grid.ts";

export type OwnedDocs = {
  /** Whether the point of a document is in the cell: each document counts in one page. */
  counts(doc: number): boolean;
  /**
   * Whether the page answers with a document. Of a street that cells cut each page that it touches has a
   * part, with the numbers there; of all others it is the page that counts it.
   */
  answers(doc: number): boolean;
};

type DocPlaces = {
  lat7: Int32Array;
  lon7: Int32Array;
  /** South, west, north, east of each. */
  boxes: Int32Array;
};

/**
 * `isCut`: whether a document is a street, of which pages have parts. `isMade`: whether it is one that no
 * other page has, wherever its point is: a postcode.
 */
export function createOwnedDocs(
  { lat7, lon7, boxes }: DocPlaces,
  { isCut, isMade }: Record<"isCut" | "isMade", (doc: number) => boolean>,
  cell: PageCell,
): OwnedDocs {
  if (cell.z === 0) return { counts: () => true, answers: () => true };
  const { west, north, east, south } = boxOfCell(cell);
  const counts = (doc: number): boolean => isMade(doc) || isInCell(cell, lat7[doc]!, lon7[doc]!);
  const touches = (doc: number): boolean =>
    toX(boxes[doc * 4 + 1]!) < east &&
    toX(boxes[doc * 4 + 3]!) >= west &&
    toY(boxes[doc * 4 + 2]!) < south &&
    toY(boxes[doc * 4]!) >= north;
  return { counts, answers: (doc) => counts(doc) || (isCut(doc) && touches(doc)) };
}
