/** Fewer points for the same picture (Douglas and Peucker): none is further off than the tolerance. */
import type { TilePoints } from "./grid.ts";

/** Longer stretches are halved as they are, or some lines would take the square of their length. */
const STRETCH_MAX = 1024;

/** Keeps the first and the last point. */
export function simplifyLine(points: TilePoints, tolerance: number): number[] {
  const last = points.length / 2 - 1;
  return last < 2 ? Array.from(points) : keepWithin(points, [last], tolerance * tolerance);
}

/** Of a ring without its last point. May have fewer than three points: then nothing is left of it. */
export function simplifyRing(ring: TilePoints, tolerance: number): number[] {
  const count = ring.length / 2;
  if (count < 4) return Array.from(ring);
  const closed = Array.from(ring);
  closed.push(ring[0]!, ring[1]!);
  const stored = keepWithin(closed, [count, farthest(ring)], tolerance * tolerance);
  stored.length -= 2;
  return stored;
}

/** What stays from the first point on, in stretches that end at those of the stack. */
function keepWithin(points: TilePoints, stack: number[], most: number): number[] {
  const remaining = [points[0]!, points[1]!];
  let from = 0;
  while (stack.length > 0) {
    const to = stack.at(-1)!;
    const isLong = to - from > STRETCH_MAX;
    const at = isLong ? (from + to) >> 1 : findWorst(points, from, to, most);
    if (at !== -1) {
      stack.push(at);
      continue;
    }
    stack.pop();
    remaining.push(points[2 * to]!, points[2 * to + 1]!);
    from = to;
  }
  return remaining;
}

/** The point furthest off a stretch, by more than `most`, squared; -1: there is none. */
function findWorst(points: TilePoints, from: number, to: number, most: number): number {
  const startX = points[2 * from]!;
  const startY = points[2 * from + 1]!;
  const alongX = points[2 * to]! - startX;
  const alongY = points[2 * to + 1]! - startY;
  const length = alongX * alongX + alongY * alongY;
  let worst = most;
  let match = -1;
  for (let i = from + 1; i < to; i++) {
    const x = points[2 * i]! - startX;
    const y = points[2 * i + 1]! - startY;
    const share = length === 0 ? 0 : Math.min(1, Math.max(0, (x * alongX + y * alongY) / length));
    const dx = x - share * alongX;
    const dy = y - share * alongY;
    const distance = dx * dx + dy * dy;
    if (distance <= worst) continue;
    worst = distance;
    match = i;
  }
  return match;
}

function farthest(ring: TilePoints): number {
  let best = 1;
  let most = -1;
  for (let i = 1; i < ring.length / 2; i++) {
    const dx = ring[2 * i]! - ring[0]!;
    const dy = ring[2 * i + 1]! - ring[1]!;
    const distance = dx * dx + dy * dy;
    if (distance <= most) continue;
    most = distance;
    best = i;
  }
  return best;
}
