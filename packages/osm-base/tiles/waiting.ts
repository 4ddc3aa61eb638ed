/** Lines that are not joined to others until all are known, as bytes: millions of them wait. */
import { ByteWriter, release } from "./tile-bytes.ts";
import type { LayerEntry } from "./layer-draft.ts";
import type { TilePoints } from "./grid.ts";
import { Rows } from "./tile-rows.ts";
import { readShape, writeShape } from "./tile-shape.ts";

/** How a line is drawn; only those that are drawn alike are joined. */
type Look = Pick<LayerEntry, "kind" | "keep" | "zoom" | "marks" | "label">;

export type Waiting = {
  add(look: Look, line: TilePoints): void;
  /** Lines that are drawn alike, together; afterwards there are none. */
  take(): Generator<{ entry: LayerEntry; lines: TilePoints[] }, void>;
};

const LIST = 0;
const SHAPE = 1;
const WHOLE = { x: 0, y: 0, shift: 0 };

export function createWaiting(): Waiting {
  const entries: LayerEntry[] = [];
  /** Numbers of lists by the label and by everything else. */
  const lists = new Map<number, Map<number, number>>();
  const rows = new Rows(2);
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
    add(look, line) {
      const list = listOf(look);
      // On this grid it is a point.
      if (line.length <= 2) return;
      rows.push([list, shapes.length]);
      writeShape(shapes, [{ points: line, inner: false }]);
    },
    *take() {
      const order = rows.orderBy(LIST, entries.length);
      const bytes = shapes.take();
      let next = 0;
      for (const [list, entry] of entries.entries()) {
        const lines: TilePoints[] = [];
        for (; next < order.length && rows.at(order[next]!, LIST) === list; next++)
          lines.push(readShape(bytes, rows.at(order[next]!, SHAPE), WHOLE)[0]!.points);
        yield { entry, lines };
      }
      rows.clear();
      release(bytes);
    },
  };
}
