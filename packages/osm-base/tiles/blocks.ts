/**
 * Buildings, which are most of what a map has: neighbours of like size share a row, so that a row's
 * own costs are theirs together.
 */
import { type Area, doubleAreaOf } from "./tile-areas.ts";
import { ByteWriter, release } from "./tile-bytes.ts";
import { Rows } from "./tile-rows.ts";
import { type ShapePart, readShape, writeShape } from "./tile-shape.ts";

export type Blocks = {
  add(area: Area): void;
  /** Hands over groups of neighbours with their size, from 0 for the largest to 3. */
  finish(each: (parts: readonly ShapePart[], size: number) => void): Generator<void, void>;
};

const TOGETHER_MAX = 32;
/** Height of the strips in which neighbours lie, as a power of two, and how far apart they may be. */
const STRIP_BITS = 10;
const WIDTH_MAX = 2048;
/** Twice the area in units, from which a building belongs to the larger ones. */
const SIZES = [6000, 2000, 700];
const ROWS_AT_ONCE = 16_384;
const WHOLE = { x: 0, y: 0, shift: 0 };

const STRIP = 0;
const WEST = 1;
const SHAPE = 2;

export function createBlocks(): Blocks {
  const shapes = new ByteWriter(65_536);
  const rows = new Rows(3);
  return {
    add(area) {
      const { points } = area[0]!;
      const strip = sizeOf(area) * 2 ** 17 + (points[1]! >> STRIP_BITS);
      rows.push([strip, points[0]!, shapes.length]);
      writeShape(shapes, area);
    },
    *finish(each) {
      const bytes = shapes.take();
      // By size, then by strip, then from west to east.
      const keys = new Float64Array(rows.length);
      for (let row = 0; row < rows.length; row++)
        keys[row] = rows.at(row, STRIP) * 2 ** 28 + rows.at(row, WEST);
      const order = Uint32Array.from(keys, (_, row) => row);
      order.sort((a, b) => keys[a]! - keys[b]! || a - b);
      yield;
      let parts: ShapePart[] = [];
      let first = 0;
      for (let i = 0; i < order.length; i++) {
        const row = order[i]!;
        for (const part of readShape(bytes, rows.at(row, SHAPE), WHOLE)) parts.push(part);
        const next = keys[order[i + 1]!] ?? Infinity;
        if (i - first + 1 === TOGETHER_MAX || next - keys[order[first]!]! > WIDTH_MAX) {
          each(parts, Math.floor(keys[row]! / 2 ** 45));
          parts = [];
          first = i + 1;
        }
        if (i % ROWS_AT_ONCE === 0) yield;
      }
      rows.clear();
      release(bytes);
    },
  };
}

function sizeOf(area: Area): number {
  const double = doubleAreaOf(area);
  const size = SIZES.findIndex((least) => double >= least);
  return size === -1 ? SIZES.length : size;
}
