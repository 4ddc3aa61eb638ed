/**
 * A zip archive, from a file or from memory: its directory read and judged first, then its files one
 * by one, in chunks, counted and checked against what the directory says of them.
 */
import { open } from "node:fs/promises";
import { Readable, pipeline } from "node:stream";
import { crc32, createInflateRaw } from "node:zlib";
import yauzl from "yauzl";
import { detach, guard } from "#kit/guard.ts";
import {
  type Archive,
  type ArchiveFile,
  checkEntries,
  type ArchiveEntry,
  findFeedFiles,
  type Limits,
} from "./entries.ts";
import { beyondStated } from "#kit/inflation.ts";
import { problem } from "#kit/problem.ts";
import { describe, quoted } from "#kit/run/run-problem.ts";

/** Bytes at places: a file, or memory. */
type Source = {
  size: number;
  read(position: number, length: number): Promise<Buffer>;
  close(): Promise<void>;
};

const STORED = 0;
const DEFLATED = 8;
const ENCRYPTED = 0x1;
const LOCAL_HEADER_BYTES = 30;
const READ_BYTES = 128 * 1024;
/** Larger chunks are no faster, and more of them lie about until they are collected. */
const INFLATE_BYTES = 64 * 1024;
/** Unpacked by the threads of the runtime while the rows before are read. */
const AHEAD_BYTES = 8 * INFLATE_BYTES;
const INFLATE = { chunkSize: INFLATE_BYTES, readableHighWaterMark: AHEAD_BYTES };

type ZipEntry = ArchiveEntry & { of: yauzl.Entry };

export async function openZipFile(path: string, limits: Limits): Promise<Archive> {
  const handle = await open(path, "r");
  const { size } = await handle.stat();
  return openZip(
    {
      size,
      async read(position, length) {
        const buffer = Buffer.allocUnsafe(length);
        const { bytesRead } = await handle.read(buffer, 0, length, position);
        return buffer.subarray(0, bytesRead);
      },
      close: () => handle.close(),
    },
    limits,
  );
}

export function openZipBytes(bytes: Uint8Array, limits: Limits): Promise<Archive> {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return openZip(
    {
      size: buffer.length,
      read: (position, length) => Promise.resolve(buffer.subarray(position, position + length)),
      close: () => Promise.resolve(),
    },
    limits,
  );
}

async function openZip(source: Source, limits: Limits): Promise<Archive> {
  const fail = async (error: unknown): Promise<never> => {
    await source.close();
    throw problem(describe(error, "zip archive"));
  };
  const { zip, entries } = await guard(() => readDirectory(source, limits), fail);
  const files = await guard(() => findFeedFiles(entries, "archive"), fail);
  return {
    files: new Map([...files].map(([name, entry]) => [name, toFile(entry, { zip, source })])),
    close: () => source.close(),
  };
}

async function readDirectory(
  source: Source,
  limits: Limits,
): Promise<{ zip: yauzl.ZipFile; entries: ZipEntry[] }> {
  const size = await findEnd(source);
  const zip = await yauzl.fromRandomAccessReaderPromise(toReader(source), size, {
    autoClose: false,
    // Names are judged here, with words of ours.
    decodeStrings: false,
  });
  if (zip.entryCount > limits.entries)
    throw problem(`zip archive: more than ${limits.entries} entries`);
  const entries: ZipEntry[] = [];
  for await (const entry of zip.eachEntry()) entries.push(toEntry(entry));
  checkEntries(entries, limits);
  return { zip, entries };
}

const END_SIGNATURE = Buffer.from("PK\x05\x06", "latin1");
const END_BYTES = 22;
/** Bytes before the end of a file in which the end of its archive is looked for: a comment, and as much again. */
const TAIL_BYTES = END_BYTES + 2 * 65_535;

/**
 * Where the archive ends in its file: some servers append bytes, which the library takes for damage. The
 * size of the file where no end is found; the library says what is wrong then.
 */
