/**
 * Geometry on the mean sphere (decisions, Conventions: great-circle metres, 6 371 008.8 m).
 * Degrees in, metres out; correct at the poles and across the antimeridian.
 */

export type Location = { lat: number; lon: number };

/** South, west, north, east in degrees; west > east when the box crosses the antimeridian. */
export type Box = { south: number; west: number; north: number; east: number };

export const EARTH_RADIUS_M = 6_371_008.8;
const RAD = Math.PI / 180;
export const METRES_PER_DEGREE = EARTH_RADIUS_M * RAD;

/**
 * Great-circle distance in metres, by haversine: exact for small distances, good to a decimetre at
 * the antipode, where asin is steep. No circle of the contract reaches that far (5 km at most).
 */
export function distance_m(lat1: number, lon1: number, lat2: number, lon2: number): number {
  const sinLat = sine((lat2 - lat1) * RAD * 0.5);
  const sinLon = sine((lon2 - lon1) * RAD * 0.5);
  const h = sinLat * sinLat + Math.cos(lat1 * RAD) * Math.cos(lat2 * RAD) * sinLon * sinLon;
  return metresOf(h);
}

/** Direction from one point to another at its start, whole degrees clockwise from north, 0 to 359. */
export function bearing_deg(from: Location, to: Location): number {
  const turn = (to.lon - from.lon) * RAD;
  const east = Math.sin(turn) * Math.cos(to.lat * RAD);
  const north =
    Math.cos(from.lat * RAD) * Math.sin(to.lat * RAD) -
    Math.sin(from.lat * RAD) * Math.cos(to.lat * RAD) * Math.cos(turn);
  return Math.round(Math.atan2(east, north) / RAD + 360) % 360;
}

function metresOf(haversine: number): number {
  return 2 * EARTH_RADIUS_M * arcsine(Math.sqrt(haversine < 1 ? haversine : 1));
}

/** Below this (120 km) three terms of a series are exact to the last digit, and much cheaper. */
const SMALL = 0.01;

function sine(x: number): number {
  if (x > SMALL || x < -SMALL) return Math.sin(x);
  const x2 = x * x;
  return x * (1 - (x2 / 6) * (1 - (x2 / 20) * (1 - x2 / 42)));
}

function arcsine(x: number): number {
  if (x > SMALL) return Math.asin(x);
  const x2 = x * x;
  return x * (1 + (x2 / 6) * (1 + x2 * (9 / 20) * (1 + x2 * (25 / 42))));
}

/** Half height and half width, in degrees, of the smallest lat/lon window that holds a circle. */
export type Reach = { dlat: number; dlon: number };

/**
 * The window is never too small: where a pole lies within the circle every longitude is in reach
 * (dlon 180). The widest parallel of a cap lies poleward of its centre: asin(sin r / cos lat).
 */
export function reachOf(lat: number, radius_m: number): Reach {
  const r = radius_m / EARTH_RADIUS_M;
  const dlat = (r / RAD) * (1 + 1e-9) + 1e-9;
  if (Math.abs(lat) + dlat >= 90) return { dlat, dlon: 180 };
  const ratio = Math.sin(r) / Math.cos(lat * RAD);
  return { dlat, dlon: ratio >= 1 ? 180 : (Math.asin(ratio) / RAD) * (1 + 1e-9) + 1e-9 };
}

/** The smallest box that holds the circle. */
export function boxAround({ lat, lon }: Location, radius_m: number): Box {
  const { dlat, dlon } = reachOf(lat, radius_m);
  return {
    south: Math.max(-90, lat - dlat),
    north: Math.min(90, lat + dlat),
    west: dlon >= 180 ? -180 : wrapLon(lon - dlon),
    east: dlon >= 180 ? 180 : wrapLon(lon + dlon),
  };
}

/** A circle, with what is needed of it for every point that may lie in it, made once. */
export type Aim = Location & Reach & { radius_m: number; sin: number; cos: number };

export function aimAt({ lat, lon }: Location, radius_m: number): Aim {
  return {
    lat,
    lon,
    radius_m,
    ...reachOf(lat, radius_m),
    sin: Math.sin(lat * RAD),
    cos: Math.cos(lat * RAD),
  };
}

/**
 * Distance as of `distance_m`, to ten nanometres, from the centre: at half the cost where that is
 * near.
 */
