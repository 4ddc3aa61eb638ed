/**
 * The layout of a packed feed (feed-pack.ts): one flat, versioned snapshot, as whole or not at all.
 *
 *   u32 magic · u32 version · u32 bytes in all · u32 checksum of what follows · u32 header bytes ·
 *   u32 0 · header JSON, padded to 8 · columns in the order of `COLUMNS`, each padded to 8
 */
import { parseJsonBytes } from "#core/json.ts";
import type { TransitFeed } from "#core/transit/stations.ts";

const MAGIC = 0x31544756; // "VGT1", little endian
/** Raised with every change of the layout: an older snapshot is imported again. */
const VERSION = 1;
const PREFIX_WORDS = 6;
const PREFIX_BYTES = PREFIX_WORDS * 4;

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
type Column = Float64Array | Uint32Array | Uint8Array;
type ColumnName = keyof typeof COLUMNS;
const NAMES = Object.keys(COLUMNS) as ColumnName[];

export type PackColumns = Readonly<
  Record<"lats" | "lons", Float64Array> &
    Record<"ids" | "names" | "wheelchair", Uint8Array> &
    Record<Exclude<ColumnName, "lats" | "lons" | "ids" | "names" | "wheelchair">, Uint32Array>
>;
type Header = FeedMeta & { lengths: Record<ColumnName, number> };

/** One buffer of a header and its columns; in steps, since copying a country takes a while. */
export function* writePack(
  meta: FeedMeta,
  columns: PackColumns,
): Generator<void, Uint8Array<ArrayBuffer>> {
  const lengths = Object.fromEntries(NAMES.map((name) => [name, columns[name].length]));
  const header = new TextEncoder().encode(JSON.stringify({ ...meta, lengths }));
  const start = align(PREFIX_BYTES + header.length);
  const total = NAMES.reduce((sum, name) => sum + align(columns[name].byteLength), start);
  const bytes = new Uint8Array(total);
  bytes.set(header, PREFIX_BYTES);
  let at = start;
  for (const name of NAMES) {
    const { buffer, byteOffset, byteLength } = columns[name];
    bytes.set(new Uint8Array(buffer, byteOffset, byteLength), at);
    at += align(byteLength);
    yield;
  }
  const prefix = new Uint32Array(bytes.buffer, 0, PREFIX_WORDS);
  prefix.set([MAGIC, VERSION, total, 0, header.length, 0]);
  prefix[3] = checksum(bytes);
  return bytes;
}

/** Header and columns of a snapshot; null for anything that is not whole and ours. */
export function readPack(given: Uint8Array): { meta: FeedMeta; columns: PackColumns } | null {
  const bytes = given.byteOffset % 8 === 0 ? given : new Uint8Array(given);
  if (bytes.length < PREFIX_BYTES || bytes.length % 8 !== 0) return null;
  const prefix = new Uint32Array(bytes.buffer, bytes.byteOffset, PREFIX_WORDS);
  const [magic, version, total, sum, headerBytes, zero] = prefix;
  if (magic !== MAGIC || version !== VERSION || total !== bytes.length || zero !== 0) return null;
  if (headerBytes! > bytes.length - PREFIX_BYTES || checksum(bytes) !== sum) return null;
  const header = parseJsonBytes(
    // A copy, since decoders do not take shared memory everywhere.
    bytes.slice(PREFIX_BYTES, PREFIX_BYTES + headerBytes!),
  ) as Header | undefined;
  const columns = header && viewColumns(bytes, header, align(PREFIX_BYTES + headerBytes!));
  if (!header || !columns) return null;
  const { lengths: _, ...meta } = header;
  return { meta, columns };
}

function viewColumns(bytes: Uint8Array, { lengths }: Header, start: number): PackColumns | null {
  const columns: Partial<Record<ColumnName, Column>> = {};
  let at = start;
  for (const name of NAMES) {
    const type = COLUMNS[name];
    const end = at + lengths[name] * type.BYTES_PER_ELEMENT;
    if (!(end <= bytes.length)) return null;
    columns[name] = new type(bytes.buffer as ArrayBuffer, bytes.byteOffset + at, lengths[name]);
    at = align(end);
  }
  return at === bytes.length ? (columns as PackColumns) : null;
}

/** Over everything after itself, word by word: a flipped bit or a lost block changes it. */
function checksum(bytes: Uint8Array): number {
  const words = new Int32Array(bytes.buffer, bytes.byteOffset, bytes.length >> 2);
  let hash = words.length;
  for (let i = 4; i < words.length; i++)
    hash = Math.imul(hash ^ words[i]!, 0x01000193) ^ (hash >>> 15);
  return hash >>> 0;
}

function align(bytes: number): number {
  return (bytes + 7) & ~7;
}
