/**
 * Flat, versioned snapshots: one buffer = a JSON header and named columns (typed arrays). The same
 * bytes go from the parsing thread to the world, the store and the shared store; opening one makes
 * views, never copies.
 *
 *   u32 magic · u32 header bytes · header JSON, padded to 8 · columns, each aligned to 8
 */
const MAGIC = 0x31594356; // "VCY1", little endian
const PREFIX_BYTES = 8;

const TYPES = {
  u8: Uint8Array,
  u16: Uint16Array,
  i32: Int32Array,
  u32: Uint32Array,
  f32: Float32Array,
  f64: Float64Array,
} as const;
type TypeName = keyof typeof TYPES;
export type Column =
  | Uint8Array
  | Uint16Array
  | Int32Array
  | Uint32Array
  | Float32Array
  | Float64Array;
type Layout = Record<string, { type: TypeName; offset: number; length: number }>;

export type Flat<Meta> = { meta: Meta; columns: Record<string, Column>; bytes: number };

/** Lays a snapshot out in shared memory, so that both threads read the same bytes. */
export function writeFlat(
  kind: string,
  meta: unknown,
  columns: Record<string, Column>,
): SharedArrayBuffer {
  const layout: Layout = {};
  let bytes = 0;
  for (const [name, column] of Object.entries(columns)) {
    layout[name] = { type: typeOf(column), offset: bytes, length: column.length };
    bytes += align(column.byteLength);
  }
  const header = new TextEncoder().encode(JSON.stringify({ kind, meta, layout }));
  const start = align(PREFIX_BYTES + header.length);
  const buffer = new SharedArrayBuffer(start + bytes);
  new Uint32Array(buffer, 0, 2).set([MAGIC, header.length]);
  new Uint8Array(buffer, PREFIX_BYTES, header.length).set(header);
  for (const [name, column] of Object.entries(columns)) {
    const target = new Uint8Array(buffer, start + layout[name]!.offset, column.byteLength);
    target.set(new Uint8Array(column.buffer, column.byteOffset, column.byteLength));
  }
  return buffer;
}

/** Opens a snapshot. A wrong kind or a foreign buffer is a programming error, hence a throw. */
export function openFlat<Meta>(kind: string, buffer: SharedArrayBuffer): Flat<Meta> {
  const [magic, headerBytes] = new Uint32Array(buffer, 0, 2);
  if (magic !== MAGIC) throw new Error("not a flat snapshot of this version");
  const text = new TextDecoder().decode(new Uint8Array(buffer, PREFIX_BYTES, headerBytes).slice());
  const header = JSON.parse(text) as { kind: string; meta: Meta; layout: Layout };
  if (header.kind !== kind) throw new Error(`snapshot of kind ${header.kind}, not ${kind}`);
  const start = align(PREFIX_BYTES + headerBytes!);
  const columns: Record<string, Column> = {};
  for (const [name, { type, offset, length }] of Object.entries(header.layout)) {
    columns[name] = new TYPES[type](buffer as unknown as ArrayBuffer, start + offset, length);
  }
  return { meta: header.meta, columns, bytes: buffer.byteLength };
}

/** Of the part that is JSON: its kind, its facts, and where the columns are. */
export function headerBytes(buffer: SharedArrayBuffer): number {
  return new Uint32Array(buffer, 0, 2)[1]!;
}

function typeOf(column: Column): TypeName {
  const found = Object.entries(TYPES).find(([, type]) => column.constructor === type);
  if (!found) throw new Error(`no column type for ${column.constructor.name}`);
  return found[0] as TypeName;
}

function align(bytes: number): number {
  return (bytes + 7) & ~7;
}
