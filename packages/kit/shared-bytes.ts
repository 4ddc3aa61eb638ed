/** Bytes that threads hand to each other without a copy. */

/**
 * From this size on memory is mapped on its own, and leaves the process when it is freed. What the
 * allocator has among other things stays resident in the gaps between them: of pages of 25 MB, which
 * come and go, as much again as there is in use.
 */
const MAPPED_BYTES = 1024 ** 2;

/** Returns shared memory of this length, all zeros. */
export function createShared(bytes: number): Uint8Array<SharedArrayBuffer> {
  // What could grow is mapped; this never does.
  const options = bytes < MAPPED_BYTES ? {} : { maxByteLength: bytes };
  return new Uint8Array(new SharedArrayBuffer(bytes, options), 0, bytes);
}

/** Returns a copy in shared memory. */
export function toShared(bytes: Uint8Array): Uint8Array {
  const shared = createShared(bytes.length);
  shared.set(bytes);
  return shared;
}
