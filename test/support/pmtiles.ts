/** Writes PMTiles archives and vector tiles after their specifications, with nothing of the reader in it. */
import { gzipSync } from "node:zlib";

export type ArchiveTile = { z: number; x: number; y: number; bytes: Uint8Array };
export type ArchiveOptions = {
  gzip?: boolean;
  /** Entries of a leaf directory; absent: all are in the root. */
  leaf_entries?: number;
  /** Directories between the root and the leaves. */
  depth?: number;
  metadata?: unknown;
  /** West, south, east, north. */
  bounds?: [number, number, number, number];
  zooms?: [number, number];
  /** Changes bytes of the header. */
  header?: (header: Buffer) => void;
};
type Entry = { id: number; run: number; offset: number; length: number };

export function writeArchive(tiles: readonly ArchiveTile[], options: ArchiveOptions = {}): Buffer {
  const { gzip = true, leaf_entries, depth = 1, metadata = {} } = options;
  const pack = (bytes: Uint8Array): Buffer => (gzip ? gzipSync(bytes) : Buffer.from(bytes));
  const data: Buffer[] = [];
  let at = 0;
  const entries: Entry[] = [];
  const cache = new Map<string, Entry>();
  for (const { bytes, ...place } of tiles.toSorted((a, b) => hilbertId(a) - hilbertId(b))) {
    const id = hilbertId(place);
    const key = Buffer.from(bytes).toString("base64");
    const same = cache.get(key);
    const last = entries.at(-1);
    if (same && last && last.offset === same.offset && last.id + last.run === id) {
      last.run += 1;
      continue;
    }
    const packed = pack(bytes);
    const entry = { id, run: 1, offset: same?.offset ?? at, length: same?.length ?? packed.length };
    entries.push(entry);
    if (same) continue;
    cache.set(key, entry);
    data.push(packed);
    at += packed.length;
  }
  const { root, leaves } = toDirectories(entries, leaf_entries, depth, pack);
  const meta = pack(Buffer.from(JSON.stringify(metadata)));
  const header = toHeader([root, meta, leaves, Buffer.concat(data)], tiles.length, options);
  return Buffer.concat([header, root, meta, leaves, ...data]);
}

function toDirectories(
  entries: readonly Entry[],
  leaf_entries: number | undefined,
  depth: number,
  pack: (bytes: Uint8Array) => Buffer,
): { root: Buffer; leaves: Buffer } {
  const leaves: Buffer[] = [];
  let at = 0;
  let level = [...entries];
  const size = leaf_entries ?? 1;
  for (let n = 0; n < (leaf_entries === undefined ? 0 : depth); n += 1) {
    const next: Entry[] = [];
    for (let i = 0; i < level.length; i += size) {
      const leaf = pack(directory(level.slice(i, i + size)));
      next.push({ id: level[i]!.id, run: 0, offset: at, length: leaf.length });
      leaves.push(leaf);
      at += leaf.length;
    }
    level = next;
  }
  return { root: pack(directory(level)), leaves: Buffer.concat(leaves) };
}

export function directory(entries: readonly Entry[]): Buffer {
  const ids = entries.map(({ id }, i) => id - (entries[i - 1]?.id ?? 0));
  const offsets = entries.map(({ offset }, i) => {
    const before = entries[i - 1];
    return before && before.offset + before.length === offset ? 0 : offset + 1;
  });
  const [runs, lengths] = [entries.map(({ run }) => run), entries.map(({ length }) => length)];
  return Buffer.from([entries.length, ...ids, ...runs, ...lengths, ...offsets].flatMap(varint));
}

function toHeader(parts: readonly Buffer[], tiles: number, options: ArchiveOptions): Buffer {
  const { gzip = true, bounds = [-180, -85, 180, 85], zooms = [0, 14] } = options;
  const header = Buffer.alloc(127);
  header.write("PMTiles");
  header[7] = 3;
  let at = header.length;
  for (const [i, part] of parts.entries()) {
    header.writeBigUInt64LE(BigInt(at), 8 + i * 16);
    header.writeBigUInt64LE(BigInt(part.length), 16 + i * 16);
    at += part.length;
  }
  header.writeBigUInt64LE(BigInt(tiles), 72);
  header.set([1, gzip ? 2 : 1, gzip ? 2 : 1, 1, ...zooms], 96);
  for (const [i, degrees] of bounds.entries()) header.writeInt32LE(degrees * 1e7, 102 + i * 4);
  options.header?.(header);
  return header;
}

