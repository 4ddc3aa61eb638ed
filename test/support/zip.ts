/** A tiny writer of zip archives, also of false ones: every field of an entry may be set by hand. */
import { crc32, deflateRawSync } from "node:zlib";

export type ZipEntry = {
  name: string;
  data: string | Uint8Array;
  /** 0 stored, 8 deflated; anything else is written as it is given. */
  method?: number;
  flags?: number;
  /** Instead of what is true. */
  size?: number;
  packed?: number;
  crc?: number;
  offset?: number;
  localName?: string;
  extra?: Uint8Array;
  /** Instead of the packed data. */
  raw?: Uint8Array;
};

export type ZipLies = {
  entryCount?: number;
  directoryOffset?: number;
  disk?: number;
  comment?: string;
  /** A zip64 end record that puts the directory here. */
  zip64Offset?: bigint;
};

export function makeZip(entries: readonly ZipEntry[], lies: ZipLies = {}): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const entry of entries) {
    const data = Buffer.from(entry.data as Uint8Array);
    const method = entry.method ?? 8;
    const raw = Buffer.from(entry.raw ?? (method === 8 ? deflateRawSync(data) : data));
    const sizes = [
      entry.crc ?? crc32(data),
      entry.packed ?? raw.length,
      entry.size ?? data.length,
    ] as const;
    const local = Buffer.from(entry.localName ?? entry.name);
    parts.push(
      head(0x04034b50, { method, flags: entry.flags ?? 0, sizes, name: local }),
      local,
      raw,
    );
    directory.push(central(entry, { method, sizes, offset: entry.offset ?? at }));
    at += 30 + local.length + raw.length;
  }
  const listed = Buffer.concat(directory);
  return Buffer.concat([...parts, listed, ...endOf(entries.length, at, { listed, lies })]);
}

/** Files by name as one archive, in a folder when one is given. */
export function zipOf(files: Readonly<Record<string, string | Uint8Array>>, folder = ""): Buffer {
  return makeZip(Object.entries(files).map(([name, data]) => ({ name: `${folder}${name}`, data })));
}

type Sizes = readonly [crc: number, packed: number, size: number];

function head(
  magic: number,
  { method, flags, sizes, name }: { method: number; flags: number; sizes: Sizes; name: Buffer },
): Buffer {
  const bytes = Buffer.alloc(30);
  bytes.writeUInt32LE(magic, 0);
  bytes.writeUInt16LE(20, 4);
  bytes.writeUInt16LE(flags, 6);
  bytes.writeUInt16LE(method, 8);
  sizes.forEach((value, i) => bytes.writeUInt32LE(value, 14 + 4 * i));
  bytes.writeUInt16LE(name.length, 26);
  return bytes;
}

function central(
  entry: ZipEntry,
  { method, sizes, offset }: { method: number; sizes: Sizes; offset: number },
): Buffer {
  const name = Buffer.from(entry.name);
  const extra = Buffer.from(entry.extra ?? []);
  const bytes = Buffer.alloc(46);
  bytes.writeUInt32LE(0x02014b50, 0);
  bytes.writeUInt16LE(20, 6);
  bytes.writeUInt16LE(entry.flags ?? 0, 8);
  bytes.writeUInt16LE(method, 10);
  sizes.forEach((value, i) => bytes.writeUInt32LE(value, 16 + 4 * i));
  bytes.writeUInt16LE(name.length, 28);
  bytes.writeUInt16LE(extra.length, 30);
  bytes.writeUInt32LE(offset, 42);
  return Buffer.concat([bytes, name, extra]);
}

function endOf(
  count: number,
  offset: number,
  { listed, lies }: { listed: Buffer; lies: ZipLies },
): Buffer[] {
  const comment = Buffer.from(lies.comment ?? "");
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(lies.disk ?? 0, 4);
  end.writeUInt16LE(lies.entryCount ?? count, 8);
  end.writeUInt16LE(lies.entryCount ?? count, 10);
  end.writeUInt32LE(listed.length, 12);
  end.writeUInt32LE(lies.directoryOffset ?? offset, 16);
  end.writeUInt16LE(comment.length, 20);
  if (lies.zip64Offset === undefined) return [end, comment];
  const record = Buffer.alloc(56);
  record.writeUInt32LE(0x06064b50, 0);
  record.writeBigUInt64LE(44n, 4);
  record.writeBigUInt64LE(BigInt(count), 32);
  record.writeBigUInt64LE(lies.zip64Offset, 48);
  const locator = Buffer.alloc(20);
  locator.writeUInt32LE(0x07064b50, 0);
  locator.writeBigUInt64LE(BigInt(offset + listed.length), 8);
  return [record, locator, end, comment];
}
