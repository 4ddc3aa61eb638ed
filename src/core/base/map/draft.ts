/** The features of one group of zooms while a base is made, and the columns that they become. */
import Flatbush from "flatbush";
import type { Columns } from "#core/pack.ts";
import { ByteWriter } from "./bytes.ts";
import { boxOf } from "./grid.ts";
import { type Part, writeShape } from "./shape.ts";

export type Entry = {
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

export type Draft = {
  add(entry: Entry, parts: readonly Part[]): void;
  /** Columns with names that begin with `prefix`; none where there is no feature. */
  finish(prefix: string): Generator<void, Columns>;
  count(): number;
};

const ROWS_AT_ONCE = 65_536;
/** Of one size or rank, as numbers of their order. */
const SIZES = 64;

export function createDraft(): Draft {
  const rows = new Rows();
  const shapes = new ByteWriter(65_536);
  return {
    count: () => rows.length,
    add({ kind, keep, label, zoom, marks, rank }, parts) {
      const { minX, minY, maxX, maxY } = boxOf(parts[0]!.points);
      const place = rank ?? SIZES - 1 - Math.ceil(Math.log2(1 + maxX - minX + maxY - minY));
      rows.push([
        ...[minX, minY, maxX, maxY, shapes.length, label],
        kind | (zoom << 8) | (marks << 16) | ((rank ?? 0) << 24),
        keep * SIZES + place,
      ]);
      writeShape(shapes, parts);
    },
    *finish(prefix) {
      const count = rows.length;
      if (count === 0) return {};
      const order = yield* toOrder(rows);
      const index = new Flatbush(count, 16, Int32Array);
      const looks = new Uint32Array(count);
      const labels = new Uint32Array(count);
      const offsets = new Uint32Array(count);
      const bytes = shapes.view();
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
        labels[i] = rows.at(row, LABEL);
        looks[i] = rows.at(row, LOOK);
        offsets[i] = at;
        sorted.set(bytes.subarray(begin, end), at);
        at += end - begin;
        if (i % ROWS_AT_ONCE === 0) yield;
      }
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

const SHAPE = 4;
const LABEL = 5;
const LOOK = 6;
const ORDER = 7;
const WIDTH = 8;

/** What is kept first comes first, and the large ones before the small ones. */
function* toOrder(rows: Rows): Generator<void, Uint32Array> {
  const starts = new Uint32Array(16 * SIZES + 1);
  for (let row = 0; row < rows.length; row++) starts[rows.at(row, ORDER) + 1]! += 1;
  for (let i = 1; i < starts.length; i++) starts[i]! += starts[i - 1]!;
  yield;
  const order = new Uint32Array(rows.length);
  for (let row = 0; row < rows.length; row++) order[starts[rows.at(row, ORDER)]!++] = row;
  yield;
  return order;
}

/** Rows of eight numbers, in pieces: growing copies nothing. */
class Rows {
  readonly #pieces: Uint32Array[] = [];
  length = 0;

  push(row: readonly number[]): void {
    const at = this.length % ROWS_AT_ONCE;
    if (at === 0) this.#pieces.push(new Uint32Array(ROWS_AT_ONCE * WIDTH));
    this.#pieces.at(-1)!.set(row, at * WIDTH);
    this.length += 1;
  }

  at(row: number, column: number): number {
    const piece = this.#pieces[Math.floor(row / ROWS_AT_ONCE)]!;
    return piece[(row % ROWS_AT_ONCE) * WIDTH + column]!;
  }
}
