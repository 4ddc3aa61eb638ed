/**
 * An extract on disk as a list of blobs. Nothing is read beyond the bounds that the format sets, so a
 * damaged or hostile file costs no more than an honest one of its size, and is a `problem`.
 */
import { type FileHandle, open, stat } from "node:fs/promises";
import { readSync } from "node:fs";
import { Inflation, type InflationBounds } from "#kit/inflation.ts";
import { problem } from "#kit/problem.ts";
import {
  MAX_BLOB_BYTES,
  MAX_BLOB_HEADER_BYTES,
  readBlob,
  readBlobHeader,
  type BlobHeader,
} from "../pbf/blob.ts";
import { type ExtractHeader, readHeader } from "../pbf/header.ts";
import { damaged } from "#kit/wire.ts";
import { guard } from "#kit/guard.ts";
import { SPARE_BYTES, unpackPart } from "#kit/run/unpack.ts";

/** Where the block begins that is being read or decoded; null: between blocks. */
export type FilePlace = { byte: number | null };

export type BlobFile = {
  size: number;
  at: FilePlace;
  header: ExtractHeader;
  /** Blobs of objects. */
  count: number;
  /** Bytes of a blob in the file. */
  bytesOf(index: number): number;
  /**
   * Contents of the blobs with these numbers, in their order; some are inflated ahead. Bytes can be
   * read until the next ones are called for.
   */
  contents(indexes: Iterable<number>): AsyncGenerator<{ index: number; bytes: Uint8Array }>;
  close(): Promise<void>;
};

const LENGTH_BYTES = 4;
/** Most headers fit; one read is enough for these. */
const GUESS_BYTES = 64;
/** Blobs that are inflated while another one is read. */
const AHEAD = 3;
/** Extracts of any size inflate to 2 to 4 times that, and some blocks of them are read twice. */
export const EXTRACT_BOUNDS: InflationBounds = {
  ratio: 50,
  ratio_from_bytes: 256 * 1024 ** 2,
  bytes: Infinity,
};
/** Of one block the format itself says how large it may be; the ratio is of all of them. */
const BLOCK_BOUNDS: InflationBounds = {
  ratio: Infinity,
  ratio_from_bytes: MAX_BLOB_BYTES,
  bytes: MAX_BLOB_BYTES,
};
/** A planet has fifty thousand. */
const MAX_BLOBS = 1_000_000;

/**
 * Opens an extract and finds its blobs; throws a `problem` for what is none. `check` may throw for a
 * size, before anything is read.
 */
export async function openBlobs(
  path: string,
  at: FilePlace = { byte: null },
  check: (size: number) => void = () => undefined,
): Promise<BlobFile> {
  const stats = await stat(path);
  // Looked at first, since opening a pipe waits for its writer.
  if (!stats.isFile())
    throw problem(stats.isDirectory() ? "extract: a folder, not a file" : "extract: not a file");
  check(stats.size);
  const handle = await open(path);
  const prepared = await guard<BlobFile, Fault>(() => prepare(handle, at), toFault);
  if (!("error" in prepared)) return prepared;
  await handle.close();
  throw prepared.error;
}

async function prepare(handle: FileHandle, at: FilePlace): Promise<BlobFile> {
  const { size } = await handle.stat();
  const read: ReadBytes = (from, length) => readAt(handle.fd, from, length);
  const list = findBlobs(size, read);
  const inflation = new Inflation("extract", EXTRACT_BOUNDS);
  // Of the file as a whole; blocks add to what comes out of it.
  inflation.add({ packed: size, unpacked: 0 });
  const contentOf = async ({ from, length }: Frame): Promise<Uint8Array> => {
    const blob = readBlob(read(from, length));
    inflation.add({ packed: 0, unpacked: blob.raw_bytes });
    if (!blob.compressed) return blob.data;
    const bytes = await unpackPart(blob.data, {
      what: "extract",
      coding: "zlib",
      bounds: BLOCK_BOUNDS,
      stated_bytes: blob.raw_bytes,
    });
    release(blob.data);
    if (bytes.length < blob.raw_bytes && blob.raw_bytes < MAX_BLOB_BYTES)
      throw damaged("a block inflates to less than it says");
    return bytes;
  };
  const first = list.headers[0]!;
  const header = readHeader(await contentOf(first));
  for (const frame of list.headers.slice(1)) {
    readHeader(await contentOf(frame));
    // Files that were put one behind the other.
    header.sorted = false;
  }
  const { starts, lengths } = list.blobs;
  const settle = async ({ index, content }: Pending) => {
    at.byte = starts[index]!;
    const bytes = await content;
    if ("error" in bytes) throw bytes.error;
    return { index, bytes };
  };
  const hand = async function* (one: Pending) {
    const content = await settle(one);
    yield content;
    release(content.bytes);
  };
  return {
    size,
    at,
    header,
    count: starts.length,
    bytesOf: (index) => lengths[index]!,
    async *contents(indexes) {
      const pending: Pending[] = [];
      for (const index of indexes) {
        const frame = { from: starts[index]!, length: lengths[index]! };
        pending.push({ index, content: guard<Uint8Array, Fault>(() => contentOf(frame), toFault) });
        if (pending.length > AHEAD) yield* hand(pending.shift()!);
      }
      for (const one of pending) yield* hand(one);
    },
    close: () => handle.close(),
  };
}

