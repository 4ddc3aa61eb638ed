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
export type FlatColumn =
  | Uint8Array
  | Uint16Array
  | Int32Array
  | Uint32Array
  | Float32Array
  | Float64Array;
type Layout = Record<string, { type: TypeName; offset: number; length: number }>;

export type Flat<Meta> = { meta: Meta; columns: Record<string, FlatColumn>; bytes: number };

/**
 * Lays a snapshot out in shared memory, so that both threads read the same bytes. Bytes in chunks
 * are consumed: their memory is freed as they are copied.
 */
export function writeFlat(
  kind: string,
  meta: unknown,
  columns: Record<string, FlatColumn | Uint8Array<ArrayBuffer>[]>,
): SharedArrayBuffer {
  const layout: Layout = {};
  let bytes = 0;
  for (const [name, column] of Object.entries(columns)) {
    const length = Array.isArray(column) ? lengthOf(column) : column.length;
    layout[name] = { type: Array.isArray(column) ? "u8" : typeOf(column), offset: bytes, length };
    bytes += align(Array.isArray(column) ? length : column.byteLength);
  }
  const header = new TextEncoder().encode(JSON.stringify({ kind, meta, layout }));
  const start = align(PREFIX_BYTES + header.length);
  const buffer = new SharedArrayBuffer(start + bytes);
  new Uint32Array(buffer, 0, 2).set([MAGIC, header.length]);
  new Uint8Array(buffer, PREFIX_BYTES, header.length).set(header);
  for (const [name, column] of Object.entries(columns)) {
    let at = start + layout[name]!.offset;
    for (const part of Array.isArray(column) ? column.splice(0) : [column]) {
      const { byteOffset, byteLength } = part;
      new Uint8Array(buffer, at, byteLength).set(
        new Uint8Array(part.buffer, byteOffset, byteLength),
      );
      at += byteLength;
      if (Array.isArray(column)) (part.buffer as ArrayBuffer).transfer(0);
    }
  }
  return buffer;
}

function lengthOf(chunks: readonly Uint8Array[]): number {
  return chunks.reduce((sum, { length }) => sum + length, 0);
}

/** Opens a snapshot. A wrong kind or a foreign buffer is a programming error, hence a throw. */
export function openFlat<Meta>(kind: string, buffer: SharedArrayBuffer): Flat<Meta> {
  const [magic, headerBytes] = new Uint32Array(buffer, 0, 2);
  if (magic !== MAGIC) throw new Error("not a flat snapshot of this version");
  const text = new TextDecoder().decode(new Uint8Array(buffer, PREFIX_BYTES, headerBytes).slice());
  const header = JSON.parse(text) as { kind: string; meta: Meta; layout: Layout };
  if (header.kind !== kind) throw new Error(`snapshot of kind ${header.kind}, not ${kind}`);
  const start = align(PREFIX_BYTES + headerBytes!);
  const columns: Record<string, FlatColumn> = {};
  for (const [name, { type, offset, length }] of Object.entries(header.layout)) {
    columns[name] = new TYPES[type](buffer as unknown as ArrayBuffer, start + offset, length);
  }
  return { meta: header.meta, columns, bytes: buffer.byteLength };
}

/** Size of the part that is JSON: its kind, its facts, and where the columns are. */
export function headerBytesOf(buffer: SharedArrayBuffer): number {
  return new Uint32Array(buffer, 0, 2)[1]!;
}

function typeOf(column: FlatColumn): TypeName {
  const match = Object.entries(TYPES).find(([, type]) => column.constructor === type);
  if (!match) throw new Error(`no column type for ${column.constructor.name}`);
  return match[0] as TypeName;
}

/** No bit operation: these have 32 bits, and files have more. */
function align(bytes: number): number {
  return Math.ceil(bytes / 8) * 8;
}
