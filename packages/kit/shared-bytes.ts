/** Bytes that threads hand to each other without a copy. */

/** Returns shared memory of this length, all zeros. */
export function createShared(bytes: number): Uint8Array<SharedArrayBuffer> {
  return new Uint8Array(new SharedArrayBuffer(bytes));
}

/** Returns a copy in shared memory. */
export function toShared(bytes: Uint8Array): Uint8Array {
  const shared = createShared(bytes.length);
  shared.set(bytes);
  return shared;
}
