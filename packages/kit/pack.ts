/**
 * A packed file: named columns of numbers and bytes behind a JSON header, read where they lie, as
 * whole or not at all. Timetables and bases of the open map are kept so.
 *
 *   u32 magic · u32 version · u32 bytes in all · u32 checksum of what follows · u32 header bytes ·
 *   u32 0 · header JSON, padded to 8 · the columns in the header's order, each padded to 8
 */
import { parseJsonBytes } from "./json.ts";
import { problem } from "./problem.ts";
import { toEnd } from "./steps.ts";

/** Kind of a packed file. The version is raised with every change of its layout. */
export type PackFormat = { magic: number; version: number };

const TYPES = {
  f64: Float64Array,
  i32: Int32Array,
  u32: Uint32Array,
  u16: Uint16Array,
  u8: Uint8Array,
} as const;
type TypeName = keyof typeof TYPES;
export type PackColumn = Float64Array | Int32Array | Uint32Array | Uint16Array | Uint8Array;
export type Columns = Readonly<Record<string, PackColumn>>;

/** Columns that a kind of file has, by name. */
export type ColumnTypes = Readonly<Record<string, (typeof TYPES)[TypeName]>>;
/** Their values, wherever the bytes lie. */
export type ColumnsOf<T extends ColumnTypes> = {
  readonly [name in keyof T]: T[name] extends Float64ArrayConstructor
    ? Float64Array
    : T[name] extends Int32ArrayConstructor
      ? Int32Array
      : T[name] extends Uint32ArrayConstructor
        ? Uint32Array
        : T[name] extends Uint16ArrayConstructor
          ? Uint16Array
          : Uint8Array;
};

type Header<Meta> = { meta: Meta; columns: [name: string, type: TypeName, length: number][] };

/** The prefix has 32 bits for the size, and sizes are multiples of 8. */
export const MAX_PACK_BYTES: number = 2 ** 32 - 8;

const PREFIX_WORDS = 6;
const PREFIX_BYTES = PREFIX_WORDS * 4;

/**
 * One buffer of a header and its columns; in steps, since copying a country takes a while. `onCopied`
 * is called with each column once the pack has it. `create`: memory for it, all zeros.
 */
export function* writePack<B extends ArrayBufferLike = ArrayBuffer>(
  { magic, version }: PackFormat,
  meta: unknown,
  columns: Columns,
  onCopied: (column: PackColumn) => void = () => undefined,
  create: (bytes: number) => Uint8Array<B> = (bytes) => new Uint8Array(bytes) as Uint8Array<B>,
): Generator<void, Uint8Array<B>> {
  const list = Object.entries(columns);
  const header = new TextEncoder().encode(
    JSON.stringify({
      meta,
      columns: list.map(([name, column]) => [name, typeOf(column), column.length]),
    } satisfies Header<unknown>),
  );
  const start = align(PREFIX_BYTES + header.length);
  const total = packBytesOf(
    header.length,
    list.map(([, { byteLength }]) => byteLength),
  );
  const bytes = create(total);
  bytes.set(header, PREFIX_BYTES);
  let at = start;
  for (const [, column] of list) {
    const { buffer, byteOffset, byteLength } = column;
    bytes.set(new Uint8Array(buffer, byteOffset, byteLength), at);
    at += align(byteLength);
    onCopied(column);
    yield;
  }
  const prefix = new Uint32Array(bytes.buffer, 0, PREFIX_WORDS);
  prefix.set([magic, version, total, 0, header.length, 0]);
  prefix[3] = checksum(bytes);
  return bytes;
}

/** Size of a pack of columns of these sizes; throws a `problem` for one that cannot be written. */
export function packBytesOf(header_bytes: number, column_bytes: readonly number[]): number {
  const start = align(PREFIX_BYTES + header_bytes);
  const total = column_bytes.reduce((sum, bytes) => sum + align(bytes), start);
  if (total <= MAX_PACK_BYTES) return total;
  throw problem(
    `packed: would have ${total} bytes, and ${MAX_PACK_BYTES} can be written: import a smaller file`,
  );
}

/**
 * Header and columns, which are views of `input`; null for anything that is not whole and ours.
 * `is_summed`: its checksum has been compared (`sumPack`), and is not worked out again.
 */
export function readPack<Meta>(
  { magic, version }: PackFormat,
  input: Uint8Array,
  is_summed = false,
): { meta: Meta; columns: Columns } | null {
  const pack = peekPack(magic, input, is_summed);
  if (pack === null || pack.version !== version) return null;
  const header = pack.header as Header<Meta> | undefined;
  const columns = header && viewColumns(pack.bytes, header.columns, pack.start);
  return header && columns ? { meta: header.meta, columns } : null;
}

/** A whole pack of a kind, whichever version has written it. */
export type PeekedPack = {
  version: number;
  /** As it was written; undefined: it is no JSON. */
  header: unknown;
  /** All of it, where numbers can be read. */
  bytes: Uint8Array;
  /** Where the columns begin. */
  start: number;
};

/** Whether bytes that begin so are a pack of this kind, of whatever version, that ends where they do. */
export function beginsPack(magic: number, first: Uint8Array, all_bytes: number): boolean {
  if (first.length < PREFIX_BYTES) return false;
  const view = new DataView(first.buffer, first.byteOffset, PREFIX_BYTES);
  return view.getUint32(0, true) === magic && view.getUint32(8, true) === all_bytes;
}

