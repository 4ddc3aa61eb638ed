/** A page's cell in the units of the map: what lies in it is known without a projection. */
import { cellAt, type PageCell } from "../pages/page-cell.ts";

/** Inclusive, in ten-millionths of a degree. */
export type CellBounds = { south7: number; north7: number; west7: number; east7: number };

const [POLE7, TURN7] = [900_000_000, 1_800_000_000];

/** null: the cell is the world, and all points lie in it. */
export function boundsOf(cell: PageCell | undefined): CellBounds | null {
  if (cell === undefined || cell.z === 0) return null;
  const { z, x, y } = cell;
  // Rows grow to the south, columns to the east.
  const rowFrom = (row: number): number =>
    firstOf(-POLE7, POLE7 + 1, (lat7) => isInRows(z, row, -lat7));
  const columnFrom = (column: number): number =>
    firstOf(-TURN7, TURN7 + 1, (lon7) => isInColumns(z, column, lon7));
  return {
    north7: -rowFrom(y),
    south7: 1 - rowFrom(y + 1),
    west7: columnFrom(x),
    east7: columnFrom(x + 1) - 1,
  };
}

export function isWithin(bounds: CellBounds | null, lat7: number, lon7: number): boolean {
  return (
    bounds === null ||
    (lat7 >= bounds.south7 && lat7 <= bounds.north7 && lon7 >= bounds.west7 && lon7 <= bounds.east7)
  );
}

/** The first number of a range from which on something is so; its end: it is of none. */
function firstOf(from: number, to: number, isSo: (value: number) => boolean): number {
  let [low, high] = [from, to];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (isSo(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Whether a latitude lies in a row or to the south of it. */
function isInRows(z: number, row: number, lat7: number): boolean {
  return row <= cellAt(z, lat7, 0).y;
}

function isInColumns(z: number, column: number, lon7: number): boolean {
  return column <= cellAt(z, 0, lon7).x;
}