/** A blob's bytes in the file. */
type Frame = { from: number; length: number };
type BlobList = { headers: Frame[]; blobs: { starts: number[]; lengths: number[] } };
/** A blob that is being inflated; its fault is reported when it is its turn. */
type Pending = { index: number; content: Promise<Uint8Array | Fault> };
type Fault = { error: unknown };
type ReadBytes = (from: number, length: number) => Buffer;

/**
 * Gives memory back now: what lies outside its heap does not press the collector. A buffer that others
 * may share is left alone.
 */
function release({ buffer, length }: Uint8Array): void {
  const isOwn = buffer.byteLength <= length + SPARE_BYTES;
  if (isOwn && buffer instanceof ArrayBuffer) buffer.transfer(0);
}

function toFault(error: unknown): Fault {
  return { error };
}

function findBlobs(size: number, read: ReadBytes): BlobList {
  if (size === 0) throw problem("extract: an empty file");
  const list: BlobList = { headers: [], blobs: { starts: [], lengths: [] } };
  let frames = 0;
  for (let at = 0; at < size;) {
    if (++frames > MAX_BLOBS) throw problem(`extract: more than ${MAX_BLOBS} blocks`);
    const { header, bytes } = readFrame(at, size, read);
    const begin = at + bytes;
    if (begin + header.data_bytes > size) throw cutShort(at, size);
    if (list.headers.length === 0 && header.type !== "OSMHeader") throw notAnExtract();
    const length = header.data_bytes;
    if (header.type === "OSMHeader") list.headers.push({ from: begin, length });
    if (header.type === "OSMData") {
      list.blobs.starts.push(begin);
      list.blobs.lengths.push(length);
    }
    at = begin + header.data_bytes;
  }
  return list;
}

function readFrame(
  at: number,
  size: number,
  read: ReadBytes,
): { header: BlobHeader; bytes: number } {
  const guess = read(at, Math.min(GUESS_BYTES, size - at));
  if (guess.length < LENGTH_BYTES) throw at === 0 ? notAnExtract() : cutShort(at, size);
  const length = guess.readUInt32BE();
  if (length > MAX_BLOB_HEADER_BYTES || length === 0) {
    if (at === 0) throw notAnExtract();
    throw damaged(`a header of ${length} bytes at byte ${at}`);
  }
  const end = LENGTH_BYTES + length;
  if (at + end > size) throw at === 0 ? notAnExtract() : cutShort(at, size);
  const bytes = end <= guess.length ? guess.subarray(LENGTH_BYTES, end) : read(at + 4, length);
  return { header: readBlobHeader(bytes), bytes: end };
}

function cutShort(at: number, size: number): Error {
  return problem(`extract: cut short: the block at byte ${at} does not end before ${size}`);
}

function notAnExtract(): Error {
  return problem("extract: not an .osm.pbf file");
}

/** As many bytes as asked for; a file that has become shorter is a problem. */
function readAt(fd: number, at: number, length: number): Buffer {
  const bytes = Buffer.allocUnsafeSlow(length);
  let done = 0;
  while (done < length) {
    const count = readSync(fd, bytes, done, length - done, at + done);
    if (count === 0) throw problem("extract: changed while it was read");
    done += count;
  }
  return bytes;
}
