/** Lines and rings within a box. New points are whole units, and on its edges. */
import { addPoint, tileBox, type TileBox, type TilePoints } from "./grid.ts";

/** The stretches of a line that lie in the box; none has fewer than two points. */
export function clipLine(line: TilePoints, box: TileBox): number[][] {
  const { minX, minY, maxX, maxY } = tileBox(line);
  if (minX > box.maxX || maxX < box.minX || minY > box.maxY || maxY < box.minY) return [];
  const stretches: number[][] = [];
  let stretch: number[] = [];
  const end = (): void => {
    if (stretch.length > 2) stretches.push(stretch);
    stretch = [];
  };
  for (let i = 0; i + 3 < line.length; i += 2) {
    const piece = clipSegment(line, i, box);
    if (piece === null) {
      end();
      continue;
    }
    const [x0, y0, x1, y1] = piece;
    const { length } = stretch;
    if (length > 0 && (stretch[length - 2] !== x0 || stretch[length - 1] !== y0)) end();
    addPoint(stretch, x0, y0);
    addPoint(stretch, x1, y1);
  }
  end();
  return stretches;
}

/** A ring that may run along the edges of the box; fewer than three points: nothing is in it. */
export function clipRing(ring: TilePoints, box: TileBox): number[] {
  const { minX, minY, maxX, maxY } = tileBox(ring);
  if (minX > box.maxX || maxX < box.minX || minY > box.maxY || maxY < box.minY) return [];
  let points = Array.from(ring);
  if (minX >= box.minX && maxX <= box.maxX && minY >= box.minY && maxY <= box.maxY) return points;
  points = cutAt(points, 0, box.minX, 1);
  points = cutAt(points, 0, box.maxX, -1);
  points = cutAt(points, 1, box.minY, 1);
  return cutAt(points, 1, box.maxY, -1);
}

/** By Liang and Barsky; null: no part of it is in the box. */
function clipSegment(
  line: TilePoints,
  at: number,
  box: TileBox,
): [x0: number, y0: number, x1: number, y1: number] | null {
  const x = line[at]!;
  const y = line[at + 1]!;
  const dx = line[at + 2]! - x;
  const dy = line[at + 3]! - y;
  let from = 0;
  let to = 1;
  const narrow = (along: number, room: number): boolean => {
    if (along === 0) return room >= 0;
    const share = room / along;
    if (along < 0) from = Math.max(from, share);
    else to = Math.min(to, share);
    return from <= to;
  };
  const meets =
    narrow(-dx, x - box.minX) &&
    narrow(dx, box.maxX - x) &&
    narrow(-dy, y - box.minY) &&
    narrow(dy, box.maxY - y);
  if (!meets) return null;
  const toPoint = (share: number): [number, number] => [
    Math.round(x + share * dx),
    Math.round(y + share * dy),
  ];
  return [...toPoint(from), ...toPoint(to)];
}

/** By Sutherland and Hodgman, one edge of the box: keeps what is on the side of `sign`. */
function cutAt(points: number[], axis: 0 | 1, edge: number, sign: 1 | -1): number[] {
  const cut: number[] = [];
  const { length } = points;
  for (let i = 0, j = length - 2; i < length; j = i, i += 2) {
    const here = (points[i + axis]! - edge) * sign;
    const before = (points[j + axis]! - edge) * sign;
    if (here >= 0 !== before >= 0 && here !== 0 && before !== 0) {
      const share = before / (before - here);
      const other = 1 - axis;
      const cross = Math.round(
        points[j + other]! + share * (points[i + other]! - points[j + other]!),
      );
      if (axis === 0) addPoint(cut, edge, cross);
      else addPoint(cut, cross, edge);
    }
    if (here >= 0) addPoint(cut, points[i]!, points[i + 1]!);
  }
  const last = cut.length - 2;
  if (last > 0 && cut[0] === cut[last] && cut[1] === cut[last + 1]) cut.length = last;
  return cut;
}
