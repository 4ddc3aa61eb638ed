/** The layout of a packed feed (feed-pack.ts): one flat, versioned snapshot (pack.ts). */
import { type Column, columnOf, readPack as read, writePack as write } from "#core/pack.ts";
import type { TransitFeed } from "#core/transit/stations.ts";

/** "VGT1", little endian. An older snapshot is imported again. */
const FORMAT = { magic: 0x31544756, version: 2 } as const;

/** Facts that hold for all stations of the feed. */
export type FeedMeta = Omit<TransitFeed, "stations"> & {
  counts: { stations: number; routes: number; operators: number };
};

/** Rows are stations in order of their tiles; texts and lists lie at starts[row] .. starts[row + 1]. */
const COLUMNS = {
  lats: Float64Array,
  lons: Float64Array,
  ids: Uint8Array,
  id_starts: Uint32Array,
  names: Uint8Array,
  name_starts: Uint32Array,
  /** Place in WHEELCHAIRS. */
  wheelchair: Uint8Array,
  /** Places in `meta.routes`. */
  routes: Uint32Array,
  route_starts: Uint32Array,
  /** Each tile once, ascending, and its first row. */
  tiles: Uint32Array,
  tile_starts: Uint32Array,
} as const;
type ColumnName = keyof typeof COLUMNS;

export type PackColumns = Readonly<{
  [name in ColumnName]: (typeof COLUMNS)[name] extends Float64ArrayConstructor
    ? Float64Array
    : (typeof COLUMNS)[name] extends Uint32ArrayConstructor
      ? Uint32Array
      : Uint8Array;
}>;

/** One buffer of a header and its columns, in steps. */
export function writePack(
  meta: FeedMeta,
  columns: PackColumns,
): Generator<void, Uint8Array<ArrayBuffer>> {
  return write(FORMAT, meta, columns);
}

/** Header and columns of a snapshot; null for anything that is not whole and ours. */
export function readPack(given: Uint8Array): { meta: FeedMeta; columns: PackColumns } | null {
  const pack = read<FeedMeta>(FORMAT, given);
  if (pack === null) return null;
  const names = Object.keys(COLUMNS) as ColumnName[];
  const columns = names.map((name) => [name, columnOf<Column>(pack.columns, name, COLUMNS[name])]);
  return { meta: pack.meta, columns: Object.fromEntries(columns) as PackColumns };
}
