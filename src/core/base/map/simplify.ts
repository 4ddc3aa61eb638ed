/** Fewer points for the same picture (Douglas and Peucker): none is further off than the tolerance. */
import type { Points } from "./grid.ts";

/** Longer stretches are halved as they are, or some lines would take the square of their length. */
const STRETCH_MAX = 1024;

/** Keeps the first and the last point. */
export function simplifyLine(points: Points, tolerance: number): number[] {
  const last = points.length / 2 - 1;
  if (last < 2) return Array.from(points);
  const kept = new Uint8Array(last + 1);
  kept[0] = 1;
  kept[last] = 1;
  keepBetween(points, kept, [0, last], tolerance * tolerance);
  return pick(points, kept);
}

/** Of a ring without its last point. May have fewer than three points: then nothing is left of it. */
export function simplifyRing(ring: Points, tolerance: number): number[] {
  const count = ring.length / 2;
  if (count < 4) return Array.from(ring);
  const closed = [...Array.from(ring), ring[0]!, ring[1]!];
  const far = farthest(ring);
  const kept = new Uint8Array(count + 1);
  kept[0] = 1;
  kept[far] = 1;
  keepBetween(closed, kept, [0, far, far, count], tolerance * tolerance);
  kept[count] = 0;
  return pick(closed, kept);
}

/** Marks what must stay within each stretch of the stack. */
function keepBetween(points: Points, kept: Uint8Array, stack: number[], most: number): void {
  while (stack.length > 0) {
    const to = stack.pop()!;
    const from = stack.pop()!;
    let worst = most;
    let at = to - from > STRETCH_MAX ? (from + to) >> 1 : -1;
    for (let i = from + 1; i < to && to - from <= STRETCH_MAX; i++) {
      const distance = squaredDistance(points, i, from, to);
      if (distance <= worst) continue;
      worst = distance;
      at = i;
    }
    if (at === -1) continue;
    kept[at] = 1;
    stack.push(from, at, at, to);
  }
}

/** From a point to the stretch between two others. */
function squaredDistance(points: Points, at: number, from: number, to: number): number {
  const startX = points[2 * from]!;
  const startY = points[2 * from + 1]!;
  const alongX = points[2 * to]! - startX;
  const alongY = points[2 * to + 1]! - startY;
  const x = points[2 * at]! - startX;
  const y = points[2 * at + 1]! - startY;
  const length = alongX * alongX + alongY * alongY;
  const share = length === 0 ? 0 : Math.min(1, Math.max(0, (x * alongX + y * alongY) / length));
  const dx = x - share * alongX;
  const dy = y - share * alongY;
  return dx * dx + dy * dy;
}

function farthest(ring: Points): number {
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

function pick(points: Points, kept: Uint8Array): number[] {
  const picked: number[] = [];
  for (let i = 0; i < kept.length; i++)
    if (kept[i] === 1) picked.push(points[2 * i]!, points[2 * i + 1]!);
  return picked;
}
