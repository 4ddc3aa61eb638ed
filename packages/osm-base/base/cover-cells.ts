/**
 * Coverage of a base: the tiles of web mercator at zoom 12 in which at least one node lies, and the
 * box of all nodes.
 */
import { distance_m } from "#kit/geo.ts";
import { UNKNOWN7 } from "./positions.ts";

export const CELL_ZOOM = 12;
const TILES = 1 << CELL_ZOOM;
const LON_SPAN7 = 3_600_000_000;

export type CellCoverage = {
  add(lat7: Int32Array, lon7: Int32Array, count: number): void;
  /** Points lat7, lon7, …; those that are `UNKNOWN7` do not count. */
  addPoints(points: Int32Array): void;
  /** Keys x · 4096 + y in ascending order. */
  cells(): Uint32Array;
  /** South, west, north, east in ten-millionths; null: there is no node. */
  box(): readonly [number, number, number, number] | null;
};

/** Tile of a position; poles belong to the outermost rows. */
export function cellOf(lat7: number, lon7: number): { x: number; y: number } {
  const radians = (lat7 / 1e7) * (Math.PI / 180);
  const y = (0.5 - Math.asinh(Math.tan(radians)) / (2 * Math.PI)) * TILES;
  return { x: columnOf(lon7), y: Math.max(0, Math.min(TILES - 1, Math.floor(y))) };
}

type Circle = { lat: number; lon: number; radius_m: number };

/** Tiles that a circle touches; poles belong to the outermost rows. */
export function* cellsUnder({ lat, lon, radius_m }: Circle): Generator<{ x: number; y: number }> {
  const [south, west, north, east] = cellsAround({ lat, lon, radius_m });
  const [top, bottom] = [cellOf(north * 1e7, 0).y, cellOf(south * 1e7, 0).y];
  const [left, right] = [rawColumnOf(west), Math.min(rawColumnOf(east), rawColumnOf(west) + TILES)];
  for (let y = top; y <= bottom; y++)
    for (let x = left; x <= right; x++) {
      const near = {
        lat: clamp(lat, latOf(y + 1), latOf(y)),
        lon: clamp(lon, lonOf(x), lonOf(x + 1)),
      };
      const apart_m = distance_m(lat, lon, near.lat, near.lon);
      if (apart_m <= radius_m) yield { x: (x + TILES) % TILES, y };
    }
}

/** South, west, north, east in degrees; longitudes go on beyond the antimeridian. */
export function cellsAround({ lat, lon, radius_m }: Circle): [number, number, number, number] {
  const high = radius_m / METRES_A_DEGREE;
  const [south, north] = [Math.max(-90, lat - high), Math.min(90, lat + high)];
  const farthest = Math.max(Math.abs(south), Math.abs(north));
  const wide = Math.min(180, high / Math.max(Math.cos(farthest * (Math.PI / 180)), 1e-9));
  return [south, lon - wide, north, lon + wide];
}

/** A little less than it is, so that a box is never too small. */
const METRES_A_DEGREE = 110_000;

function rawColumnOf(lon: number): number {
  return Math.floor(((lon + 180) / 360) * TILES);
}

function lonOf(x: number): number {
  return (x / TILES) * 360 - 180;
}

/** Northern edge of a row. */
function latOf(y: number): number {
  return Math.atan(Math.sinh(Math.PI * (1 - (2 * y) / TILES))) * (180 / Math.PI);
}

function clamp(value: number, least: number, most: number): number {
  return Math.max(least, Math.min(most, value));
}

export function createCoverage(): CellCoverage {
  // One bit per tile.
  const seen = new Uint8Array((TILES * TILES) / 8);
  const edges = rowEdges();
  let [south, west, north, east] = [Infinity, Infinity, -Infinity, -Infinity];
  let row = 0;
  const see = (lat: number, lon: number): void => {
    // Neighbours in the file are neighbours on the globe.
    if (!(lat <= edges[row]! && lat > edges[row + 1]!)) row = findRow(edges, lat);
    const key = columnOf(lon) * TILES + row;
    seen[key >> 3]! |= 1 << (key & 7);
    if (lat < south) south = lat;
    if (lat > north) north = lat;
    if (lon < west) west = lon;
    if (lon > east) east = lon;
  };
  return {
    add(lat7, lon7, count) {
      for (let i = 0; i < count; i++) see(lat7[i]!, lon7[i]!);
    },
    addPoints(points) {
      for (let i = 0; i < points.length; i += 2)
        if (points[i] !== UNKNOWN7) see(points[i]!, points[i + 1]!);
    },
    cells() {
      const keys: number[] = [];
      for (let byte = 0; byte < seen.length; byte++)
        for (let bits = seen[byte]!, bit = 0; bits >> bit !== 0; bit++)
          if ((bits >> bit) & 1) keys.push(byte * 8 + bit);
      return Uint32Array.from(keys);
    },
    box: () => (south <= north ? [south, west, north, east] : null),
  };
}

function columnOf(lon7: number): number {
  return Math.min(TILES - 1, Math.floor(((lon7 + LON_SPAN7 / 2) / LON_SPAN7) * TILES));
}

/** Northern edges of the rows in ten-millionths, from north to south; row y lies above edges[y + 1]. */
function rowEdges(): Float64Array {
  const edges = Float64Array.from({ length: TILES + 1 }, (_, y) => latOf(y) * 1e7);
  edges[0] = Infinity;
  edges[TILES] = -Infinity;
  return edges;
}

/** Row whose northern edge is at or above the latitude, and whose southern edge is below it. */
function findRow(edges: Float64Array, lat7: number): number {
  let low = 0;
  let high = TILES - 1;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (lat7 > edges[middle + 1]!) high = middle;
    else low = middle + 1;
  }
  return low;
}
