/**
 * An extract on disk as a list of blobs. Nothing is read beyond the bounds that the format sets, so a
 * damaged or hostile file costs no more than an honest one of its size, and is a `problem`.
 */
import { type FileHandle, open } from "node:fs/promises";
import { readSync } from "node:fs";
import { promisify } from "node:util";
import { inflate } from "node:zlib";
import { problem } from "#core/problem.ts";
import {
  MAX_BLOB_HEADER_BYTES,
  readBlob,
  readBlobHeader,
  type BlobHeader,
} from "#providers/pbf/blob.ts";
import { type ExtractHeader, readHeader } from "#providers/pbf/header.ts";
import { damaged } from "#providers/pbf/wire.ts";

export type BlobFile = {
  size: number;
  header: ExtractHeader;
  /** Blobs of objects. */
  count: number;
  /** Bytes of a blob in the file. */
  bytesOf(index: number): number;
  /** Contents of the blobs with these numbers, in their order; some are inflated ahead. */
  contents(indexes: Iterable<number>): AsyncGenerator<{ index: number; bytes: Uint8Array }>;
  close(): Promise<void>;
};

const LENGTH_BYTES = 4;
/** Most headers fit; one read is enough for these. */
const GUESS_BYTES = 64;
/** Blobs that are inflated while another one is read. */
const AHEAD = 3;
/** Extracts inflate to 2 to 4 times their size. */
const MAX_RATIO = 50;
const FREE_BYTES = 256 * 1024 * 1024;

const inflateAsync = promisify(inflate);

/** Opens an extract and finds its blobs; throws a `problem` for what is none. */
export async function openBlobs(path: string): Promise<BlobFile> {
  const handle = await open(path);
  return await prepare(handle).catch(async (error: unknown) => {
    await handle.close();
    throw error;
  });
}

async function prepare(handle: FileHandle): Promise<BlobFile> {
  const stat = await handle.stat();
  if (!stat.isFile())
    throw problem(stat.isDirectory() ? "extract: a folder, not a file" : "extract: not a file");
  const { size } = stat;
  const read = (at: number, length: number): Buffer => readAt(handle.fd, at, length);
  const list = findBlobs(size, read);
  let inflated = 0;
  const contentOf = async (at: number, length: number): Promise<Uint8Array> => {
    const blob = readBlob(read(at, length));
    inflated += blob.raw_bytes;
    if (inflated > FREE_BYTES + MAX_RATIO * size)
      throw problem("extract: inflates to far more than any map does");
    if (!blob.compressed) return blob.data;
    const bytes = await inflateAsync(blob.data, {
      maxOutputLength: Math.max(1, blob.raw_bytes),
      chunkSize: Math.max(64, blob.raw_bytes),
    });
    return bytes;
  };
  const first = list.headers[0]!;
  const header = readHeader(await contentOf(first.at, first.length));
  for (const { at, length } of list.headers.slice(1)) {
    readHeader(await contentOf(at, length));
    // Files that were put one behind the other.
    header.sorted = false;
  }
  const { starts, lengths } = list.blobs;
  return {
    size,
    header,
    count: starts.length,
    bytesOf: (index) => lengths[index]!,
    async *contents(indexes) {
      const pending: { index: number; bytes: Promise<Uint8Array> }[] = [];
      for (const index of indexes) {
        const bytes = contentOf(starts[index]!, lengths[index]!);
        // A failure is reported when it is this blob's turn.
        bytes.catch(() => undefined);
        pending.push({ index, bytes });
        if (pending.length > AHEAD) yield await settle(pending.shift()!);
      }
      for (const one of pending) yield await settle(one);
    },
    close: () => handle.close(),
  };
}

async function settle({ index, bytes }: { index: number; bytes: Promise<Uint8Array> }) {
  return { index, bytes: await bytes };
}

type Place = { at: number; length: number };
type BlobList = { headers: Place[]; blobs: { starts: number[]; lengths: number[] } };

function findBlobs(size: number, read: (at: number, length: number) => Buffer): BlobList {
  if (size === 0) throw problem("extract: an empty file");
  const list: BlobList = { headers: [], blobs: { starts: [], lengths: [] } };
  for (let at = 0; at < size;) {
    const { header, bytes } = readFrame(at, size, read);
    const begin = at + bytes;
    if (begin + header.data_bytes > size) throw cutShort(at, size);
    if (list.headers.length === 0 && header.type !== "OSMHeader") throw notAnExtract();
    const place = { at: begin, length: header.data_bytes };
    if (header.type === "OSMHeader") list.headers.push(place);
    if (header.type === "OSMData") {
      list.blobs.starts.push(place.at);
      list.blobs.lengths.push(place.length);
    }
    at = begin + header.data_bytes;
  }
  return list;
}

function readFrame(
  at: number,
  size: number,
  read: (at: number, length: number) => Buffer,
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
