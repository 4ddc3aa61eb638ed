// `boundingbox=(lat,lng),(lat,lng)`: any two opposite corners.
import type { Point } from "../geo.ts";
import { toPoint } from "../registry.ts";

export type Corners = readonly [Point, Point];

const CORNER = String.raw`\(\s*([-+.\d]+)\s*,\s*([-+.\d]+)\s*\)`;
const BOX = new RegExp(`^${CORNER},${CORNER}$`);

export function boxIn(text: string | null): Corners | null {
  const [, ...numbers] = BOX.exec(text?.trim() ?? "") ?? [];
  const [a = Number.NaN, b = Number.NaN, c = Number.NaN, d = Number.NaN] = numbers.map(Number);
  const [first, second] = [toPoint(a, b), toPoint(c, d)];
  return first === null || second === null ? null : [first, second];
}

export const isWithin = ({ lat, lon }: Point, [a, b]: Corners): boolean =>
  isBetween(lat, a.lat, b.lat) && isBetween(lon, a.lon, b.lon);

const isBetween = (value: number, a: number, b: number): boolean =>
  value >= Math.min(a, b) && value <= Math.max(a, b);
