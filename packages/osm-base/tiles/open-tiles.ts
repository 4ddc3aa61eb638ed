/** The map of a base, read where its columns lie. */
import Flatbush from "flatbush";
import { columnName } from "../base/base-layout.ts";
import { columnOf, type Columns } from "#kit/pack.ts";
import { type Blob, readText } from "#kit/bytes.ts";
import { GROUPS, toLat, toLon } from "./grid.ts";
import { type MapMeta, SECTION } from "./tiles-section.ts";
import { makeTile, type MapGroup, type MapSource } from "./tile.ts";

export type BaseMap = MapSource & {
  /** South, west, north, east in degrees; null: nothing is drawn. */
  box: readonly [number, number, number, number] | null;
  /** A vector tile; null: nothing of this base is in it. */
  tile(z: number, x: number, y: number): Uint8Array<ArrayBuffer> | null;
};

/** `columns` and `meta` as the pack of the base has them: `meta.sections.map`. */
export function openMap(columns: Columns, meta: MapMeta): BaseMap {
  const groups = GROUPS.map((_, group) => openGroup(columns, String(group)));
  const labels: Blob = {
    bytes: columnOf(columns, columnName(SECTION, "labels"), Uint8Array),
    offsets: columnOf(columns, columnName(SECTION, "labels_at"), Uint32Array),
  };
  const map: BaseMap = {
    box: boxOf(groups.at(-1) ?? null),
    groups,
    kinds: meta.kinds,
    readLabel: (number) => (number === 0 ? "" : readText(labels, number)),
    tile: (z, x, y) => makeTile([map], z, x, y),
  };
  return map;
}

function openGroup(columns: Columns, group: string): MapGroup | null {
  const nameOf = (column: string): string => columnName(SECTION, `${group}.${column}`);
  if (columns[nameOf("index")] === undefined) return null;
  const { buffer, byteOffset } = columnOf(columns, nameOf("index"), Uint8Array);
  return {
    index: Flatbush.from(buffer, byteOffset),
    looks: columnOf(columns, nameOf("look"), Uint32Array),
    labels: columnOf(columns, nameOf("label"), Uint32Array),
    offsets: columnOf(columns, nameOf("at"), Uint32Array),
    shapes: columnOf(columns, nameOf("shape"), Uint8Array),
  };
}

function boxOf(group: MapGroup | null): BaseMap["box"] {
  if (group === null) return null;
  const { minX, minY, maxX, maxY } = group.index;
  return [toLat(maxY), toLon(minX), toLat(minY), toLon(maxX)];
}
