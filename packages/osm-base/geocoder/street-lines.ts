/** Lines of streets in short pieces under a tree of their boxes: the street a point is on. */
import { columnOf, type Columns } from "#kit/pack.ts";
import { openTree, treeOf } from "./area-index.ts";
import { clusterBox } from "./clusters.ts";
import { Growing } from "#kit/growing.ts";
import { type Foot, footOn, units, unitsEast } from "./metres.ts";

/** Points of a piece: a box around more holds too much. */
const PIECE = 12;
/** Pieces that are looked at for one point. */
const MAX_PIECES = 2_000;

export type LineIndex = {
  /** Nearest street and the point of it, within a number of metres; null: none. */
  nearest(lat7: number, lon7: number, within_m: number): (Foot & { doc: number }) | null;
};

/** `lines` are lat7 and lon7 in turn, `most` numbers in all. */
export function packLines(
  lines: Iterable<{ doc: number; points: Int32Array }>,
  most: number,
): Columns {
  const docs = new Growing(Uint32Array);
  const starts = new Growing(Uint32Array);
  // Pieces of one line share the points where they meet.
  const points = new Growing(Int32Array, Math.ceil((most * PIECE) / (PIECE - 1)) + 1);
  const boxes = new Growing(Int32Array);
  starts.push(0);
  for (const { doc, points: line } of lines)
    for (let from = 0; from === 0 || from < line.length - 2; from += (PIECE - 1) * 2) {
      const piece = line.subarray(from, from + PIECE * 2);
      docs.push(doc);
      points.pushAll(piece);
      starts.push(points.length / 2);
      boxes.pushAll(clusterBox(piece));
    }
  return {
    "lines.docs": docs.view(),
    "lines.starts": starts.view(),
    "lines.points": points.view(),
    "lines.tree": treeOf(boxes.view()),
  };
}

export function openLines(columns: Columns): LineIndex {
  const docs = columnOf(columns, "lines.docs", Uint32Array);
  const starts = columnOf(columns, "lines.starts", Uint32Array);
  const points = columnOf(columns, "lines.points", Int32Array);
  const tree = openTree(columnOf(columns, "lines.tree", Uint8Array));
  const pointAt = (i: number): { lat7: number; lon7: number } => ({
    lat7: points[i * 2]!,
    lon7: points[i * 2 + 1]!,
  });
  return {
    nearest(lat7, lon7, within_m) {
      const [up, aside] = [units(within_m), unitsEast(within_m, lat7)];
      const pieces = tree?.search(lon7 - aside, lat7 - up, lon7 + aside, lat7 + up) ?? [];
      let best: (Foot & { doc: number }) | null = null;
      for (const piece of pieces.slice(0, MAX_PIECES)) {
        const doc = docs[piece]!;
        const last = starts[piece + 1]! - 1;
        for (let i = starts[piece]!; i < last || i === starts[piece]!; i++) {
          const foot = footOn({ lat7, lon7 }, pointAt(i), pointAt(Math.min(i + 1, last)));
          const nearer = best === null || foot.metres < best.metres;
          const tied = best !== null && foot.metres === best.metres && doc < best.doc;
          if (foot.metres <= within_m && (nearer || tied)) best = { ...foot, doc };
        }
      }
      return best;
    },
  };
}
