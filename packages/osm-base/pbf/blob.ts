/**
 * Framing of an OpenStreetMap PBF file: a length of four bytes, a BlobHeader of that length, the
 * Blob that it announces, and so on. Both have bounds, which the format itself sets.
 */
import { problem } from "#kit/problem.ts";
import { damaged, lengthTag, varintTag, Wire } from "#kit/wire.ts";

export const MAX_BLOB_HEADER_BYTES = 64 * 1024;
export const MAX_BLOB_BYTES = 32 * 1024 * 1024;

export type BlobHeader = { type: string; data_bytes: number };

/** A blob as it lies in the file; compressed data are inflated by the caller, to `raw_bytes`. */
export type PbfBlob = { data: Uint8Array; compressed: boolean; raw_bytes: number };

const TYPE = lengthTag(1);
const DATA_SIZE = varintTag(3);

const RAW = lengthTag(1);
const RAW_SIZE = varintTag(2);
const ZLIB = lengthTag(3);
const OTHERS = new Map([
  [lengthTag(4), "lzma"],
  [lengthTag(5), "bzip2"],
  [lengthTag(6), "lz4"],
  [lengthTag(7), "zstd"],
]);
const LONGEST_TYPE = 64;

/** Header of the next blob; a length that the format does not allow is a problem. */
export function readBlobHeader(bytes: Uint8Array): BlobHeader {
  const wire = new Wire(bytes);
  let type = "";
  let data_bytes = -1;
  for (let tag = wire.next(); tag !== 0; tag = wire.next()) {
    if (tag === TYPE) type = toAscii(wire.view());
    else if (tag === DATA_SIZE) data_bytes = wire.signed();
    else wire.skip(tag);
  }
  if (data_bytes < 0) throw damaged("a block without a length");
  if (data_bytes > MAX_BLOB_BYTES) throw damaged(`a block of ${data_bytes} bytes`);
  return { type, data_bytes };
}

/** Data of a blob and how they are compressed. */
export function readBlob(bytes: Uint8Array): PbfBlob {
  const wire = new Wire(bytes);
  let raw: Uint8Array | null = null;
  let zlib: Uint8Array | null = null;
  let raw_bytes = MAX_BLOB_BYTES;
  for (let tag = wire.next(); tag !== 0; tag = wire.next()) {
    const other = OTHERS.get(tag);
    if (other !== undefined)
      throw problem(`extract: compressed with ${other}; only zlib and none can be read`);
    if (tag === RAW) raw = wire.view();
    else if (tag === ZLIB) zlib = wire.view();
    else if (tag === RAW_SIZE) raw_bytes = wire.signed();
    else wire.skip(tag);
  }
  if (raw !== null) return { data: raw, compressed: false, raw_bytes: raw.length };
  if (zlib === null) throw damaged("a block without data");
  if (!(raw_bytes >= 0 && raw_bytes <= MAX_BLOB_BYTES))
    throw damaged(`a block that inflates to ${raw_bytes} bytes`);
  return { data: zlib, compressed: true, raw_bytes };
}

function toAscii(bytes: Uint8Array): string {
  return String.fromCharCode(...bytes.subarray(0, LONGEST_TYPE));
}
