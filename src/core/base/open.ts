/** A packed base as it is searched: the facts of its header, and which points it covers. */
import { type BaseMeta, BASE_FORMAT, CELLS_COLUMN } from "#core/base/layout.ts";
import { boxAround, cellOf, cellsUnder, CELL_ZOOM } from "#core/base/cells.ts";
import { type Columns, columnOf, readPack } from "#core/pack.ts";

export type BasePack = {
  meta: BaseMeta;
  columns: Columns;
  covers(lat: number, lon: number): boolean;
  /** Whether all of the circle is covered. */
  coversCircle(circle: Circle): boolean;
};
type Circle = { lat: number; lon: number; radius_m: number };

/** null: the bytes are not a whole base of this version. */
export function openBasePack(bytes: Uint8Array): BasePack | null {
  const pack = readPack<BaseMeta>(BASE_FORMAT, bytes);
  if (pack === null) return null;
  const { meta, columns } = pack;
  const keys = new Set(columnOf(columns, CELLS_COLUMN, Uint32Array));
  return {
    meta,
    columns,
    covers: (lat, lon) => isInside(meta.box, lat, lon) && keys.has(keyAt(lat, lon)),
    coversCircle: (circle) =>
      isWithin(meta.box, circle) && cellsUnder(circle).every(({ x, y }) => keys.has(keyOf(x, y))),
  };
}

const keyOf = (x: number, y: number): number => x * 2 ** CELL_ZOOM + y;

function keyAt(lat: number, lon: number): number {
  const { x, y } = cellOf(Math.round(lat * 1e7), Math.round(lon * 1e7));
  return keyOf(x, y);
}

/** Covered is what lies inside the box, in a cell that holds an object. */
function isInside(box: BaseMeta["box"], lat: number, lon: number): boolean {
  if (box === null) return false;
  const [south, west, north, east] = box;
  return lat >= south && lat <= north && lon >= west && lon <= east;
}

/** Across the antimeridian the cells alone decide in the east and west. */
function isWithin(box: BaseMeta["box"], circle: Circle): boolean {
  const [south, west, north, east] = boxAround(circle);
  const crosses = west < -180 || east > 180;
  const ends = crosses ? [circle.lon] : [west, east];
  return ends.every((lon) => isInside(box, south, lon) && isInside(box, north, lon));
}
