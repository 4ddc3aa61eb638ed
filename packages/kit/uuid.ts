/**
 * UUIDv7 (RFC 9562, 5.7): ids of one time lie together in a store's index. Time and randomness come
 * from outside.
 */

/** Bytes of randomness that are asked for, of which 74 bits are used. */
const UUID_RANDOM_BYTES = 10;
export const UUID_BYTES = 16;

/** Makes a UUIDv7; `random`: ten bytes of a CSPRNG. */
export function toUuidV7(at_ms: number, random: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(UUID_BYTES);
  // 48 bits of time, which are more than the bitwise operators take.
  let rest = Math.trunc(at_ms);
  for (let i = 5; i >= 0; i--) {
    bytes[i] = rest % 256;
    rest = Math.trunc(rest / 256);
  }
  for (let i = 0; i < UUID_RANDOM_BYTES; i++) bytes[6 + i] = random[i]!;
  bytes[6] = 0x70 | (bytes[6]! & 0x0f);
  bytes[8] = 0x80 | (bytes[8]! & 0x3f);
  return bytes;
}
