/** The first bytes of a paged base (paged-layout.ts): where its head lies. */
import { PAGED_FORMAT, PREFIX_BYTES } from "./paged-layout.ts";

/** Where the head lies in the file, and its checksum. */
export type HeadPlace = { at: number; bytes: number; checksum: number };

export function writePrefix({ at, bytes, checksum }: HeadPlace): Uint8Array<ArrayBuffer> {
  const view = new DataView(new ArrayBuffer(PREFIX_BYTES));
  view.setUint32(0, PAGED_FORMAT.magic, true);
  view.setUint32(4, PAGED_FORMAT.version, true);
  view.setFloat64(8, at, true);
  view.setFloat64(16, bytes, true);
  view.setUint32(24, checksum, true);
  return new Uint8Array(view.buffer);
}

/** What a prefix says; null: it is of no paged base. `version`: of the writer, when it is not ours. */
export function readPrefix(
  prefix: Uint8Array,
): ({ version: number } & { [name in keyof HeadPlace]: number }) | null {
  if (prefix.length < PREFIX_BYTES) return null;
  const view = new DataView(prefix.buffer, prefix.byteOffset, PREFIX_BYTES);
  if (view.getUint32(0, true) !== PAGED_FORMAT.magic || view.getUint32(28, true) !== 0) return null;
  return {
    version: view.getUint32(4, true),
    at: view.getFloat64(8, true),
    bytes: view.getFloat64(16, true),
    checksum: view.getUint32(24, true),
  };
}
