/**
 * Lambert-93 (EPSG:2154): a conformal conic projection with two standard parallels on GRS80. The
 * formulas are those of IGN's note NT/G 71, whose constants the tests hold these to. RGF93 and
 * WGS 84 are taken as one: they lie less than a metre apart.
 */
import type { Box, Location } from "#kit/geo.ts";

const RAD = Math.PI / 180;
const SEMI_MAJOR_M = 6_378_137;
const FLATTENING = 1 / 298.257_222_101;
const ECCENTRICITY = Math.sqrt(FLATTENING * (2 - FLATTENING));
const ORIGIN = { lat: 46.5, lon: 3, x: 700_000, y: 6_600_000 } as const;
const PARALLELS = [44, 49] as const;

/** Where the system is meant to be used (EPSG area 1096): elsewhere its numbers mean nothing. */
const FRANCE: Box = { south: 41.15, west: -9.86, north: 51.56, east: 10.38 };

/**
 * Constants of the cone: its exponent, its radius at the equator, and the northing of its apex
 * (NT/G 71).
 */
export const CONE: { n: number; c: number; ys: number } = coneOf();

/** Metres east and north, to one decimal; null: outside of France. */
export function toLambert93({ lat, lon }: Location): { x: number; y: number } | null {
  if (lat < FRANCE.south || lat > FRANCE.north || lon < FRANCE.west || lon > FRANCE.east)
    return null;
  const { n, c, ys } = CONE;
  const radius_m = c * Math.exp(-n * isometric(lat));
  const turn = n * (lon - ORIGIN.lon) * RAD;
  return {
    x: toDecimetre(ORIGIN.x + radius_m * Math.sin(turn)),
    y: toDecimetre(ys - radius_m * Math.cos(turn)),
  };
}

function coneOf(): { n: number; c: number; ys: number } {
  const [south, north] = PARALLELS;
  const n =
    Math.log((normal(north) * cosine(north)) / (normal(south) * cosine(south))) /
    (isometric(south) - isometric(north));
  const c = ((normal(south) * cosine(south)) / n) * Math.exp(n * isometric(south));
  return { n, c, ys: ORIGIN.y + c * Math.exp(-n * isometric(ORIGIN.lat)) };
}

/** Isometric latitude (ALG0001). */
function isometric(lat: number): number {
  const sine = Math.sin(lat * RAD);
  return Math.atanh(sine) - ECCENTRICITY * Math.atanh(ECCENTRICITY * sine);
}

/** The ellipsoid's normal down to its axis, metres (ALG0021). */
function normal(lat: number): number {
  return SEMI_MAJOR_M / Math.sqrt(1 - (ECCENTRICITY * Math.sin(lat * RAD)) ** 2);
}

function cosine(lat: number): number {
  return Math.cos(lat * RAD);
}

function toDecimetre(metres: number): number {
  return Math.round(metres * 10) / 10;
}
