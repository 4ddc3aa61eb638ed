/**
 * The parts of a system that lie far from one another. Points that share a cell of a degree, or stand
 * in cells that touch, are one part: some 110 km and more lie between two parts, fewer towards the
 * poles.
 */
import type { Box } from "#core/entities.ts";
import { boxOf, wrapLon } from "#core/geo.ts";

/** More parts than that are told as one. */
const MAX_AREAS = 32;
const COLUMNS = 360;

/** The boxes of the parts, that with most points first. Empty without points. */
export function areasOf(lats: Float64Array, lons: Float64Array): Box[] {
  const cells = toCells(lats, lons);
  const parts = joinCells(cells);
  const whole = boxOf(lats, lons);
  if (whole === null) return [];
  if (parts.length <= 1 || parts.length > MAX_AREAS) return [whole];
  return parts
    .map((part) => part.flatMap((cell) => cells.get(cell)!))
    .toSorted((a, b) => b.length - a.length)
    .map((rows) => boxOf(pick(lats, rows), pick(lons, rows))!);
}

/** Rows of the points by cell. */
function toCells(lats: Float64Array, lons: Float64Array): Map<number, number[]> {
  const cells = new Map<number, number[]>();
  lats.forEach((lat, row) => {
    const column = Math.floor(wrapLon(lons[row]!) + 180);
    const cell = Math.min(179, Math.floor(lat + 90)) * COLUMNS + Math.min(COLUMNS - 1, column);
    const rows = cells.get(cell);
    if (rows) rows.push(row);
    else cells.set(cell, [row]);
  });
  return cells;
}

/** Cells that touch one another, round the antimeridian too. */
function joinCells(cells: ReadonlyMap<number, unknown>): number[][] {
  const left = new Set(cells.keys());
  const parts: number[][] = [];
  for (const start of cells.keys()) {
    if (!left.delete(start)) continue;
    const part = [start];
    for (let at = 0; at < part.length; at++)
      for (const beside of cellsBeside(part[at]!)) if (left.delete(beside)) part.push(beside);
    parts.push(part);
  }
  return parts;
}

function cellsBeside(cell: number): number[] {
  const row = Math.floor(cell / COLUMNS);
  const column = cell % COLUMNS;
  const steps = [-1, 0, 1];
  return steps.flatMap((up) =>
    steps.map((right) => (row + up) * COLUMNS + ((column + right + COLUMNS) % COLUMNS)),
  );
}

function pick(values: Float64Array, rows: readonly number[]): Float64Array {
  return Float64Array.from(rows, (row) => values[row]!);
}
