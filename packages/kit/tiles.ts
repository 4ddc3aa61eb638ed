/**
 * The tiles by which open data are fetched and kept: rows of a twentieth of a degree (5.6 km), each
 * cut into as many columns as make tiles about as wide as high, up to the poles.
 */
import type { Box } from "./geo.ts";
import { type Reach, reachOf, wrapLon } from "./geo.ts";

/** Row and column in one number. */
export type Tile = number;

const STEP = 0.05;
const ROWS = 3600;
const MOST_COLUMNS = 7200;
const ROW_FACTOR = 8192;
const RAD = Math.PI / 180;

/** The tile that a point lies in. */
export function tileAt(lat: number, lon: number): Tile {
  const row = rowOf(lat);
  return row * ROW_FACTOR + columnOf(row, wrapLon(lon));
}

/** Cells of a tile, a side: about 350 m. */
export const CELLS = 16;

/** The cell of its tile that a point lies in: rows from the south, each from the west. */
export function cellAt(lat: number, lon: number): number {
  const row = rowOf(lat);
  const columns = columnsOf(row);
  const east = wrapLon(lon);
  return cellsFrom(lat, row) * CELLS + cellsEast(east, columnOf(row, east), columns);
}

/** Cells of a tile that a circle might touch: rows and columns, both ends included. */
export type CellSpan = { south: number; north: number; west: number; east: number };

export function cellsIn(tile: Tile, lat: number, lon: number, { dlat, dlon }: Reach): CellSpan {
  const row = Math.floor(tile / ROW_FACTOR);
  const column = tile - row * ROW_FACTOR;
  const columns = columnsOf(row);
  const span = { south: cellsFrom(lat - dlat, row), north: cellsFrom(lat + dlat, row) };
  if (dlon >= 180 || columns === 1) return { ...span, west: 0, east: CELLS - 1 };
  // The same meridian on the tile's side of the antimeridian.
  const middle = ((column + 0.5) / columns) * 360 - 180;
  const near = lon + 360 * Math.round((middle - lon) / 360);
  const [west, east] = [near - dlon, near + dlon];
  return {
    ...span,
    west: cellsEast(west, column, columns),
    east: cellsEast(east, column, columns),
  };
}

function cellsFrom(lat: number, row: number): number {
  return clampCell(((lat + 90) / STEP - row) * CELLS);
}

function cellsEast(lon: number, column: number, columns: number): number {
  return clampCell((((lon + 180) / 360) * columns - column) * CELLS);
}

function clampCell(cells: number): number {
  return Math.min(CELLS - 1, Math.max(0, Math.floor(cells)));
}

/** Every tile that a circle touches or might touch; each once. */
export function tilesOf(lat: number, lon: number, radius_m: number): Tile[] {
  const { dlat, dlon } = reachOf(lat, radius_m);
  const tiles: Tile[] = [];
  for (let row = rowOf(Math.max(-90, lat - dlat)); row <= rowOf(Math.min(90, lat + dlat)); row++) {
    const columns = columnsOf(row);
    const first = Math.floor(((lon - dlon + 180) / 360) * columns);
    const last = Math.floor(((lon + dlon + 180) / 360) * columns);
    const count = Math.min(columns, last - first + 1);
    for (let i = 0; i < count; i++)
      tiles.push(row * ROW_FACTOR + ((((first + i) % columns) + columns) % columns));
  }
  return tiles;
}

/** Its west is less than its east: tiles end at the antimeridian. */
export function boxOfTile(tile: Tile): Box {
  const row = Math.floor(tile / ROW_FACTOR);
  const column = tile - row * ROW_FACTOR;
  const width = 360 / columnsOf(row);
  return {
    south: row * STEP - 90,
    north: Math.min(90, (row + 1) * STEP - 90),
    west: column * width - 180,
    east: Math.min(180, (column + 1) * width - 180),
  };
}

/** Few boxes that hold all tiles: one, or two where they lie on both sides of the antimeridian. */
export function boxesAround(tiles: readonly Tile[]): Box[] {
  const boxes = tiles.map(boxOfTile);
  const wide =
    Math.max(...boxes.map(({ east }) => east)) - Math.min(...boxes.map(({ west }) => west));
  if (wide <= 180) return [around(boxes)];
  const sides = [boxes.filter(({ west }) => west < 0), boxes.filter(({ west }) => west >= 0)];
  return sides.filter((side) => side.length > 0).map(around);
}

function around(boxes: readonly Box[]): Box {
  return {
    south: Math.min(...boxes.map(({ south }) => south)),
    north: Math.max(...boxes.map(({ north }) => north)),
    west: Math.min(...boxes.map(({ west }) => west)),
    east: Math.max(...boxes.map(({ east }) => east)),
  };
}

function rowOf(lat: number): number {
  return Math.min(ROWS - 1, Math.max(0, Math.floor((lat + 90) / STEP)));
}

/** By the parallel of the row that is nearer to the equator, so that no tile is wider than high. */
function columnsOf(row: number): number {
  const low = row * STEP - 90;
  const nearest = Math.min(Math.abs(low), Math.abs(low + STEP));
  return Math.min(MOST_COLUMNS, Math.max(1, Math.ceil(MOST_COLUMNS * Math.cos(nearest * RAD))));
}

function columnOf(row: number, lon: number): number {
  const columns = columnsOf(row);
  return Math.min(columns - 1, Math.max(0, Math.floor(((lon + 180) / 360) * columns)));
}
