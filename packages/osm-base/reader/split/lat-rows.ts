/** Rows of squares by latitude, without projecting each point: where a row begins is found beforehand. */
import { FULL_BITS, toY } from "../../tiles/grid.ts";

const MOST_LAT7 = 900_000_000;

export class LatRows {
  /** By row: the greatest latitude that is not in a row before it. */
  readonly #tops: Int32Array;
  #row = 0;

  constructor(zoom: number) {
    const count = 2 ** zoom;
    const size = 2 ** (FULL_BITS - zoom);
    this.#tops = new Int32Array(count + 1);
    this.#tops[0] = MOST_LAT7;
    for (let row = 1; row < count; row++) this.#tops[row] = topOf(row * size);
    this.#tops[count] = -MOST_LAT7 - 1;
  }

  at(lat7: number): number {
    const tops = this.#tops;
    const { length } = tops;
    // Neighbours in the file are neighbours on the globe.
    if (lat7 <= tops[this.#row]! && lat7 > tops[this.#row + 1]!) return this.#row;
    let low = 0;
    let high = length - 2;
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if (lat7 <= tops[middle]!) low = middle;
      else high = middle - 1;
    }
    return (this.#row = low);
  }
}

/** The greatest latitude that lies at or south of a line of the grid. */
function topOf(y: number): number {
  let low = -MOST_LAT7;
  let high = MOST_LAT7;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (toY(middle) >= y) low = middle;
    else high = middle - 1;
  }
  return low;
}
