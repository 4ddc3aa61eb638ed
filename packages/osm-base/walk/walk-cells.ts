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

/**
 * Calls back for each cell that a segment passes: that from the point at `at` of a line (lat7, lon7, …)
 * to the next one.
 */
export function passCells(line: Int32Array, at: number, onCell: (key: number) => void): void {
  const [from_lat, to_lat] = [line[at]!, line[at + 2]!];
  const [from_row, to_row] = [rowOf(from_lat), rowOf(to_lat)];
  const step = to_row >= from_row ? 1 : -1;
  for (let row = from_row; ; row += step) {
    // The part of the segment that lies in this row.
    const [low, high] = [row * CELL + SOUTH7, (row + 1) * CELL + SOUTH7];
    const isLevel = from_lat === to_lat;
    const a = isLevel ? line[at + 1]! : lonAt(line, at, Math.min(high, Math.max(low, from_lat)));
    const b = isLevel ? line[at + 3]! : lonAt(line, at, Math.min(high, Math.max(low, to_lat)));
    const first = Math.floor((Math.min(a, b) - WEST7) / CELL);
    const last = Math.floor((Math.max(a, b) - WEST7) / CELL);
    for (let column = first; column <= last; column++) onCell(row * COLUMNS + (column % COLUMNS));
    if (row === to_row) return;
  }
}

/** Longitude where a segment that is not level has a latitude. */
function lonAt(line: Int32Array, at: number, lat: number): number {
  const [from_lat, from_lon] = [line[at]!, line[at + 1]!];
  return from_lon + ((line[at + 3]! - from_lon) * (lat - from_lat)) / (line[at + 2]! - from_lat);
}
