/**
 * Which documents of a page are its own: those whose point is in its cell. What lies near to the cell
 * is in the page too, for what it says of others, and is an answer of the page that owns it.
 */
import { type Columns, columnOf } from "#kit/pack.ts";
import { boxOfCell, isInCell, type PageCell } from "../pages/page-cell.ts";
import { toX, toY } from "../tiles/grid.ts";

export type OwnedDocs = {
  /** Whether the point of a document is in the cell: each document counts in one page. */
  counts(doc: number): boolean;
  /**
   * Whether the page answers with a document. Of a street that cells cut each page that it touches has
   * a part, with the numbers there; of all others it is the page that counts it.
   */
  answers(doc: number): boolean;
};

/** `columns`: of a geocoder, by their names in it; `meta`: how many places and streets come first. */
export function createOwnedDocs(
  columns: Columns,
  { places, streets }: { places: number; streets: number },
  cell: PageCell,
): OwnedDocs {
  if (cell.z === 0) return { counts: () => true, answers: () => true };
  const lat7 = columnOf(columns, "docs.lat7", Int32Array);
  const lon7 = columnOf(columns, "docs.lon7", Int32Array);
  const boxes = columnOf(columns, "docs.boxes", Int32Array);
  const { west, north, east, south } = boxOfCell(cell);
  const counts = (doc: number): boolean => isInCell(cell, lat7[doc]!, lon7[doc]!);
  const touches = (doc: number): boolean =>
    toX(boxes[doc * 4 + 1]!) < east &&
    toX(boxes[doc * 4 + 3]!) >= west &&
    toY(boxes[doc * 4 + 2]!) < south &&
    toY(boxes[doc * 4]!) >= north;
  const isStreet = (doc: number): boolean => doc >= places && doc < places + streets;
  return { counts, answers: (doc) => (isStreet(doc) ? touches(doc) : counts(doc)) };
}
