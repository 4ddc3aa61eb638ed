/** Puts rows in the order of their cells, in time that grows with their number alone. */
import { CELLS, cellAt, tileAt } from "#kit/tiles.ts";

/** Cells of a tile. */
const CELLS_OF_TILE = CELLS * CELLS;

/** The tile and the cell in it, in one number. */
export function cellKeyAt(lat: number, lon: number): number {
  return tileAt(lat, lon) * CELLS_OF_TILE + cellAt(lat, lon);
}

export function tileOfKey(key: number): number {
  return Math.floor(key / CELLS_OF_TILE);
}

/** Three digits of eleven bits hold every key. */
const DIGIT = 2 ** 11;
const DIGITS = [1, DIGIT, DIGIT * DIGIT] as const;

/** Numbers of the first `count` keys, the least key first; equal ones as they come. */
export function orderOfKeys(keys: Float64Array, count: number): Uint32Array {
  let order = new Uint32Array(count);
  for (let row = 0; row < count; row++) order[row] = row;
  let next = new Uint32Array(count);
  for (const unit of DIGITS) {
    const starts = new Uint32Array(DIGIT + 1);
    const digitOf = (row: number): number => Math.floor(keys[row]! / unit) % DIGIT;
    for (let row = 0; row < count; row++) starts[digitOf(row) + 1]!++;
    for (let digit = 0; digit < DIGIT; digit++) starts[digit + 1]! += starts[digit]!;
    for (const row of order) next[starts[digitOf(row)]!++] = row;
    [order, next] = [next, order];
  }
  return order;
}
