// The little geometry the world needs: metres east and north of a point, and great circles.

export type Point = { readonly lat: number; readonly lon: number };

const EARTH_RADIUS_M = 6_371_008.8;
const M_PER_DEGREE = (Math.PI * EARTH_RADIUS_M) / 180;
const toRadians = (degrees: number): number => (degrees * Math.PI) / 180;

/** Great-circle metres on a sphere of the mean radius. */
export function distance(a: Point, b: Point): number {
  const sinLat = Math.sin(toRadians(b.lat - a.lat) / 2);
  const sinLon = Math.sin(toRadians(b.lon - a.lon) / 2);
  const h = sinLat ** 2 + Math.cos(toRadians(a.lat)) * Math.cos(toRadians(b.lat)) * sinLon ** 2;
  return 2 * EARTH_RADIUS_M * Math.asin(Math.min(1, Math.sqrt(h)));
}

/** The point `east_m` and `north_m` away, with six decimals, across the antimeridian if need be. */
export function offset(from: Point, east_m: number, north_m: number): Point {
  const lon = from.lon + east_m / (M_PER_DEGREE * Math.cos(toRadians(from.lat)));
  return { lat: sixDecimals(from.lat + north_m / M_PER_DEGREE), lon: sixDecimals(wrap(lon)) };
}

/** The point at a bearing (a share of the full turn) and a distance. */
export function around(from: Point, turn: number, distance_m: number): Point {
  const angle = turn * 2 * Math.PI;
  return offset(from, Math.sin(angle) * distance_m, Math.cos(angle) * distance_m);
}

/** A closed ring of [lon, lat], anticlockwise as RFC 7946 wants outer rings. */
export function squareRing(centre: Point, half_m: number): [number, number][] {
  const corners = [
    [-1, -1],
    [1, -1],
    [1, 1],
    [-1, 1],
    [-1, -1],
  ] as const;
  return corners.map(([east, north]) => {
    const p = offset(centre, east * half_m, north * half_m);
    return [p.lon, p.lat];
  });
}

const wrap = (lon: number): number => (lon >= 180 ? lon - 360 : lon < -180 ? lon + 360 : lon);
const sixDecimals = (degrees: number): number => Math.round(degrees * 1e6) / 1e6;
