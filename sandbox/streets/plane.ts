// Lines and points in metres east and north of a city's middle.
import type { Spot } from "../openbase/plane.ts";

/** Where on a – b it crosses c – d, 0 to 1; null: it does not. */
export function crossing(a: Spot, b: Spot, c: Spot, d: Spot): number | null {
  const [ux, uy] = [b[0] - a[0], b[1] - a[1]];
  const [vx, vy] = [d[0] - c[0], d[1] - c[1]];
  const cross = ux * vy - uy * vx;
  if (cross === 0) return null;
  const t = ((c[0] - a[0]) * vy - (c[1] - a[1]) * vx) / cross;
  const s = ((c[0] - a[0]) * uy - (c[1] - a[1]) * ux) / cross;
  return t >= 0 && t <= 1 && s >= 0 && s <= 1 ? t : null;
}

export const along = (a: Spot, b: Spot, share: number): Spot => [
  a[0] + (b[0] - a[0]) * share,
  a[1] + (b[1] - a[1]) * share,
];

export const apart = (a: Spot, b: Spot): number => Math.sqrt(square(a, b));

/** The square of how far they are apart. */
export const square = (a: Spot, b: Spot): number => (a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2;

/** Metres from a point to a line between two others. */
export function besides(at: Spot, a: Spot, b: Spot): number {
  const [ux, uy] = [b[0] - a[0], b[1] - a[1]];
  const whole = ux * ux + uy * uy;
  const share = whole === 0 ? 0 : ((at[0] - a[0]) * ux + (at[1] - a[1]) * uy) / whole;
  return apart(at, along(a, b, Math.min(1, Math.max(0, share))));
}
