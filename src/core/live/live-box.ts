/** The box of a stream, as its text: which boxes there are, and how large one may be. */
import { LIMITS } from "#api/limits.ts";
import { type Box, EARTH_RADIUS_M } from "#kit/geo.ts";

/** `message`: of a refusal, with the parameter and the rule. */
export type ReadBox = { ok: true; box: Box } | { ok: false; message: string };

const RAD = Math.PI / 180;
const EARTH_RADIUS_KM = EARTH_RADIUS_M / 1000;
const TURN = 360;
const NUMBER = /^-?\d+(?:\.\d+)?$/;

/**
 * Reads west, south, east and north in degrees (RFC 7946 5). West may be greater than east: the box
 * then crosses the antimeridian.
 */
export function readLiveBox(text: string): ReadBox {
  const parts = text.split(",");
  const [west, south, east, north, ...more] = parts.map((part) =>
    NUMBER.test(part) ? Number(part) : Number.NaN,
  );
  if (more.length > 0 || north === undefined || parts.some((part) => !NUMBER.test(part)))
    return refuse("must be four numbers with commas: west, south, east, north");
  // -0 is 0: its text is part of what subscribers share.
  const box = { west: west! + 0, south: south! + 0, east: east! + 0, north: north + 0 };
  const problem = findProblem(box);
  return problem === null ? { ok: true, box } : refuse(problem);
}

/** Area on the mean sphere, km². */
export function areaOf(box: Box): number {
  const height = Math.sin(box.north * RAD) - Math.sin(box.south * RAD);
  return EARTH_RADIUS_KM ** 2 * widthOf(box) * RAD * height;
}

/** null: a box that a stream may have. */
function findProblem(box: Box): string | null {
  const { west, south, east, north } = box;
  const { lat, lon, live } = LIMITS;
  if (!isWithin(west, lon) || !isWithin(east, lon))
    return `must have west and east from ${lon.min} to ${lon.max}`;
  if (!isWithin(south, lat) || !isWithin(north, lat))
    return `must have south and north from ${lat.min} to ${lat.max}`;
  if (south >= north) return "must have south below north: west, south, east, north";
  if (widthOf(box) === 0) return "must have west and east that differ";
  const crosses = west > east ? " (west above east: it crosses the antimeridian)" : "";
  const area = areaOf(box);
  if (area > live.box_km2_max)
    return `must have an area of at most ${live.box_km2_max} km²; this one has ${toText(area)} km²${crosses}`;
  const side = longestSideOf(box);
  if (side <= live.box_side_km_max) return null;
  return `must have no side longer than ${live.box_side_km_max} km; this one has ${toText(side)} km${crosses}`;
}

/** Kilometres, of a parallel where it is longest: a thin strip of a small area lies in many countries. */
function longestSideOf(box: Box): number {
  const { south, north } = box;
  const nearest = south <= 0 && north >= 0 ? 0 : Math.min(Math.abs(south), Math.abs(north));
  const width = widthOf(box) * Math.cos(nearest * RAD);
  return Math.max(width, north - south) * RAD * EARTH_RADIUS_KM;
}

function isWithin(degrees: number, { min, max }: { min: number; max: number }): boolean {
  return degrees >= min && degrees <= max;
}

/** Degrees from west to east; 180 and -180 are one meridian, and no box goes round more than once. */
function widthOf({ west, east }: Box): number {
  return east >= west ? east - west : east - west + TURN;
}

/** Rounded up: what is too much by little does not look as if it were enough. */
function toText(value: number): string {
  return String(value < 100 ? Math.ceil(value * 100) / 100 : Math.ceil(value));
}

function refuse(problem: string): ReadBox {
  return { ok: false, message: `bbox ${problem}` };
}
