/**
 * A file of map tiles that the operator has given (explorer.pmtiles), read piece by piece. It is held
 * open: a file that is put in its place is read from the next start on, and one that is written over
 * has damaged tiles, each of which is as if it were not there.
 */
import { type FileHandle, open } from "node:fs/promises";
import { basename } from "node:path";
import { LRUCache } from "lru-cache";
import { parseJson } from "#kit/json.ts";
import type { TileFile } from "#ports/base-maps.ts";
import {
  type Directory,
  DIRECTORY_BOUNDS,
  findEntry,
  type Header,
  HEADER_BYTES,
  type Packing,
  type Range,
  readDirectory,
  readArchiveHeader,
  tileIdOf,
} from "#providers/pmtiles/pmtiles-archive.ts";
import { type Metadata, readMetadata } from "#providers/pmtiles/metadata.ts";
import { redrawTile } from "#providers/pmtiles/redraw.ts";
import { guard } from "#kit/guard.ts";
import { unpackPart } from "#kit/run/unpack.ts";

/** Bounds of one tile, as it lies and unpacked. */
const TILE_BOUNDS = { packed: 2 * 2 ** 20, bytes: 4 * 2 ** 20 } as const;
const METADATA_BOUNDS = { packed: 2 ** 20, bytes: 8 * 2 ** 20 } as const;
/** Four columns of eight bytes an entry. */
const DIRECTORY_CACHE = 32 * 2 ** 20;

type Bounds = { packed: number; bytes: number };
type Archive = {
  file: FileHandle;
  header: Header;
  root: Directory;
  metadata: Metadata;
  version: string;
  bytes: number;
  modified_ms: number;
};

/** A problem is one line that names the file. `onDamage` is called once, with the first fault. */
export async function openTileFile(
  path: string,
  onDamage: (error: unknown) => void,
): Promise<TileFile | { problem: string }> {
  const toProblem = (error: unknown): { problem: string } => ({
    problem: `explorer.pmtiles: ${path}: ${describe(error)}`,
  });
  const file = await guard(() => open(path, "r"), toProblem);
  if ("problem" in file) return file;
  const archive = await guard(() => openArchive(file), toProblem);
  if (!("problem" in archive)) return toTileFile(basename(path), archive, onDamage);
  await file.close();
  return archive;
}

async function openArchive(file: FileHandle): Promise<Archive> {
  const { size, ino, mtimeNs, mtimeMs } = await file.stat({ bigint: true });
  const bytes = Number(size);
  const first = await read(file, { offset: 0, length: Math.min(bytes, HEADER_BYTES) });
  const header = readArchiveHeader(first, bytes);
  const { packing } = header;
  const root = readDirectory(await unpack(file, header.root, packing, DIRECTORY_BOUNDS));
  const metadata = await unpack(file, header.metadata, packing, METADATA_BOUNDS);
  return {
    file,
    header,
    root,
    metadata: readMetadata(parseJson(new TextDecoder().decode(metadata))),
    version: [ino, size, mtimeNs].map((each) => each.toString(36)).join("-"),
    bytes,
    modified_ms: Number(mtimeMs),
  };
}

function toTileFile(
  name: string,
  { file, header, root, metadata, version, bytes, modified_ms }: Archive,
  onDamage: (error: unknown) => void,
): TileFile {
  const leaves = new LRUCache<number, Directory>({
    maxSize: DIRECTORY_CACHE,
    sizeCalculation: ({ ids }) => 1 + 4 * ids.byteLength,
  });
  let damaged = false;
  const note = (error: unknown): null => {
    if (!damaged) onDamage(error);
    damaged = true;
    return null;
  };
  const findLeaf = async ({ offset, length }: Range): Promise<Directory> => {
    const known_leave = leaves.get(offset);
    if (known_leave) return known_leave;
    const range = within(header.leaves, offset, length);
    const leaf = readDirectory(await unpack(file, range, header.packing, DIRECTORY_BOUNDS));
    leaves.set(offset, leaf);
    return leaf;
  };
  const find = async (id: number): Promise<Range | null> => {
    let directory = root;
    for (let depth = 0; depth < DIRECTORY_BOUNDS.depth; depth++) {
      const entry = findEntry(directory, id);
      if (entry === null) return null;
      if (!entry.leaf) return within(header.data, entry.offset, entry.length);
      directory = await findLeaf(entry);
    }
    throw new Error("directories lead to directories without end");
  };
  const readTile = async (z: number, x: number, y: number): Promise<Uint8Array | null> => {
    if (z < header.min_zoom || z > header.max_zoom) return null;
    const range = await find(tileIdOf(z, x, y));
    if (range === null) return null;
    return redrawTile(await unpack(file, range, header.tile_packing, TILE_BOUNDS));
  };
  const [south, west, north, east] = header.box;
  return {
    name,
    version,
    bytes,
    modified_ms,
    tiles: header.tiles,
    box: header.box,
    max_zoom: header.max_zoom,
    attribution: metadata.attribution,
    isDamaged: () => damaged,
    covers: (lat, lon) => lat >= south && lat <= north && lon >= west && lon <= east,
    tile: (z, x, y) => guard(() => readTile(z, x, y), note),
    close: () => file.close(),
  };
}

/** A range that is counted from the beginning of a section. */
function within(section: Range, offset: number, length: number): Range {
  if (offset + length > section.length) throw new Error("an entry leads out of its section");
  return { offset: section.offset + offset, length };
}

/** Of a part that unpacks; directories of an archive of one tile many times repeat themselves. */
const RATIO = { ratio: 200, ratio_from_bytes: 4 * 2 ** 20 } as const;

async function unpack(
  file: FileHandle,
  range: Range,
  packing: Packing,
  { packed, bytes }: Bounds,
): Promise<Uint8Array> {
  if (range.length > packed) throw new Error("a part is too large");
  const raw = await read(file, range);
  if (packing === "none") return raw;
  return await unpackPart(raw, { what: "a part", coding: packing, bounds: { ...RATIO, bytes } });
}

async function read(file: FileHandle, { offset, length }: Range): Promise<Uint8Array> {
  const bytes = new Uint8Array(length);
  let at = 0;
  while (at < length) {
    const { bytesRead } = await file.read(bytes, at, length - at, offset + at);
    if (bytesRead === 0) throw new Error("the file ends early");
    at += bytesRead;
  }
  return bytes;
}

/** In a few words, whatever was thrown. */
function describe(error: unknown): string {
  const { code, message } = error as { code?: string; message: string };
  if (code === "ENOENT") return "there is no such file";
  if (code === "EISDIR") return "it is a folder";
  if (code?.startsWith("Z_")) return "damaged: a part does not unpack";
  return code === undefined || code === "IMPORT_PROBLEM" ? message : `cannot be read (${code})`;
}