async function findEnd(source: Source): Promise<number> {
  const length = Math.min(source.size, TAIL_BYTES);
  const tail = await source.read(source.size - length, length);
  for (let at = tail.length; at > 0;) {
    at = tail.lastIndexOf(END_SIGNATURE, at - 1);
    if (at < 0) break;
    const end = at + END_BYTES <= tail.length ? at + END_BYTES + tail.readUInt16LE(at + 20) : null;
    if (end !== null && end <= tail.length) return source.size - length + end;
  }
  return source.size;
}

/**
 * Reader for the library. Its own readers ask the operating system for any position, and one
 * beyond all numbers throws where it cannot be caught; here it is an error as any other.
 */
function toReader(source: Source): yauzl.RandomAccessReader {
  const Reader = yauzl.RandomAccessReader as unknown as new () => yauzl.RandomAccessReader;
  const read: yauzl.RandomAccessReader["read"] = (buffer, offset, length, position, callback) => {
    const done: (error: Error | null, bytes: number) => void = callback;
    const reading = guard<
      { error: Error | null; length: number },
      { error: Error; length: number }
    >(
      async () => {
        const bytes = await source.read(position, length);
        bytes.copy(buffer, offset);
        return { error: null, length: bytes.length };
      },
      (error) => ({ error: error as Error, length: 0 }),
    );
    // In a turn of its own, as the library expects of a reader.
    const hand = async (): Promise<void> => {
      const result = await reading;
      setImmediate(() => done(result.error, result.length));
    };
    detach(hand(), (error) => done(error as Error, 0));
  };
  return Object.assign(new Reader(), { read });
}

function toEntry(of: yauzl.Entry): ZipEntry {
  const { generalPurposeBitFlag: flags, fileNameRaw, extraFields } = of;
  const name = yauzl.getFileNameLowLevel(flags, fileNameRaw, extraFields, true);
  return {
    // Some archivers of Windows write backslashes.
    name: name.replaceAll("\\", "/"),
    size: of.uncompressedSize,
    packed: of.compressedSize,
    offset: of.relativeOffsetOfLocalHeader,
    span: LOCAL_HEADER_BYTES + of.fileNameLength + of.compressedSize,
    encrypted: (flags & ENCRYPTED) !== 0,
    of,
  };
}

type Opened = { zip: yauzl.ZipFile; source: Source };

function toFile(entry: ZipEntry, opened: Opened): ArchiveFile {
  return { size: entry.size, chunks: () => checkedChunks(entry, opened) };
}

async function* checkedChunks(entry: ZipEntry, opened: Opened): AsyncGenerator<Uint8Array> {
  let size = 0;
  let sum = 0;
  for await (const chunk of await unpacked(entry, opened)) {
    size += chunk.length;
    if (size > entry.size) throw beyondStated(`zip archive: ${quoted(entry.name)}`);
    sum = crc32(chunk, sum);
    yield chunk;
  }
  if (size < entry.size) throw damaged(entry, "shorter than the archive says");
  if (sum !== entry.of.crc32) throw damaged(entry, "its checksum is another");
}

async function unpacked(entry: ZipEntry, { zip, source }: Opened): Promise<AsyncIterable<Buffer>> {
  const { compressionMethod: method, fileNameRaw } = entry.of;
  if (method !== STORED && method !== DEFLATED)
    throw damaged(entry, `packed by method ${method}, which is not read here`);
  const header = await zip.readLocalFileHeaderPromise(entry.of);
  if (!header.fileName.equals(fileNameRaw)) throw damaged(entry, "has two names");
  const packed = rangeOf(source, header.fileDataStart, entry.packed);
  if (method === STORED) return packed;
  const inflate = createInflateRaw(INFLATE);
  // An error of either ends both, and reaches the reader of the chunks.
  pipeline(Readable.from(packed), inflate, () => {});
  return inflate;
}

async function* rangeOf(source: Source, start: number, length: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < length;) {
    const chunk = await source.read(start + at, Math.min(READ_BYTES, length - at));
    if (chunk.length === 0) throw problem("zip archive: cut short");
    at += chunk.length;
    yield chunk;
  }
}

function damaged(entry: ArchiveEntry, what: string): Error {
  return problem(`zip archive: ${quoted(entry.name)} ${what}`);
}
