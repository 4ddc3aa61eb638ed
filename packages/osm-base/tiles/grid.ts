/**
 * The grid on which a base keeps its map: square Mercator, x eastwards and y southwards, in whole
 * units. What a tile can carry is what is kept, so that making one needs no projection.
 */

/** Points on the grid: x, y, x, y, … */
export type TilePoints = ArrayLike<number>;
export type TileBox = { minX: number; minY: number; maxX: number; maxY: number };

export const MAX_ZOOM = 14;
/** Units of the grid along the equator are 2 ** FULL_BITS: 0.3 m each. */
export const FULL_BITS = 27;

/** Zooms up to `max` share a copy of the map, on a grid of 2 ** bits units. */
export type ZoomGroup = { max: number; bits: number };
export const GROUPS: readonly ZoomGroup[] = [
  { max: 7, bits: 19 },
  { max: 10, bits: 22 },
  { max: 13, bits: 25 },
  { max: MAX_ZOOM, bits: FULL_BITS },
];

/** Units of a copy's own grid by which a line may be off; eight are a pixel. */
export const TOLERANCE = 2;

/** The last zoom is drawn at all greater ones too, so its tiles are twice as fine. */
export function extentOf(zoom: number): number {
  return zoom === MAX_ZOOM ? 8192 : 4096;
}

/** Units of the margin around a tile in which features are still drawn. */
export function bufferOf(zoom: number): number {
  return extentOf(zoom) / 64;
}

export function isTile(z: number, x: number, y: number): boolean {
  if (![z, x, y].every(Number.isInteger) || z < 0 || z > MAX_ZOOM) return false;
  return x >= 0 && y >= 0 && x < 2 ** z && y < 2 ** z;
}

export function groupOf(zoom: number): number {
  return GROUPS.findIndex(({ max }) => zoom <= max);
}

const WORLD = 2 ** FULL_BITS;

export function toX(lon7: number): number {
  return clamp(Math.round((lon7 / 3.6e9 + 0.5) * WORLD));
}

/** Latitudes beyond 85° are at the edge. */
export function toY(lat7: number): number {
  const sine = Math.sin((lat7 / 1e7) * (Math.PI / 180));
  return clamp(Math.round((0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)) * WORLD));
}

export function toLat(y: number): number {
  return (Math.atan(Math.sinh(Math.PI * (1 - (2 * y) / WORLD))) * 180) / Math.PI;
}

export function toLon(x: number): number {
  return (x / WORLD) * 360 - 180;
}

/** Of lat7, lon7, …; equal points that follow one another are one. */
export function toGrid(points: Int32Array): number[] {
  const grid: number[] = [];
  for (let i = 0; i < points.length; i += 2) addPoint(grid, toX(points[i + 1]!), toY(points[i]!));
  return grid;
}

/** The same points on a coarser grid. */
export function coarsen(points: TilePoints, bits: number): number[] {
  const shift = FULL_BITS - bits;
  const half = shift === 0 ? 0 : 1 << (shift - 1);
  const coarse: number[] = [];
  for (let i = 0; i < points.length; i += 2)
    addPoint(coarse, (points[i]! + half) >> shift, (points[i + 1]! + half) >> shift);
  return coarse;
}

/** Appends a point, unless it is the last one. */
export function addPoint(points: number[], x: number, y: number): void {
  const { length } = points;
  if (length > 0 && points[length - 2] === x && points[length - 1] === y) return;
  points.push(x, y);
}

/** Of a closed line: without the last point, which is the first. */
export function toRing(points: number[]): number[] {
  const { length } = points;
  const isClosed = points[0] === points[length - 2] && points[1] === points[length - 1];
  return length > 2 && isClosed ? points.slice(0, -2) : points;
}

export function tileBox(points: TilePoints): TileBox {
  const box = { minX: Infinity, minY: Infinity, maxX: -Infinity, maxY: -Infinity };
  for (let i = 0; i < points.length; i += 2) {
    const x = points[i]!;
    const y = points[i + 1]!;
    if (x < box.minX) box.minX = x;
    if (x > box.maxX) box.maxX = x;
    if (y < box.minY) box.minY = y;
    if (y > box.maxY) box.maxY = y;
  }
  return box;
}

export const EVERYWHERE: TileBox = {
  minX: -Infinity,
  minY: -Infinity,
  maxX: Infinity,
  maxY: Infinity,
};

/** Whether two boxes have a point in common. */
export function isTouching(a: TileBox, b: TileBox): boolean {
  return a.minX <= b.maxX && a.maxX >= b.minX && a.minY <= b.maxY && a.maxY >= b.minY;
}

function clamp(value: number): number {
  return value > 0 ? Math.min(value, WORLD) : 0;
}
