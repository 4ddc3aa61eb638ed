/**
 * Cells of pages: tiles of web mercator, of any zoom up to that of their level. What a page is made of
 * lies in its cell, or near to it (docs/lab/pages.md).
 */
import { FULL_BITS, toX, toY } from "../tiles/grid.ts";

export type PageCell = { z: number; x: number; y: number };

/**
 * Levels of pages. `ground` pages hold everything, and the map from zoom 11 on; those of the others the
 * map of smaller zooms alone. `zoom`: of the smallest cells, so that a tile of the level lies in one
 * page. `globe` is one page, of little: borders, large lakes and the greatest places.
 */
export const PAGE_LEVELS = {
  globe: { zoom: 0, map: { from: 0, to: 4 } },
  world: { zoom: 5, map: { from: 5, to: 7 } },
  region: { zoom: 8, map: { from: 8, to: 10 } },
  ground: { zoom: 11, map: { from: 11, to: 14 } },
} as const;
export type PageLevel = keyof typeof PAGE_LEVELS;

/** The level whose pages have the tiles of a zoom. */
export function levelOfZoom(z: number): PageLevel {
  if (z >= PAGE_LEVELS.ground.map.from) return "ground";
  if (z >= PAGE_LEVELS.region.map.from) return "region";
  return z >= PAGE_LEVELS.world.map.from ? "world" : "globe";
}

/** The cell of all. */
export const WHOLE: PageCell = { z: 0, x: 0, y: 0 };

/** West, north, east, south on the grid of tiles (tiles/grid.ts); the east and the south are outside. */
export type GridBox = { west: number; north: number; east: number; south: number };

/** The cell of a zoom that holds a point, given in ten-millionths of a degree. */
export function cellAt(z: number, lat7: number, lon7: number): PageCell {
  const last = 2 ** z - 1;
  const size = 2 ** (FULL_BITS - z);
  return {
    z,
    x: Math.min(last, Math.floor(toX(lon7) / size)),
    y: Math.min(last, Math.floor(toY(lat7) / size)),
  };
}

/** Whether a cell holds a point; each point is in one cell of a zoom. */
export function isInCell({ z, x, y }: PageCell, lat7: number, lon7: number): boolean {
  const at = cellAt(z, lat7, lon7);
  return at.x === x && at.y === y;
}

export function boxOfCell({ z, x, y }: PageCell): GridBox {
  const size = 2 ** (FULL_BITS - z);
  return { west: x * size, north: y * size, east: (x + 1) * size, south: (y + 1) * size };
}

export function isSameCell(a: PageCell, b: PageCell): boolean {
  return a.z === b.z && a.x === b.x && a.y === b.y;
}

/** The four cells that make up a cell. */
export function quartersOf({ z, x, y }: PageCell): PageCell[] {
  return [0, 1, 2, 3].map((i) => ({ z: z + 1, x: 2 * x + (i & 1), y: 2 * y + (i >> 1) }));
}

/** Whether a cell is another one or lies in it. */
export function isWithinCell(cell: PageCell, outer: PageCell): boolean {
  const size = 2 ** (cell.z - outer.z);
  return (
    size >= 1 && Math.floor(cell.x / size) === outer.x && Math.floor(cell.y / size) === outer.y
  );
}
