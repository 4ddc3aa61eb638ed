/**
 * Parts of a system that lie far from one another. Points in the same cell of a degree, or in cells
 * that touch, are one part: some 110 km and more lie between two parts, fewer towards the poles.
 */
import type { Box } from "./geo.ts";
import { boxOf, wrapLon } from "./geo.ts";

/** More parts than that are reported as one. */
const MAX_AREAS = 32;
const COLUMNS = 360;

/** Columns of coordinates, as an index has them. */
export type Points = { lat: Float64Array; lon: Float64Array };

/** Content of a cell: how many points, and between which coordinates. */
type Cell = { count: number; south: number; north: number; west: number; east: number };

/** The boxes of the parts, that with most points first. Empty without points. One pass over the points. */
export function areasOf(columns: readonly Points[]): Box[] {
  const cells = new Map<number, Cell>();
  for (const points of columns) addToCells(cells, points);
  if (cells.size === 0) return [];
  const parts = joinCells(cells).map((part) => part.map((cell) => cells.get(cell)!));
  if (parts.length > MAX_AREAS) return [boxAround([...cells.values()])];
  return parts.toSorted((a, b) => countOf(b) - countOf(a)).map(boxAround);
}

function addToCells(cells: Map<number, Cell>, { lat: lats, lon: lons }: Points): void {
  let last = -1;
  let cell: Cell | undefined;
  for (let row = 0; row < lats.length; row++) {
    const lat = lats[row]!;
    const lon = wrapLon(lons[row]!);
    const column = Math.min(COLUMNS - 1, Math.floor(lon + 180));
    const at = Math.min(179, Math.floor(lat + 90)) * COLUMNS + column;
    // Mostly that of the point before.
    if (at !== last) cell = cells.get((last = at));
    if (cell === undefined) {
      cells.set(at, (cell = { count: 1, south: lat, north: lat, west: lon, east: lon }));
      continue;
    }
    cell.count++;
    if (lat < cell.south) cell.south = lat;
    if (lat > cell.north) cell.north = lat;
    if (lon < cell.west) cell.west = lon;
    if (lon > cell.east) cell.east = lon;
  }
}

function countOf(part: readonly Cell[]): number {
  return part.reduce((sum, { count }) => sum + count, 0);
}

function boxAround(part: readonly Cell[]): Box {
  const lats = Float64Array.from(part.flatMap(({ south, north }) => [south, north]));
  const lons = Float64Array.from(part.flatMap(({ west, east }) => [west, east]));
  return boxOf(lats, lons)!;
}

/** Cells that touch one another, round the antimeridian too. */
function joinCells(cells: ReadonlyMap<number, unknown>): number[][] {
  const left = new Set(cells.keys());
  const parts: number[][] = [];
  for (const start of cells.keys()) {
    if (!left.delete(start)) continue;
    const part = [start];
    for (let at = 0; at < part.length; at++)
      for (const cell of adjacentCells(part[at]!)) if (left.delete(cell)) part.push(cell);
    parts.push(part);
  }
  return parts;
}

function adjacentCells(cell: number): number[] {
  const row = Math.floor(cell / COLUMNS);
  const column = cell % COLUMNS;
  const steps = [-1, 0, 1];
  return steps.flatMap((up) =>
    steps.map((right) => (row + up) * COLUMNS + ((column + right + COLUMNS) % COLUMNS)),
  );
}
