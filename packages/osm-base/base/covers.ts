/** Which points a base covers: what lies inside its box, in a cell that holds an object. */
import { cellOf, CELL_ZOOM } from "./cover-cells.ts";
import type { BaseMeta } from "./base-layout.ts";

/** `cells`: the keys of the cells that hold something. */
export function coversOfBase(
  box: BaseMeta["box"],
  cells: ReadonlySet<number>,
): (lat: number, lon: number) => boolean {
  return (lat, lon) => isInsideCover(box, lat, lon) && cells.has(keyAt(lat, lon));
}

export function cellKey(x: number, y: number): number {
  return x * 2 ** CELL_ZOOM + y;
}

function keyAt(lat: number, lon: number): number {
  const { x, y } = cellOf(Math.round(lat * 1e7), Math.round(lon * 1e7));
  return cellKey(x, y);
}

/** null: there is none, and nothing is inside. */
export function isInsideCover(box: BaseMeta["box"], lat: number, lon: number): boolean {
  if (box === null) return false;
  const [south, west, north, east] = box;
  return lat >= south && lat <= north && lon >= west && lon <= east;
}
