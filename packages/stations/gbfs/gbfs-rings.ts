/** Polygons of GeoJSON as feeds write them: outlines and holes of zones and of stations. */
import { toList, toNumber } from "#kit/coerce.ts";

/** [lon, lat]. */
export type RingPosition = [lon: number, lat: number];
/** Closed: its last corner is its first. */
type Ring = RingPosition[];
/** The outline, then its holes. */
export type Polygon = Ring[];

/** A ring of three corners, closed. */
const MIN_RING_LENGTH = 4;

/** Returns the coordinates of the polygons of a geometry, unread. */
export function listPolygons(type: unknown, coordinates: unknown): unknown[] {
  return type === "Polygon" ? [coordinates] : toList(coordinates);
}

/** Corners of a polygon that is not read yet. */
export function countCorners(polygon: unknown): number {
  return toList(polygon).reduce<number>((sum, ring) => sum + toList(ring).length, 0);
}

/** Reads a polygon; null: it has no ring, or a bad one, since a hole lost would add what is left out. */
export function toPolygon(value: unknown): Polygon | null {
  const rings = toList(value).map(toRing);
  return rings.length > 0 && rings.every((ring) => ring !== null) ? rings : null;
}

function toRing(value: unknown): Ring | null {
  const positions = toList(value).map(toPosition);
  if (positions.length === 0 || !positions.every((position) => position !== null)) return null;
  const first = positions[0]!;
  const last = positions.at(-1)!;
  const closed = first[0] === last[0] && first[1] === last[1];
  const ring = closed ? positions : [...positions, [...first] as RingPosition];
  return ring.length >= MIN_RING_LENGTH ? ring : null;
}

/** [lon, lat], as GeoJSON has it; a height is left out. */
function toPosition(value: unknown): RingPosition | null {
  const [lon, lat] = toList(value).slice(0, 2).map(toNumber);
  if (typeof lon !== "number" || typeof lat !== "number") return null;
  return Math.abs(lon) <= 180 && Math.abs(lat) <= 90 ? [lon, lat] : null;
}
