/** Rings on the grid: without their last point, in either direction. */
import { tileBox, type TilePoints } from "./grid.ts";

/** Twice the area, positive where the ring turns clockwise as seen on a map (y is southwards). */
export function doubleArea(ring: TilePoints): number {
  let sum = 0;
  const { length } = ring;
  for (let i = 0, j = length - 2; i < length; j = i, i += 2)
    sum += ring[j]! * ring[i + 1]! - ring[i]! * ring[j + 1]!;
  return sum;
}

/** By the even-odd rule; a point on an edge may be in or out. */
export function isInside(ring: TilePoints, x: number, y: number): boolean {
  let inside = false;
  const { length } = ring;
  for (let i = 0, j = length - 2; i < length; j = i, i += 2) {
    const yi = ring[i + 1]!;
    const yj = ring[j + 1]!;
    if (yi > y === yj > y) continue;
    const xi = ring[i]!;
    if (x < ((ring[j]! - xi) * (y - yi)) / (yj - yi) + xi) inside = !inside;
  }
  return inside;
}

/** The same ring in the direction that is wanted. */
export function turned(ring: TilePoints, clockwise: boolean): TilePoints {
  if (doubleArea(ring) > 0 === clockwise) return ring;
  const other: number[] = [];
  for (let i = ring.length - 2; i >= 0; i -= 2) other.push(ring[i]!, ring[i + 1]!);
  return other;
}

/** The middle of the widest stretch of an area, at half its height: where its name is written. */
export function labelPoint(rings: readonly TilePoints[]): { x: number; y: number } | null {
  const { minY, maxY } = tileBox(rings[0] ?? []);
  // Off the grid, so that no point of a ring lies on the line.
  const y = Math.floor((minY + maxY) / 2) + 0.5;
  const crossings = rings.flatMap((ring) => crossingsAt(ring, y)).sort((a, b) => a - b);
  let best: { x: number; y: number } | null = null;
  let widest = 0;
  for (let i = 0; i + 1 < crossings.length; i += 2) {
    const width = crossings[i + 1]! - crossings[i]!;
    if (width <= widest) continue;
    widest = width;
    best = { x: Math.round(crossings[i]! + width / 2), y: Math.floor(y) };
  }
  return best;
}

function crossingsAt(ring: TilePoints, y: number): number[] {
  const matches: number[] = [];
  const { length } = ring;
  for (let i = 0, j = length - 2; i < length; j = i, i += 2) {
    const yi = ring[i + 1]!;
    const yj = ring[j + 1]!;
    if (yi > y === yj > y) continue;
    matches.push(ring[i]! + ((ring[j]! - ring[i]!) * (y - yi)) / (yj - yi));
  }
  return matches;
}
