/** The layout of a packed feed (feed-pack.ts): one flat, versioned snapshot (pack.ts). */
import type { Box } from "#kit/geo.ts";
import {
  type PackColumn,
  columnOf,
  type ColumnsOf,
  type ColumnTypes,
  readPack as read,
  writePack as write,
} from "#kit/pack.ts";
import { ACCESS_COLUMNS, type AccessColumns, type AccessMeta } from "../access/access-layout.ts";
import type { TransitFeed } from "./schedule-stations.ts";
import {
  TIMETABLE_COLUMNS,
  type TimetableColumns,
  type TimetableMeta,
} from "../timetable/timetable-layout.ts";

/** "VGT1", little endian. An older snapshot is imported again. */
export const FEED_FORMAT = { magic: 0x31544756, version: 4 } as const;

/** Facts that hold for all stations of the feed. */
export type FeedMeta = Omit<TransitFeed, "stations" | "timetable" | "access"> & {
  /** null: departures are not known, and the columns of the timetable are not there. */
  timetable: TimetableMeta | null;
  /** Absent: no ways within stations are known, and their columns are not there; so in packs made before there were any. */
  access?: AccessMeta;
  counts: { stations: number; routes: number; operators: number };
  /** The file or folder that a command imported it from, which can make it again; absent: none. */
  imported_from?: string;
  /** The box that its import was for; absent: it is the whole feed. */
  imported_box?: Box;
};

/** Rows are stations in order of their tiles; texts and lists lie at starts[row] .. starts[row + 1]. */
const COLUMNS = {
  /** Rows in the order of their public ids. */
  public_order: Uint32Array,
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
export type PackColumns = ColumnsOf<typeof COLUMNS>;

type PackOptions<B extends ArrayBufferLike> = {
  onCopied?: ((column: PackColumn) => void) | undefined;
  /** Memory for the pack, all zeros; absent: of the thread alone. */
  create?: ((bytes: number) => Uint8Array<B>) | undefined;
};

/** One buffer of a header and its columns, in steps. */
export function writeFeedPack<B extends ArrayBufferLike = ArrayBuffer>(
  meta: FeedMeta,
  columns: PackColumns & Partial<TimetableColumns> & Partial<AccessColumns>,
  { onCopied, create }: PackOptions<B> = {},
): Generator<void, Uint8Array<B>> {
  return write<B>(FEED_FORMAT, meta, columns, onCopied, create);
}

/** Header and columns of a snapshot; null for anything that is not whole and ours. */
export function readFeedPack(input: Uint8Array): {
  meta: FeedMeta;
  columns: PackColumns;
  timetable: TimetableColumns | null;
  access: AccessColumns | null;
} | null {
  const pack = read<FeedMeta>(FEED_FORMAT, input);
  if (pack === null) return null;
  const view = <T extends ColumnTypes>(types: T): ColumnsOf<T> => {
    const names = Object.entries(types);
    const columns = names.map(([name, type]) => [
      name,
      columnOf<PackColumn>(pack.columns, name, type),
    ]);
    return Object.fromEntries(columns) as ColumnsOf<T>;
  };
  const { meta } = pack;
  return {
    meta,
    columns: view(COLUMNS),
    timetable: meta.timetable && view(TIMETABLE_COLUMNS),
    access: meta.access ? view(ACCESS_COLUMNS) : null,
  };
}