export function distanceFrom({ lat, lon, sin, cos }: Aim, to_lat: number, to_lon: number): number {
  const dlat = (to_lat - lat) * RAD;
  if (dlat > SMALL || dlat < -SMALL) return distance_m(lat, lon, to_lat, to_lon);
  const sinLat = sine(dlat * 0.5);
  const sinLon = sine((to_lon - lon) * RAD * 0.5);
  // The cosine of a sum, which spares another one.
  const toCos = cos * (1 - 2 * sinLat * sinLat) - sin * sine(dlat);
  return metresOf(sinLat * sinLat + cos * toCos * sinLon * sinLon);
}

/** Brings a longitude into [-180, 180). */
export function wrapLon(lon: number): number {
  return lon >= -180 && lon < 180 ? lon : ((((lon + 180) % 360) + 360) % 360) - 180;
}

/** The smallest box around points; null for none. Its west > east when it crosses the antimeridian. */
export function boxOf(lats: Float64Array, lons: Float64Array): Box | null {
  if (lats.length === 0) return null;
  let south = 90;
  let north = -90;
  let west = 180;
  let east = -180;
  for (let i = 0; i < lats.length; i++) {
    const lat = lats[i]!;
    const lon = lons[i]!;
    if (lat < south) south = lat;
    if (lat > north) north = lat;
    if (lon < west) west = lon;
    if (lon > east) east = lon;
  }
  return east - west <= 180 ? { south, west, north, east } : { south, north, ...seamSpan(lons) };
}

/** Returns one box for both: from the west of one to the east of one, the narrowest way. */
export function unionBox(a: Box | null, b: Box | null): Box | null {
  if (!a || !b) return a ?? b;
  const south = Math.min(a.south, b.south);
  const north = Math.max(a.north, b.north);
  let best: Box = { south, north, west: -180, east: 180 };
  for (const { west } of [a, b])
    for (const { east } of [a, b]) {
      const span = { south, north, west, east };
      if (width(span) < width(best) && holdsSpan(span, a) && holdsSpan(span, b)) best = span;
    }
  return best;
}

/** Does the box, grown by `radius_m`, hold the point? (R14: otherwise the system is not consulted.) */
export function boxTouchesCircle(box: Box, point: Location, { dlat, dlon }: Reach): boolean {
  if (point.lat < box.south - dlat || point.lat > box.north + dlat) return false;
  if (dlon >= 180) return true;
  const w = width(box) + 2 * dlon;
  const fromWest = (((point.lon - (box.west - dlon)) % 360) + 360) % 360;
  return w >= 360 || fromWest <= w;
}

/** Reports whether the boxes touch when each is grown by `margin_deg` of latitude, and as far east and west. */
export function boxesTouch(a: Box, b: Box, margin_deg: number): boolean {
  const high = 2 * margin_deg;
  if (a.south > b.north + high || b.south > a.north + high) return false;
  const poleward = Math.max(-a.south, a.north, -b.south, b.north);
  const margin = high / Math.max(Math.cos(poleward * RAD), 1e-3);
  const fromWest = (((b.west - a.west) % 360) + 360) % 360;
  return fromWest <= width(a) + margin || 360 - fromWest <= width(b) + margin;
}

/** The point in the middle of a box, by its degrees. */
export function middleOf(box: Box): Location {
  return { lat: (box.south + box.north) / 2, lon: wrapLon(box.west + width(box) / 2) };
}

function width(box: Box): number {
  return box.east >= box.west ? box.east - box.west : box.east - box.west + 360;
}

/** Does the box reach round the other's longitudes? A tenth of a millimetre is rounding. */
function holdsSpan(box: Box, inner: Box): boolean {
  const offset = (((inner.west - box.west) % 360) + 360) % 360;
  const fromWest = offset > 360 - 1e-9 ? 0 : offset;
  return fromWest + width(inner) <= width(box) + 1e-9;
}

/** West and east of the complement of the largest empty gap between sorted longitudes. */
function seamSpan(lons: Float64Array): { west: number; east: number } {
  const sorted = Float64Array.from(lons).sort();
  let west = sorted[0]!;
  let east = sorted[sorted.length - 1]!;
  let widest = west + 360 - east;
  for (let i = 1; i < sorted.length; i++) {
    const gap = sorted[i]! - sorted[i - 1]!;
    if (gap <= widest) continue;
    widest = gap;
    west = sorted[i]!;
    east = sorted[i - 1]!;
  }
  return { west, east };
}
