/**
 * Where a tile is on the map (square Mercator), and where a point is in it. A tile is half-open: what
 * lies on its west or north edge is in it, on its east or south edge in the next one, so that each point
 * is in exactly one tile of a zoom. Beyond 85.05 degrees of latitude there is no tile.
 */
import type { Box } from "#kit/geo.ts";
import { distance_m, wrapLon } from "#kit/geo.ts";

export type TilePlace = { z: number; x: number; y: number };

/** Units along each side of a tile. */
export const EXTENT = 4096;

const RAD = Math.PI / 180;

/** Part of the way from the antimeridian eastwards around the world, from 0 up to and without 1. */
export function eastOf(lon: number): number {
  return (wrapLon(lon) + 180) / 360;
}

/** Part of the way from the north edge of the map to its south edge; below 0 or from 1 on: beyond it. */
export function southOf(lat: number): number {
  const sine = Math.sin(lat * RAD);
  return 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI);
}

/** Degrees of latitude at a part of the way southwards. */
function latAt(south: number): number {
  return Math.atan(Math.sinh(Math.PI * (1 - 2 * south))) / RAD;
}

/** A digit of the last place more, so that the search of a box loses no point on its edge. */
const SLACK_DEG = 1e-9;

/** The box of a tile with a margin, units of the tile; it is a little larger than the tile. */
export function boxOfTile({ z, x, y }: TilePlace, margin = 0): Box {
  const tiles = 2 ** z;
  const by = margin / EXTENT;
  const north = latAt(Math.max(0, (y - by) / tiles));
  const south = latAt(Math.min(1, (y + 1 + by) / tiles));
  const box = { north: north + SLACK_DEG, south: south - SLACK_DEG };
  if ((1 + 2 * by) / tiles >= 1) return { ...box, west: -180, east: 180 };
  const west = ((x - by) / tiles) * 360 - 180 - SLACK_DEG;
  const east = ((x + 1 + by) / tiles) * 360 - 180 + SLACK_DEG;
  return {
    ...box,
    // The last digit may reach over the antimeridian; the exact test takes such points out again.
    west: margin === 0 ? Math.max(-180, west) : wrapLon(west),
    east: margin === 0 ? Math.min(180, east) : wrapLon(east),
  };
}

/** The middle of a tile, degrees. */
export function middleOfTile({ z, x, y }: TilePlace): { lat: number; lon: number } {
  const tiles = 2 ** z;
  return { lat: latAt((y + 0.5) / tiles), lon: ((x + 0.5) / tiles) * 360 - 180 };
}

/** The four tiles of the next zoom that a tile is made of. */
export function quartersOf({ z, x, y }: TilePlace): TilePlace[] {
  return [0, 1, 2, 3].map((i) => ({ z: z + 1, x: 2 * x + (i & 1), y: 2 * y + (i >> 1) }));
}

/** Takes points into one tile. */
export class TileGrid {
  readonly #tiles: number;
  readonly #place: TilePlace;
  /** Of the last point that was in it, units of the tile, from 0 to EXTENT - 1. */
  x = 0;
  y = 0;

  constructor(place: TilePlace) {
    this.#place = place;
    this.#tiles = 2 ** place.z;
  }

  /** Whether a point is in the tile; `x` and `y` are where. */
  take(lat: number, lon: number): boolean {
    const x = eastOf(lon) * this.#tiles - this.#place.x;
    if (x < 0 || x >= 1) return false;
    const y = southOf(lat) * this.#tiles - this.#place.y;
    // Also of a pole, whose part of the way is no number.
    if (!(y >= 0 && y < 1)) return false;
    this.x = Math.floor(x * EXTENT);
    this.y = Math.floor(y * EXTENT);
    return true;
  }
}

/** The smallest circle around the middle of a tile that has all of it, metres. */
export function circleOfTile(place: TilePlace): { lat: number; lon: number; radius_m: number } {
  const { lat, lon } = middleOfTile(place);
  const { south, north, west, east } = boxOfTile(place);
  const far = [south, north].flatMap((edge) => [west, east].map((side) => [edge, side] as const));
  const radius_m = Math.max(...far.map(([edge, side]) => distance_m(lat, lon, edge, side)));
  return { lat, lon, radius_m };
}

/** Parts of the way around the world eastwards and from the north edge of the map southwards. */
export function toWorldPoint(lat: number, lon: number): { east: number; south: number } {
  return { east: eastOf(lon), south: southOf(lat) };
}
