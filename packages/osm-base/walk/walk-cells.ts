/**
 * Squares of the globe by which edges are found: 2^14 ten-millionths of a degree, 182 m from south to
 * north. The key grows from the south-west, row by row.
 */
export const CELL = 1 << 14;
const SOUTH7 = -900_000_000;
const WEST7 = -1_800_000_000;
export const COLUMNS = Math.ceil(3_600_000_001 / CELL);

export function rowOf(lat7: number): number {
  return Math.floor((lat7 - SOUTH7) / CELL);
}

/** Column of a longitude; beyond the antimeridian it is that of the other side. */
export function columnOf(lon7: number): number {
  const column = Math.floor((lon7 - WEST7) / CELL);
  return column < 0 ? column + COLUMNS : column % COLUMNS;
}

export function keyOf(lat7: number, lon7: number): number {
  return rowOf(lat7) * COLUMNS + columnOf(lon7);
}

/** South-west corner of a cell. */
export function cornerOf(key: number): { lat7: number; lon7: number } {
  const row = Math.floor(key / COLUMNS);
  // A remainder of numbers of more than 32 bits takes ten times as long.
  const column = key - row * COLUMNS;
  return { lat7: row * CELL + SOUTH7, lon7: column * CELL + WEST7 };
}

/** Calls back for each cell that a segment passes, but not more than `most` cells of it. */
export function passCells(
  from: readonly [lat7: number, lon7: number],
  to: readonly [lat7: number, lon7: number],
  onCell: (key: number) => void,
): void {
  const rows = [rowOf(from[0]), rowOf(to[0])];
  const step = rows[1]! >= rows[0]! ? 1 : -1;
  for (let row = rows[0]!; ; row += step) {
    // The part of the segment that lies in this row.
    const [low, high] = [row * CELL + SOUTH7, (row + 1) * CELL + SOUTH7];
    const [a, b] = [lonAt(from, to, low, high, from), lonAt(from, to, low, high, to)];
    const columns = [Math.floor((a - WEST7) / CELL), Math.floor((b - WEST7) / CELL)];
    const [first, last] = [Math.min(...columns), Math.max(...columns)];
    for (let column = first; column <= last; column++) onCell(row * COLUMNS + (column % COLUMNS));
    if (row === rows[1]) return;
  }
}

/** Longitude where the segment, cut to a band of latitudes, has its end next to `end`. */
function lonAt(
  from: readonly [number, number],
  to: readonly [number, number],
  low: number,
  high: number,
  end: readonly [number, number],
): number {
  const lat = Math.min(high, Math.max(low, end[0]));
  if (from[0] === to[0]) return end[1];
  return from[1] + ((to[1] - from[1]) * (lat - from[0])) / (to[0] - from[0]);
}
