// A small ZIP writer (APPNOTE 6.3): stored or deflated, sizes before or behind the data, and the same
// bytes for the same files.
import { crc32, deflateRawSync } from "node:zlib";

export type ZipFile = { readonly name: string; readonly text: string };
export type ZipStyle = {
  readonly method: "store" | "deflate";
  /** Written without seeking back: sizes are in a descriptor behind the data. */
  readonly streamed: boolean;
};

const UTF8_NAMES = 0x0800;
const DESCRIPTOR = 0x0008;
const METHODS = { store: 0, deflate: 8 } as const;
/** 2026-01-05 03:30 as DOS has it. */
const TIME = (3 << 11) | (30 << 5);
const DATE = ((2026 - 1980) << 9) | (1 << 5) | 5;

type Entry = {
  readonly name: Buffer;
  readonly crc: number;
  readonly size: number;
  readonly packed: Buffer;
};

export function toZip(files: readonly ZipFile[], style: ZipStyle): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const file of files) {
    const entry = toEntry(file, style);
    const written = writeEntry(entry, style);
    directory.push(directoryEntry(entry, style, at), entry.name);
    parts.push(...written);
    at += lengthOf(written);
  }
  return Buffer.concat([...parts, ...directory, endOf(files.length, lengthOf(directory), at)]);
}

const lengthOf = (parts: readonly Buffer[]): number =>
  parts.reduce((sum, { length }) => sum + length, 0);

function toEntry({ name, text }: ZipFile, { method }: ZipStyle): Entry {
  const plain = Buffer.from(text, "utf8");
  // A folder has no data to deflate.
  const packed =
    method === "deflate" && plain.length > 0 ? deflateRawSync(plain, { level: 1 }) : plain;
  return { name: Buffer.from(name, "utf8"), crc: crc32(plain), size: plain.length, packed };
}

const methodOf = ({ size }: Entry, { method }: ZipStyle): number =>
  size === 0 ? METHODS.store : METHODS[method];
const flagsOf = ({ streamed }: ZipStyle): number => UTF8_NAMES | (streamed ? DESCRIPTOR : 0);

function writeEntry(entry: Entry, style: ZipStyle): Buffer[] {
  const head = Buffer.alloc(30);
  head.writeUInt32LE(0x04034b50, 0);
  head.writeUInt16LE(20, 4);
  writeCommon(head, 6, entry, style);
  if (!style.streamed) writeSizes(head, 14, entry);
  head.writeUInt16LE(entry.name.length, 26);
  if (!style.streamed) return [head, entry.name, entry.packed];
  const descriptor = Buffer.alloc(16);
  descriptor.writeUInt32LE(0x08074b50, 0);
  writeSizes(descriptor, 4, entry);
  return [head, entry.name, entry.packed, descriptor];
}

function writeCommon(buffer: Buffer, at: number, entry: Entry, style: ZipStyle): void {
  buffer.writeUInt16LE(flagsOf(style), at);
  buffer.writeUInt16LE(methodOf(entry, style), at + 2);
  buffer.writeUInt16LE(TIME, at + 4);
  buffer.writeUInt16LE(DATE, at + 6);
}

function writeSizes(buffer: Buffer, at: number, { crc, packed, size }: Entry): void {
  buffer.writeUInt32LE(crc, at);
  buffer.writeUInt32LE(packed.length, at + 4);
  buffer.writeUInt32LE(size, at + 8);
}

function directoryEntry(entry: Entry, style: ZipStyle, offset: number): Buffer {
  const head = Buffer.alloc(46);
  head.writeUInt32LE(0x02014b50, 0);
  head.writeUInt16LE(20, 4);
  head.writeUInt16LE(20, 6);
  writeCommon(head, 8, entry, style);
  writeSizes(head, 16, entry);
  head.writeUInt16LE(entry.name.length, 28);
  head.writeUInt32LE(offset, 42);
  return head;
}

function endOf(count: number, directory_bytes: number, offset: number): Buffer {
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(count, 8);
  end.writeUInt16LE(count, 10);
  end.writeUInt32LE(directory_bytes, 12);
  end.writeUInt32LE(offset, 16);
  return end;
}
