/** A packed base as it is searched: the facts of its header, and which points it covers. */
import { type BaseMeta, BASE_FORMAT, CELLS_COLUMN } from "#core/base/layout.ts";
import { cellOf, CELL_ZOOM } from "#core/base/cells.ts";
import { type Columns, columnOf, readPack } from "#core/pack.ts";

export type BasePack = {
  meta: BaseMeta;
  columns: Columns;
  covers(lat: number, lon: number): boolean;
};

/** null: the bytes are not a whole base of this version. */
export function openBasePack(bytes: Uint8Array): BasePack | null {
  const pack = readPack<BaseMeta>(BASE_FORMAT, bytes);
  if (pack === null) return null;
  const { meta, columns } = pack;
  return {
    meta,
    columns,
    covers: toCovers(meta.box, columnOf(columns, CELLS_COLUMN, Uint32Array)),
  };
}

/** Covered is what lies inside the box, in a cell that holds an object. */
function toCovers(box: BaseMeta["box"], cells: Uint32Array): BasePack["covers"] {
  const keys = new Set(cells);
  return (lat, lon) => {
    if (box === null) return false;
    const [south, west, north, east] = box;
    if (lat < south || lat > north || lon < west || lon > east) return false;
    const { x, y } = cellOf(Math.round(lat * 1e7), Math.round(lon * 1e7));
    return keys.has(x * 2 ** CELL_ZOOM + y);
  };
}
