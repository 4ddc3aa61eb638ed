/** The map of a base, read where its columns lie. */
import Flatbush from "flatbush";
import { columnOf, type Columns } from "#core/pack.ts";
import { type Blob, readText } from "#core/shard/bytes.ts";
import { GROUPS, toLat, toLon } from "./grid.ts";
import type { MapMeta } from "./section.ts";
import { makeTile, type MapGroup, type MapSource } from "./tile.ts";

export type BaseMap = MapSource & {
  /** South, west, north, east in degrees; null: nothing is drawn. */
  box: readonly [number, number, number, number] | null;
  /** A vector tile; null: nothing of this base is in it. */
  tile(z: number, x: number, y: number): Uint8Array<ArrayBuffer> | null;
};

export function openMap(columns: Columns, meta: MapMeta): BaseMap {
  const groups = GROUPS.map((_, group) => openGroup(columns, `map.${group}`));
  const labels: Blob = {
    bytes: columnOf(columns, "map.labels", Uint8Array),
    offsets: columnOf(columns, "map.labels_at", Uint32Array),
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

function openGroup(columns: Columns, prefix: string): MapGroup | null {
  if (columns[`${prefix}.index`] === undefined) return null;
  const { buffer, byteOffset } = columnOf(columns, `${prefix}.index`, Uint8Array);
  return {
    index: Flatbush.from(buffer, byteOffset),
    looks: columnOf(columns, `${prefix}.look`, Uint32Array),
    labels: columnOf(columns, `${prefix}.label`, Uint32Array),
    offsets: columnOf(columns, `${prefix}.at`, Uint32Array),
    shapes: columnOf(columns, `${prefix}.shape`, Uint8Array),
  };
}

function boxOf(group: MapGroup | null): BaseMap["box"] {
  if (group === null) return null;
  const { minX, minY, maxX, maxY } = group.index;
  return [toLat(maxY), toLon(minX), toLat(minY), toLon(maxX)];
}
