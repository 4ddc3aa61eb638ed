/**
 * The tiles by which open data are fetched and kept: rows of a twentieth of a degree (5.6 km), each
 * cut into as many columns as make tiles about as wide as high, up to the poles.
 */
import type { Box } from "#core/entities.ts";
import { reachOf, wrapLon } from "#core/geo.ts";

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
