/**
 * Archives of map tiles after version 3 of the PMTiles specification: the header, and directories of
 * where tiles lie. What is not such an archive, or is damaged, is a `problem`.
 */
import { problem } from "#kit/problem.ts";

export const HEADER_BYTES = 127;
/** Bounds of what one directory may cost. */
export const DIRECTORY_BOUNDS = { packed: 4 * 2 ** 20, bytes: 16 * 2 ** 20, depth: 4 } as const;

export type Range = { offset: number; length: number };
export type Packing = "none" | "gzip";

export type Header = {
  root: Range;
  metadata: Range;
  leaves: Range;
  data: Range;
  /** null: unknown. */
  tiles: number | null;
  /** Of directories and metadata. */
  packing: Packing;
  tile_packing: Packing;
  min_zoom: number;
  max_zoom: number;
  /** South, west, north, east in degrees. */
  box: readonly [south: number, west: number, north: number, east: number];
};

const MAGIC = "PMTiles";
const VERSION = 3;
const PACKINGS = ["unknown", "none", "gzip", "brotli", "zstd"] as const;
const FORMATS = ["unknown", "vector tiles", "PNG", "JPEG", "WebP", "AVIF"] as const;
const VECTOR = 1;
const ZOOM_MAX = 26;

/** `size` is that of the file: no part lies beyond it. */
export function readArchiveHeader(bytes: Uint8Array, size: number): Header {
  if (bytes.length < HEADER_BYTES || new TextDecoder().decode(bytes.subarray(0, 7)) !== MAGIC)
    throw problem("not a PMTiles file");
  if (bytes[7] !== VERSION)
    throw problem(`version ${bytes[7]} of PMTiles, and only version ${VERSION} is read`);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const rangeAt = (at: number): Range => {
    const [offset, length] = [at, at + 8].map((each) => Number(view.getBigUint64(each, true)));
    if (offset! + length! > size) throw damaged("a part lies beyond the end of the file");
    return { offset: offset!, length: length! };
  };
  const format = view.getUint8(99);
  if (format !== VECTOR)
    throw problem(`tiles are ${FORMATS[format] ?? "unknown"}, and only vector tiles are served`);
  const [min_zoom, max_zoom] = [view.getUint8(100), view.getUint8(101)];
  if (min_zoom > max_zoom || max_zoom > ZOOM_MAX) throw damaged("zooms that there are not");
  const [west, south, east, north] = [102, 106, 110, 114].map(
    (at) => view.getInt32(at, true) / 1e7,
  );
  const tiles = Number(view.getBigUint64(72, true));
  return {
    root: rangeAt(8),
    metadata: rangeAt(24),
    leaves: rangeAt(40),
    data: rangeAt(56),
    tiles: tiles === 0 ? null : tiles,
    packing: packingOf(view.getUint8(97), "directories"),
    tile_packing: packingOf(view.getUint8(98), "tiles"),
    min_zoom,
    max_zoom,
    box: toBox([south!, west!, north!, east!]),
  };
}

function packingOf(number: number, what: string): Packing {
  const packing = PACKINGS[number] ?? "unknown";
  if (packing === "none" || packing === "gzip") return packing;
  throw problem(`compression of ${what} is ${packing}, and only gzip and none are read`);
}

function toBox(box: readonly [number, number, number, number]): Header["box"] {
  const [south, west, north, east] = box;
  const is_box = south < north && west < east && south >= -90 && north <= 90;
  if (!is_box || west < -180 || east > 180) throw damaged("bounds that are none");
  return box;
}

/** Entries in the order of their tiles; run 0: it leads to a directory. */
export type Directory = {
  ids: Float64Array;
  runs: Float64Array;
  lengths: Float64Array;
  offsets: Float64Array;
};

export function readDirectory(bytes: Uint8Array): Directory {
  const numbers = createNumbers(bytes);
  const count = numbers.next();
  // Four numbers each, and no number has less than one byte.
  if (count === 0 || count * 4 > bytes.length) throw damaged("a directory of another size");
  const column = (): Float64Array => Float64Array.from({ length: count }, () => numbers.next());
  const [ids, runs, lengths, offsets] = [column(), column(), column(), column()];
  for (let i = 1; i < count; i++) {
    if (ids[i] === 0) throw damaged("two entries of one tile");
    ids[i]! += ids[i - 1]!;
  }
  for (let i = 0; i < count; i++) {
    if (offsets[i] !== 0) offsets[i]! -= 1;
    else if (i > 0) offsets[i] = offsets[i - 1]! + lengths[i - 1]!;
    else throw damaged("a first entry that lies nowhere");
  }
  return { ids, runs, lengths, offsets };
}

/** Numbers of variable length, up to 2^53. */
function createNumbers(bytes: Uint8Array): { next(): number } {
  let at = 0;
  return {
    next() {
      let [value, scale] = [0, 1];
      for (let count = 0; count < 8; count++) {
        const byte = bytes[at++];
        if (byte === undefined) throw damaged("a directory that is cut off");
        value += (byte & 0x7f) * scale;
        if (byte < 0x80) return value;
        scale *= 0x80;
      }
      throw damaged("a number that is too large");
    },
  };
}

export type ArchiveRange = Range & { leaf: boolean };

/** Where a tile lies, or the directory that knows; null: there is none. */
export function findEntry(
  { ids, runs, lengths, offsets }: Directory,
  id: number,
): ArchiveRange | null {
  let [low, high] = [0, ids.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if (ids[middle]! <= id) low = middle;
    else high = middle - 1;
  }
  if (ids[low]! > id) return null;
  const leaf = runs[low] === 0;
  if (!leaf && id >= ids[low]! + runs[low]!) return null;
  return { offset: offsets[low]!, length: lengths[low]!, leaf };
}

/** Number of a tile: zooms one after another, each along a Hilbert curve. */
export function tileIdOf(z: number, x: number, y: number): number {
  let id = (4 ** z - 1) / 3;
  let [column, row] = [x, y];
  for (let half = 2 ** (z - 1); half >= 1; half /= 2) {
    const [right, below] = [column >= half, row >= half];
    const quarter = right ? (below ? 2 : 3) : below ? 1 : 0;
    id += quarter * half * half;
    column -= right ? half : 0;
    row -= below ? half : 0;
    if (below) continue;
    // The upper quarters are mirrored, so that the curve goes on where it has ended.
    if (right) [column, row] = [half - 1 - column, half - 1 - row];
    [column, row] = [row, column];
  }
  return id;
}

function damaged(what: string): Error {
  return problem(`damaged: ${what}`);
}
