/**
 * Ids of usage events: UUIDv7 (RFC 9562, 5.7), so that ids of one time lie together in the store's
 * index. Time and chance come from outside.
 */

/** `random`: ten bytes, of which 74 bits are used. */
export function toEventId(at_ms: number, random: Uint8Array): string {
  const bytes = new Uint8Array(16);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(at_ms) << 16n);
  bytes.set(random.subarray(0, 10), 6);
  bytes[6] = 0x70 | (bytes[6]! & 0x0f);
  bytes[8] = 0x80 | (bytes[8]! & 0x3f);
  const hex = bytes.toHex();
  return [0, 8, 12, 16, 20].map((at, i, cuts) => hex.slice(at, cuts[i + 1])).join("-");
}
