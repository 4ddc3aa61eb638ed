/** Lines that are not joined to others until all are known, as bytes: millions of them wait. */
import { ByteWriter, release } from "./tile-bytes.ts";
import type { LayerEntry } from "./layer-draft.ts";
import type { TilePoints } from "./grid.ts";
import { Rows } from "./tile-rows.ts";
import { readShape, writeShape } from "./tile-shape.ts";

/** How a line is drawn; only those that are drawn alike are joined. */
type Look = Pick<LayerEntry, "kind" | "keep" | "zoom" | "marks" | "label">;

type Alike = { entry: LayerEntry; lines: TilePoints[] };

export type Waiting = {
  /** `square`: those of one square are joined (join-squares.ts). */
  add(look: Look, square: number, line: TilePoints): void;
  /** Lines of a square that are drawn alike, together, square by square; afterwards there are none. */
  take(): Generator<Alike, void>;
};

const LIST = 0;
const SHAPE = 1;
const SQUARE = 2;
const WHOLE = { x: 0, y: 0, shift: 0 };
/** A pack has room for fewer, and a number for a square and as many rows. */
const MOST_ROWS = 2 ** 24;

export function createWaiting(): Waiting {
  const entries: LayerEntry[] = [];
  /** Numbers of lists by the label and by everything else. */
  const lists = new Map<number, Map<number, number>>();
  const rows = new Rows(3);
  const shapes = new ByteWriter(65_536);
  const listOf = ({ kind, keep, zoom, marks, label }: Look): number => {
    const others = kind | (zoom << 8) | (marks << 16);
    const byLabel = lists.get(others) ?? new Map<number, number>();
    lists.set(others, byLabel);
    const entry = byLabel.get(label);
    if (entry !== undefined) return entry;
    byLabel.set(label, entries.length);
    return entries.push({ kind, keep, zoom, marks, label, rank: null }) - 1;
  };
  return {
    add(look, square, line) {
      const list = listOf(look);
      // On this grid it is a point.
      if (line.length <= 2) return;
      if (rows.length === MOST_ROWS) throw new RangeError("more lines than a map has room for");
      rows.push([list, shapes.length, square]);
      writeShape(shapes, [{ points: line, inner: false }]);
    },
    *take() {
      const keys = new Float64Array(rows.length);
      for (let row = 0; row < keys.length; row++)
        keys[row] = rows.at(row, SQUARE) * MOST_ROWS + row;
      keys.sort();
      const bytes = shapes.take();
      for (let from = 0, to = 0; from < keys.length; from = to) {
        const square = Math.floor(keys[from]! / MOST_ROWS);
        // In the order of the first of each.
        const alike = new Map<number, Alike>();
        for (; to < keys.length && Math.floor(keys[to]! / MOST_ROWS) === square; to++) {
          const row = keys[to]! % MOST_ROWS;
          const list = rows.at(row, LIST);
          const own = alike.get(list) ?? { entry: entries[list]!, lines: [] };
          alike.set(list, own);
          own.lines.push(readShape(bytes, rows.at(row, SHAPE), WHOLE)[0]!.points);
        }
        yield* alike.values();
      }
      rows.clear();
      release(bytes);
    },
  };
}
