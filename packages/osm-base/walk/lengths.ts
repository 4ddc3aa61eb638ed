/**
 * Lengths along a way. They are summed up in parts of a centimetre from where the way begins, and
 * rounded where it is cut: pieces are as long together as the whole, wherever the cuts are.
 */
import { distance_m } from "#kit/geo.ts";

const DEGREE = 1e7;
/** Parts of a centimetre. */
export const PARTS = 128;

/** Parts between two points. */
export function partsBetween(lat_a: number, lon_a: number, lat_b: number, lon_b: number): number {
  const metres = distance_m(lat_a / DEGREE, lon_a / DEGREE, lat_b / DEGREE, lon_b / DEGREE);
  return Math.round(metres * 100 * PARTS);
}

/** Centimetres from where a way begins to a place on it. */
export function toCentimetres(parts: number): number {
  return Math.floor(parts / PARTS + 0.5);
}
