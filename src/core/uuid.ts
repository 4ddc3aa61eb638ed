/**
 * UUIDv7 (RFC 9562, 5.7): ids of one time lie together in a store's index. Time and chance come from
 * outside.
 */

/** Bytes of randomness that are asked for, of which 74 bits are used. */
export const UUID_RANDOM_BYTES = 10;
export const UUID_BYTES = 16;

/** `random`: ten bytes of a CSPRNG. */
export function toUuidV7(at_ms: number, random: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(UUID_BYTES);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(at_ms) << 16n);
  bytes.set(random.subarray(0, UUID_RANDOM_BYTES), 6);
  bytes[6] = 0x70 | (bytes[6]! & 0x0f);
  bytes[8] = 0x80 | (bytes[8]! & 0x3f);
  return bytes;
}
