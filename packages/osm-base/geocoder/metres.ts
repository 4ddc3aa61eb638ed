/** Distances between points in ten-millionths of a degree, flat: good to a thousandth over some kilometres. */
import type { Location } from "#kit/geo.ts";
import { METRES_PER_DEGREE } from "#kit/geo.ts";

const UNIT = METRES_PER_DEGREE / 1e7;
const RAD = Math.PI / 180 / 1e7;

export type Point7 = { lat7: number; lon7: number };

export function toPoint7({ lat, lon }: Location): Point7 {
  return { lat7: Math.round(lat * 1e7), lon7: Math.round(lon * 1e7) };
}

/** Ten-millionths of a degree of latitude that a number of metres is. */
export function units(metres: number): number {
  return Math.ceil(metres / UNIT);
}

/** The same of longitude, at a latitude. */
export function unitsEast(metres: number, lat7: number): number {
  return Math.ceil(metres / UNIT / Math.max(0.01, Math.cos(lat7 * RAD)));
}

export function metresBetween(a: Point7, b: Point7): number {
  return metresOf(b.lat7 - a.lat7, b.lon7 - a.lon7, a.lat7);
}

export function metresOf(north: number, east: number, lat7: number): number {
  const wrapped = east > 1.8e9 ? east - 3.6e9 : east < -1.8e9 ? east + 3.6e9 : east;
  return Math.hypot(north, wrapped * Math.cos(lat7 * RAD)) * UNIT;
}

export type Foot = Point7 & { metres: number };

/** The point of a line (from a to b) that is nearest to a point. */
export function footOn(point: Point7, a: Point7, b: Point7): Foot {
  const shrink = Math.cos(point.lat7 * RAD);
  const x = (b.lon7 - a.lon7) * shrink;
  const y = b.lat7 - a.lat7;
  const length = x * x + y * y;
  const along = (point.lon7 - a.lon7) * shrink * x + (point.lat7 - a.lat7) * y;
  const t = length === 0 ? 0 : Math.min(1, Math.max(0, along / length));
  const lat7 = Math.round(a.lat7 + y * t);
  const lon7 = Math.round(a.lon7 + (b.lon7 - a.lon7) * t);
  return { lat7, lon7, metres: metresOf(lat7 - point.lat7, lon7 - point.lon7, point.lat7) };
}
