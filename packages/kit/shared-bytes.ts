/** Bytes that threads hand to each other without a copy. */

/** Returns a copy in shared memory. */
export function toShared(bytes: Uint8Array): Uint8Array {
  const shared = new Uint8Array(new SharedArrayBuffer(bytes.length));
  shared.set(bytes);
  return shared;
}