/** By drawing the curve step by step, as its definition has it. */
export function hilbertId({ z, x, y }: { z: number; x: number; y: number }): number {
  const before = Array.from({ length: z }, (_, i) => 4 ** i).reduce((a, b) => a + b, 0);
  const positions = hilbert(z);
  return before + positions.findIndex(([column, row]) => column === x && row === y);
}

const curves = new Map<number, [x: number, y: number][]>();

/** Four smaller curves: the first is mirrored at one diagonal, the last at the other. */
function hilbert(z: number): [x: number, y: number][] {
  if (z === 0) return [[0, 0]];
  const stored = curves.get(z);
  if (stored) return stored;
  const [half, inner] = [2 ** (z - 1), hilbert(z - 1)];
  const curve: [number, number][] = [
    ...inner.map(([x, y]): [number, number] => [y, x]),
    ...inner.map(([x, y]): [number, number] => [x, y + half]),
    ...inner.map(([x, y]): [number, number] => [x + half, y + half]),
    ...inner.map(([x, y]): [number, number] => [2 * half - 1 - y, half - 1 - x]),
  ];
  curves.set(z, curve);
  return curve;
}

type TileValue = string | number | boolean;
export type MadeFeature = {
  type: "point" | "line" | "area";
  tags: Record<string, TileValue>;
  points: readonly (readonly [x: number, y: number])[];
};

/** A vector tile; every feature has its own keys and values. */
export function foreignTile(
  layers: Readonly<Record<string, readonly MadeFeature[]>>,
  extent = 4096,
): Buffer {
  return Buffer.concat(
    Object.entries(layers).map(([name, features]) => {
      const keys = features.flatMap(({ tags }) => Object.keys(tags));
      const values = features.flatMap(({ tags }) => Object.values(tags));
      let at = 0;
      return field(3, [
        ...field(1, Buffer.from(name)),
        ...features.flatMap((each) => {
          const numbers = Object.keys(each.tags).flatMap(() => [at, at++]);
          return [...field(2, toFeature(each, numbers))];
        }),
        ...keys.flatMap((key) => [...field(3, Buffer.from(key))]),
        ...values.flatMap((value) => [...field(4, toValue(value))]),
        ...[5 * 8, ...varint(extent)],
        ...[15 * 8, 2],
      ]);
    }),
  );
}

const TYPES = { point: 1, line: 2, area: 3 } as const;

function toFeature({ type, points }: MadeFeature, numbers: readonly number[]): number[] {
  let [x, y] = [0, 0];
  const steps = points.map(([toX, toY]) => {
    const step = [zigzag(toX - x), zigzag(toY - y)];
    [x, y] = [toX, toY];
    return step;
  });
  const rest = steps.slice(1);
  const commands = [
    ...[9, ...steps[0]!],
    ...(rest.length > 0 ? [(rest.length << 3) | 2, ...rest.flat()] : []),
    ...(type === "area" ? [15] : []),
  ];
  return [
    ...field(2, numbers.flatMap(varint)),
    ...[3 * 8, TYPES[type]],
    ...field(4, commands.flatMap(varint)),
  ];
}

function toValue(value: TileValue): number[] {
  if (typeof value === "string") return [...field(1, Buffer.from(value))];
  return typeof value === "boolean" ? [7 * 8, value ? 1 : 0] : [5 * 8, ...varint(value)];
}

function field(number: number, bytes: Uint8Array | readonly number[]): Buffer {
  return Buffer.from([number * 8 + 2, ...varint(bytes.length), ...bytes]);
}

function varint(value: number): number[] {
  return value < 0x80 ? [value] : [(value % 0x80) | 0x80, ...varint(Math.floor(value / 0x80))];
}

function zigzag(value: number): number {
  return value < 0 ? -2 * value - 1 : 2 * value;
}