/** Looks at a pack of any version: prefix and header have always been the same. null: it is none. */
export function peekPack(magic: number, input: Uint8Array, is_summed = false): PeekedPack | null {
  const bytes = input.byteOffset % 8 === 0 ? input : new Uint8Array(input);
  if (bytes.length < PREFIX_BYTES || bytes.length % 8 !== 0) return null;
  const prefix = new Uint32Array(bytes.buffer, bytes.byteOffset, PREFIX_WORDS);
  const [ours, version, total, sum, headerBytes, zero] = prefix;
  if (ours !== magic || total !== bytes.length || zero !== 0) return null;
  if (headerBytes! > bytes.length - PREFIX_BYTES) return null;
  if (!is_summed && checksum(bytes) !== sum) return null;
  const end = PREFIX_BYTES + headerBytes!;
  // A copy, since decoders do not take shared memory everywhere.
  const header = parseJsonBytes(bytes.slice(PREFIX_BYTES, end));
  return { version: version!, header, bytes, start: align(end) };
}

/** Why a pack that cannot be opened is none of ours: it is of another version, or damaged. */
export function whyUnopened(
  { magic, version }: PackFormat,
  input: Uint8Array,
): "earlier_version" | "later_version" | "damaged" {
  const pack = peekPack(magic, input);
  if (pack === null || pack.version === version) return "damaged";
  return pack.version < version ? "earlier_version" : "later_version";
}

/** A column by name and type; throws where the pack has none: its writer is of the same version. */
export function columnOf<C extends PackColumn>(
  columns: Columns,
  name: string,
  type: abstract new (...args: never[]) => C,
): C {
  const column = columns[name];
  if (column instanceof type) return column;
  throw new TypeError(`The pack has no column ${name} of ${type.name}`);
}

/** Where a column of any version lies; null: there is none, or what lies before it is not known. */
export function findColumnPlace(
  { start }: PeekedPack,
  rows: readonly (readonly unknown[])[],
  wanted: string,
): { type: string; at: number; length: number } | null {
  let at = start;
  for (const [name, type, length] of rows) {
    if (typeof length !== "number") return null;
    if (name === wanted) return { type: String(type), at, length };
    at = align(at + length * (TYPES[type as TypeName]?.BYTES_PER_ELEMENT ?? NaN));
  }
  return null;
}

type ColumnClass<C> = {
  new (buffer: ArrayBufferLike, at: number, length: number): C;
  BYTES_PER_ELEMENT: number;
};

/** The numbers of a column of any version, by its place in the bytes; null: they end before it. */
export function numbersAt<C extends PackColumn>(
  { bytes }: PeekedPack,
  at: number,
  length: number,
  type: ColumnClass<C>,
): C | null {
  const end = at + length * type.BYTES_PER_ELEMENT;
  const isWhole = Number.isSafeInteger(length) && length >= 0 && end <= bytes.length;
  return isWhole ? new type(bytes.buffer, bytes.byteOffset + at, length) : null;
}

function viewColumns(
  bytes: Uint8Array,
  list: Header<unknown>["columns"],
  start: number,
): Columns | null {
  const columns: Record<string, PackColumn> = {};
  let at = start;
  for (const [name, type, length] of list) {
    const end = at + length * TYPES[type].BYTES_PER_ELEMENT;
    if (!(end <= bytes.length)) return null;
    columns[name] = new TYPES[type](bytes.buffer as ArrayBuffer, bytes.byteOffset + at, length);
    at = align(end);
  }
  return at === bytes.length ? columns : null;
}

function typeOf(column: PackColumn): TypeName {
  const names = Object.keys(TYPES) as TypeName[];
  return names.find((name) => column instanceof TYPES[name])!;
}

/** What a pack's prefix says of its checksum; null: it is too short for one. */
export function statedChecksum(bytes: Uint8Array): number | null {
  if (bytes.length < PREFIX_BYTES) return null;
  return new DataView(bytes.buffer, bytes.byteOffset).getUint32(CHECKSUM_AT, true);
}

const CHECKSUM_AT = 12;

/** Whether these bytes begin as a pack of this kind and of their length does. */
export function hasPackPrefix({ magic, version }: PackFormat, bytes: Uint8Array): boolean {
  if (!beginsPack(magic, bytes, bytes.length)) return false;
  return new DataView(bytes.buffer, bytes.byteOffset).getUint32(4, true) === version;
}

function checksum(bytes: Uint8Array): number {
  return toEnd(sumPack(bytes));
}

/** Some tenths of a millisecond. */
const STEP_WORDS = 2 ** 18;

/**
 * The checksum of a pack, over everything after itself, word by word: a flipped bit or a lost block
 * changes it. In steps, since one of 64 MB takes a while. Begins at a multiple of four.
 */
export function* sumPack(bytes: Uint8Array): Generator<void, number> {
  const words = new Int32Array(bytes.buffer, bytes.byteOffset, Math.floor(bytes.length / 4));
  let hash = words.length;
  for (let i = 4; i < words.length;) {
    const end = Math.min(words.length, i + STEP_WORDS);
    for (; i < end; i++) hash = Math.imul(hash ^ words[i]!, 0x01000193) ^ (hash >>> 15);
    yield;
  }
  return hash >>> 0;
}

/** The place after these bytes where the next column begins. No bit operation: these have 32 bits. */
function align(bytes: number): number {
  return Math.ceil(bytes / 8) * 8;
}
