/** The features of one group of zooms while a base is made, and the columns that they become. */
import Flatbush from "flatbush";
import type { Columns } from "#kit/pack.ts";
import { ByteWriter, release } from "./tile-bytes.ts";
import { isTouching, type TileBox, tileBox } from "./grid.ts";
import { Rows } from "./tile-rows.ts";
import { type ShapePart, writeShape } from "./tile-shape.ts";

export type LayerEntry = {
  kind: number;
  keep: number;
  /** Number of its label; 0: none. */
  label: number;
  zoom: number;
  /** Flags of `marks.ts`. */
  marks: number;
  /** null: by its extent. */
  rank: number | null;
};

export type LayerDraft = {
  /** Leaves out what does not touch the box of the draft. */
  add(entry: LayerEntry, parts: readonly ShapePart[]): void;
  /**
   * Columns with names that begin with `prefix`; none where there is no feature. Keeps nothing.
   * `labelOf`: the number of a label in the columns.
   */
  finish(prefix: string, labelOf: (label: number) => number): Generator<void, Columns>;
  count(): number;
};

const ROWS_AT_ONCE = 65_536;
/** Of one size or rank, as numbers of their order. */
const SIZES = 64;
/** `keep` is below 16. */
const ORDERS = 16 * SIZES;

const SHAPE = 4;
const LABEL = 5;
const LOOK = 6;
const ORDER = 7;
const WIDTH = 8;

export function createDraft(within: TileBox): LayerDraft {
  const rows = new Rows(WIDTH);
  const shapes = new ByteWriter(65_536);
  return {
    count: () => rows.length,
    add({ kind, keep, label, zoom, marks, rank }, parts) {
      const box = boxOfAll(parts);
      if (!isTouching(box, within)) return;
      const { minX, minY, maxX, maxY } = box;
      const place = rank ?? SIZES - 1 - Math.ceil(Math.log2(1 + maxX - minX + maxY - minY));
      const look = kind | (zoom << 8) | (marks << 16) | ((rank ?? 0) << 24);
      const order = keep * SIZES + place;
      rows.push([minX, minY, maxX, maxY, shapes.length, label, look, order]);
      writeShape(shapes, parts);
    },
    *finish(prefix, labelOf) {
      const count = rows.length;
      if (count === 0) return {};
      // What is kept first comes first, and the large ones before the small ones.
      const order = rows.orderBy(ORDER, ORDERS);
      yield;
      const index = new Flatbush(count, 16, Int32Array);
      const looks = new Uint32Array(count);
      const labels = new Uint32Array(count);
      const offsets = new Uint32Array(count);
      const bytes = shapes.take();
      const sorted = new Uint8Array(bytes.length);
      let at = 0;
      for (let i = 0; i < count; i++) {
        const row = order[i]!;
        const begin = rows.at(row, SHAPE);
        const end = row + 1 < count ? rows.at(row + 1, SHAPE) : bytes.length;
        index.add(
          rows.at(row, 0) | 0,
          rows.at(row, 1) | 0,
          rows.at(row, 2) | 0,
          rows.at(row, 3) | 0,
        );
        labels[i] = labelOf(rows.at(row, LABEL));
        looks[i] = rows.at(row, LOOK);
        offsets[i] = at;
        sorted.set(bytes.subarray(begin, end), at);
        at += end - begin;
        if (i % ROWS_AT_ONCE === 0) yield;
      }
      rows.clear();
      release(bytes);
      index.finish();
      return {
        [`${prefix}.index`]: new Uint8Array(index.data),
        [`${prefix}.look`]: looks,
        [`${prefix}.label`]: labels,
        [`${prefix}.at`]: offsets,
        [`${prefix}.shape`]: sorted,
      };
    },
  };
}

/** Inner rings lie in the others. */
function boxOfAll(parts: readonly ShapePart[]): TileBox {
  const box = tileBox(parts[0]!.points);
  for (let i = 1; i < parts.length; i++) {
    const { points, inner } = parts[i]!;
    if (inner) continue;
    const other = tileBox(points);
    box.minX = Math.min(box.minX, other.minX);
    box.minY = Math.min(box.minY, other.minY);
    box.maxX = Math.max(box.maxX, other.maxX);
    box.maxY = Math.max(box.maxY, other.maxY);
  }
  return box;
}
