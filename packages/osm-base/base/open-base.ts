/** A packed base as it is searched: the facts of its header, and which points it covers. */
import { type BaseMeta, BASE_FORMAT, CELLS_COLUMN } from "./base-layout.ts";
import { cellsAround, cellsUnder } from "./cover-cells.ts";
import { coversOfBase, isInsideCover, cellKey } from "./covers.ts";
import { type Columns, columnOf, readPack } from "#kit/pack.ts";

export type BasePack = {
  meta: BaseMeta;
  columns: Columns;
  covers(lat: number, lon: number): boolean;
  /** Whether all of the circle is covered. */
  coversCircle(circle: Circle): boolean;
};
type Circle = { lat: number; lon: number; radius_m: number };

/** null: the bytes are not a whole base of this version. `is_summed`: as `readPack` has it. */
export function openBasePack(bytes: Uint8Array, is_summed = false): BasePack | null {
  const pack = readPack<BaseMeta>(BASE_FORMAT, bytes, is_summed);
  return pack && { ...pack, ...openCoverage(pack) };
}

/** Which points are covered, by the box and the cells of a base. */
export function openCoverage({
  meta,
  columns,
}: {
  meta: BaseMeta;
  columns: Columns;
}): Pick<BasePack, "covers" | "coversCircle"> {
  const keys = new Set(columnOf(columns, CELLS_COLUMN, Uint32Array));
  return {
    covers: coversOfBase(meta.box, keys),
    coversCircle: (circle) =>
      isWithin(meta.box, circle) && cellsUnder(circle).every(({ x, y }) => keys.has(cellKey(x, y))),
  };
}

/** Across the antimeridian the cells alone decide in the east and west. */
function isWithin(box: BaseMeta["box"], circle: Circle): boolean {
  const [south, west, north, east] = cellsAround(circle);
  const crosses = west < -180 || east > 180;
  const ends = crosses ? [circle.lon] : [west, east];
  return ends.every((lon) => isInsideCover(box, south, lon) && isInsideCover(box, north, lon));
}
