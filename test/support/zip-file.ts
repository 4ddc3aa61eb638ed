/**
 * A writer of zip archives on disk, of any size: every entry has its sizes in 64 bits, and an entry may
 * be a hole, which takes no disk. What is written is never in memory as a whole.
 */
import { type FileHandle, open } from "node:fs/promises";
import { Readable } from "node:stream";
import { crc32, createDeflateRaw } from "node:zlib";

type Entry = {
  name: Buffer;
  method: number;
  crc: number;
  packed: number;
  size: number;
  at: number;
};

const STORED = 0;
const DEFLATED = 8;
const VERSION = 45;
const IN_64_BITS = 0xffffffff;
const HEAD_BYTES = 30;
const EXTRA_BYTES = 20;

export class ZipFileWriter {
  readonly #file: FileHandle;
  readonly #level: number;
  readonly #entries: Entry[] = [];
  #at = 0;

  private constructor(file: FileHandle, level: number) {
    this.#file = file;
    this.#level = level;
  }

  static async create(path: string, level = 1): Promise<ZipFileWriter> {
    return new ZipFileWriter(await open(path, "w"), level);
  }

  /** Deflates the chunks into an entry; returns its unpacked bytes. */
  async add(name: string, chunks: Iterable<Uint8Array>): Promise<number> {
    let crc = 0;
    let size = 0;
    const counted = function* (): Generator<Uint8Array> {
      for (const chunk of chunks) {
        crc = crc32(chunk, crc);
        size += chunk.length;
        yield chunk;
      }
    };
    const at = this.#at;
    this.#at += HEAD_BYTES + Buffer.byteLength(name) + EXTRA_BYTES;
    const from = this.#at;
    const deflate = createDeflateRaw({ level: this.#level, chunkSize: 1 << 18 });
    for await (const packed of Readable.from(counted()).pipe(deflate))
      await this.#write(packed as Buffer);
    const packed = this.#at - from;
    await this.#head({ name: Buffer.from(name), method: DEFLATED, crc, packed, size, at });
    return size;
  }

  /** A stored entry of zeros that are not written; `crc` where they will be read. */
  async hole(name: string, size: number, crc = 0): Promise<void> {
    const entry = {
      name: Buffer.from(name),
      method: STORED,
      crc,
      packed: size,
      size,
      at: this.#at,
    };
    this.#at += HEAD_BYTES + entry.name.length + EXTRA_BYTES + size;
    await this.#head(entry);
  }

  async close(): Promise<void> {
    const from = this.#at;
    for (const entry of this.#entries) await this.#write(directoryEntry(entry));
    await this.#write(endOf(this.#entries.length, { from, bytes: this.#at - from }));
    await this.#file.truncate(this.#at);
    await this.#file.close();
  }

  async #write(bytes: Uint8Array): Promise<void> {
    await this.#file.write(bytes, 0, bytes.length, this.#at);
    this.#at += bytes.length;
  }

  /** Where room for it was left, once the sizes are known. */
  async #head(entry: Entry): Promise<void> {
    const bytes = Buffer.alloc(HEAD_BYTES);
    bytes.writeUInt32LE(0x04034b50, 0);
    bytes.writeUInt16LE(VERSION, 4);
    bytes.writeUInt16LE(entry.method, 8);
    bytes.writeUInt32LE(entry.crc, 14);
    bytes.writeUInt32LE(IN_64_BITS, 18);
    bytes.writeUInt32LE(IN_64_BITS, 22);
    bytes.writeUInt16LE(entry.name.length, 26);
    bytes.writeUInt16LE(EXTRA_BYTES, 28);
    const head = Buffer.concat([bytes, entry.name, extraOf([entry.size, entry.packed])]);
    await this.#file.write(head, 0, head.length, entry.at);
    this.#entries.push(entry);
  }
}

/** Zip64 extra field: numbers that have no room in the header. */
function extraOf(numbers: readonly number[]): Buffer {
  const bytes = Buffer.alloc(4 + 8 * numbers.length);
  bytes.writeUInt16LE(1, 0);
  bytes.writeUInt16LE(8 * numbers.length, 2);
  numbers.forEach((value, i) => bytes.writeBigUInt64LE(BigInt(value), 4 + 8 * i));
  return bytes;
}

function directoryEntry({ name, method, crc, packed, size, at }: Entry): Buffer {
  const bytes = Buffer.alloc(46);
  const extra = extraOf([size, packed, at]);
  bytes.writeUInt32LE(0x02014b50, 0);
  bytes.writeUInt16LE(VERSION, 4);
  bytes.writeUInt16LE(VERSION, 6);
  bytes.writeUInt16LE(method, 10);
  bytes.writeUInt32LE(crc, 16);
  bytes.writeUInt32LE(IN_64_BITS, 20);
  bytes.writeUInt32LE(IN_64_BITS, 24);
  bytes.writeUInt16LE(name.length, 28);
  bytes.writeUInt16LE(extra.length, 30);
  bytes.writeUInt32LE(IN_64_BITS, 42);
  return Buffer.concat([bytes, name, extra]);
}

function endOf(count: number, { from, bytes }: { from: number; bytes: number }): Buffer {
  const end64 = Buffer.alloc(56);
  end64.writeUInt32LE(0x06064b50, 0);
  end64.writeBigUInt64LE(44n, 4);
  end64.writeUInt16LE(VERSION, 12);
  end64.writeUInt16LE(VERSION, 14);
  end64.writeBigUInt64LE(BigInt(count), 24);
  end64.writeBigUInt64LE(BigInt(count), 32);
  end64.writeBigUInt64LE(BigInt(bytes), 40);
  end64.writeBigUInt64LE(BigInt(from), 48);
  const locator = Buffer.alloc(20);
  locator.writeUInt32LE(0x07064b50, 0);
  locator.writeBigUInt64LE(BigInt(from + bytes), 8);
  locator.writeUInt32LE(1, 16);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(0xffff, 8);
  end.writeUInt16LE(0xffff, 10);
  end.writeUInt32LE(IN_64_BITS, 12);
  end.writeUInt32LE(IN_64_BITS, 16);
  return Buffer.concat([end64, locator, end]);
}
