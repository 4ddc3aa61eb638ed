/**
 * A backup as one file: a tar archive (POSIX ustar) of plain files, which any `tar` reads. Names or
 * sizes that ustar has no room for are in records of their own (pax), as POSIX says.
 */
import { open } from "node:fs/promises";
import { join } from "node:path";
import { chunksOf, type OnBytes, Writer } from "./backup-files.ts";

const BLOCK = 512;
const NAME_BYTES = 100;
/** Eleven octal digits. */
const SIZE_MAX = 0o77777777777;
const TYPE = { file: "0", pax: "x" } as const;
/** Far more than the longest name takes. */
const PAX_BYTES = 64 * 1024;

type Entry = { path: string; bytes: number };

/** Behind the last file. */
export const TAR_END_BYTES = 2 * BLOCK;

/** What a file with a short name takes in an archive. */
export function bytesInTar(bytes: number): number {
  return BLOCK + Math.ceil(bytes / BLOCK) * BLOCK;
}

/** Writes an archive of files of a folder, in their order; each is handed to `onPacked` when it is in. */
export async function packTar(
  to: string,
  folder: string,
  entries: readonly Entry[],
  { onBytes, onPacked }: { onBytes: OnBytes; onPacked: (path: string) => Promise<void> },
): Promise<void> {
  await using writer = await Writer.create(to);
  for (const { path, bytes } of entries) {
    for (const header of headersOf({ path, bytes })) await writer.write(header);
    let written = 0;
    for await (const chunk of chunksOf(join(folder, path))) {
      await writer.write(chunk);
      written += chunk.length;
      onBytes(chunk.length);
    }
    if (written !== bytes) throw new Error(`${path} has changed while it was packed`);
    await writer.write(paddingOf(bytes));
    await onPacked(join(folder, path));
  }
  await writer.write(Buffer.alloc(TAR_END_BYTES));
  await writer.end();
}

/**
 * Hands each file of an archive on, in their order; its content is read to the end before the next.
 * Throws at what is no such archive, or ends too early.
 */
export async function readTar(
  path: string,
  take: (name: string, content: AsyncIterable<Uint8Array>) => Promise<void>,
): Promise<void> {
  await using reader = new Reader(chunksOf(path));
  let pax: Partial<Entry> = {};
  for (;;) {
    const header = await reader.read(BLOCK);
    if (header.every((byte) => byte === 0)) return;
    const { type, ...entry } = readHeader(header);
    if (type === TYPE.pax) {
      if (entry.bytes > PAX_BYTES) throw new Error("it is no archive of a backup");
      pax = readPax(await reader.read(entry.bytes));
      await reader.read(paddingOf(entry.bytes).length);
      continue;
    }
    if (type !== TYPE.file) throw new Error("it is no archive of a backup");
    const { path: name, bytes } = { ...entry, ...pax };
    pax = {};
    await take(name, reader.stream(bytes));
    await reader.read(paddingOf(bytes).length);
  }
}

/** Whether a file begins as an archive does. */
export async function isTar(path: string): Promise<boolean> {
  await using file = await open(path, "r");
  const { buffer, bytesRead } = await file.read(Buffer.alloc(BLOCK), 0, BLOCK, 0);
  return bytesRead === BLOCK && buffer.toString("latin1", 257, 262) === "ustar";
}

function headersOf({ path, bytes }: Entry): Buffer[] {
  const header = headerOf({ path, bytes, type: TYPE.file });
  if (Buffer.byteLength(path) <= NAME_BYTES && bytes <= SIZE_MAX) return [header];
  const records = Buffer.from(recordOf("path", path) + recordOf("size", String(bytes)));
  const before = headerOf({ path: "pax", bytes: records.length, type: TYPE.pax });
  return [before, records, paddingOf(records.length), header];
}

/** Its length counts itself. */
function recordOf(key: string, value: string): string {
  const rest = Buffer.byteLength(` ${key}=${value}\n`);
  let length = rest + 1;
  while (length !== rest + String(length).length) length = rest + String(length).length;
  return `${length} ${key}=${value}\n`;
}

function headerOf({ path, bytes, type }: Entry & { type: string }): Buffer {
  const header = Buffer.alloc(BLOCK);
  header.write(Buffer.from(path).subarray(0, NAME_BYTES).toString("latin1"), 0, "latin1");
  header.write("0000600\u00000000000\u00000000000\0", 100, "latin1");
  header.write(`${Math.min(bytes, SIZE_MAX).toString(8).padStart(11, "0")}\0`, 124, "latin1");
  header.write("00000000000\0", 136, "latin1");
  header.write("        ", 148, "latin1");
  header.write(type, 156, "latin1");
  header.write("ustar\u000000", 257, "latin1");
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148, "latin1");
  return header;
}

function readHeader(header: Buffer): Entry & { type: string } {
  const text = (from: number, to: number): string =>
    header.toString("utf8", from, to).replace(/\0.*$/s, "");
  const sum = header.reduce((total, byte, at) => total + (at >= 148 && at < 156 ? 0x20 : byte), 0);
  if (header.toString("latin1", 257, 262) !== "ustar" || parseInt(text(148, 156), 8) !== sum)
    throw new Error("it is no archive of a backup, or damaged");
  return { path: text(0, NAME_BYTES), bytes: parseInt(text(124, 136), 8), type: text(156, 157) };
}

function readPax(records: Buffer): Partial<Entry> {
  const entry: Partial<Entry> = {};
  for (let at = 0; at < records.length;) {
    const blank = records.indexOf(" ", at);
    const length = Number(records.toString("latin1", at, blank));
    if (!(blank > at && length > blank - at)) throw new Error("it is no archive of a backup");
    const [key, ...value] = records.toString("utf8", blank + 1, at + length - 1).split("=");
    if (key === "path") entry.path = value.join("=");
    if (key === "size") entry.bytes = Number(value);
    at += length;
  }
  return entry;
}

function paddingOf(bytes: number): Buffer {
  return Buffer.alloc((BLOCK - (bytes % BLOCK)) % BLOCK);
}

/** Reads a stream of chunks by the byte. */
class Reader {
  readonly #chunks: AsyncGenerator<Uint8Array>;
  #chunk: Uint8Array = new Uint8Array();

  constructor(chunks: AsyncGenerator<Uint8Array>) {
    this.#chunks = chunks;
  }

  /** Closes the file, wherever in it the reading ended. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#chunks.return(undefined);
  }

  async read(bytes: number): Promise<Buffer> {
    const parts: Buffer[] = [];
    for await (const part of this.stream(bytes)) parts.push(Buffer.from(part));
    return Buffer.concat(parts);
  }

  async *stream(bytes: number): AsyncGenerator<Uint8Array> {
    for (let left = bytes; left > 0;) {
      if (this.#chunk.length === 0) {
        const { done, value } = await this.#chunks.next();
        if (done === true) throw new Error("it ends too early");
        this.#chunk = value;
      }
      const part = this.#chunk.subarray(0, left);
      this.#chunk = this.#chunk.subarray(part.length);
      left -= part.length;
      yield part;
    }
  }
}
