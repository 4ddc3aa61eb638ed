/** Areas of one outer ring and the inner ones within it: simplified, cut to a box, cut up. */
import { clipRing } from "./clip.ts";
import { isTouching, type TileBox, tileBox, type TilePoints } from "./grid.ts";
import { doubleArea } from "./tile-rings.ts";
import type { ShapePart } from "./tile-shape.ts";
import { simplifyRing } from "./simplify.ts";

/** The outer ring first. */
export type Area = readonly ShapePart[];

/** Twice the area of what is between the rings. */
export function doubleAreaOf(area: Area): number {
  return area.reduce((sum, { points, inner }) => {
    const each = Math.abs(doubleArea(points));
    return inner ? sum - each : sum + each;
  }, 0);
}

/** null: nothing is left of the outer ring. Inner rings of less than `least` are filled. */
export function simplifyArea(area: Area, tolerance: number, least: number): Area | null {
  return keepRings(area, (ring) => simplifyRing(ring, tolerance), least);
}

/** null: nothing of it is in the box. */
export function clipArea(area: Area, box: TileBox): Area | null {
  if (isWithin(tileBox(area[0]!.points), box)) return area;
  const clipped = keepRings(area, (ring) => clipRing(ring, box), 0);
  return clipped !== null && doubleAreaOf(clipped) > 0 ? clipped : null;
}

function isWithin(inner: TileBox, { minX, minY, maxX, maxY }: TileBox): boolean {
  return inner.minX >= minX && inner.maxX <= maxX && inner.minY >= minY && inner.maxY <= maxY;
}

function keepRings(area: Area, change: (ring: TilePoints) => number[], least: number): Area | null {
  const parts: ShapePart[] = [];
  for (const { points, inner } of area) {
    const ring = change(points);
    const size = ring.length < 6 ? 0 : Math.abs(doubleArea(ring));
    if (inner ? size > least : size > 0) parts.push({ points: ring, inner });
    else if (!inner) return null;
  }
  return parts.length > 0 ? parts : null;
}

/**
 * Halves an area until no piece has more than `most` numbers; pieces overlap by `overlap` units. Those
 * that do not touch `within` are left out, and the others are the same whatever it is.
 */
export function splitArea(area: Area, most: number, overlap: number, within: TileBox): Area[] {
  const pieces: Area[] = [];
  const left: { area: Area; depth: number }[] = [{ area, depth: 0 }];
  while (left.length > 0) {
    const { area: whole, depth } = left.pop()!;
    if (!isTouching(tileBox(whole[0]!.points), within)) continue;
    if (lengthOf(whole) <= most || depth === DEPTH_MAX) {
      pieces.push(whole);
      continue;
    }
    for (const half of halve(tileBox(whole[0]!.points), overlap)) {
      const part = clipArea(whole, half);
      if (part !== null) left.push({ area: part, depth: depth + 1 });
    }
  }
  return pieces;
}

function lengthOf(area: Area): number {
  return area.reduce((sum, { points }) => sum + points.length, 0);
}

/** Enough for a billion points; what is no smaller by then never will be. */
const DEPTH_MAX = 20;

function halve(box: TileBox, overlap: number): [TileBox, TileBox] {
  const { minX, minY, maxX, maxY } = box;
  if (maxX - minX > maxY - minY) {
    const x = (minX + maxX) >> 1;
    return [
      { ...box, maxX: x + overlap },
      { ...box, minX: x },
    ];
  }
  const y = (minY + maxY) >> 1;
  return [
    { ...box, maxY: y + overlap },
    { ...box, minY: y },
  ];
}
