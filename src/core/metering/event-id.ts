/**
 * Ids of usage events: UUIDv7, so that ids of one time lie together in the store's index. Written
 * as text at once, since one is made for every reply that costs something.
 */

/** `random`: ten bytes, of which 74 bits are used. */
export function toEventId(at_ms: number, random: Uint8Array): string {
  const time = timeOf(at_ms);
  const version = HEX[0x70 | (random[0]! & 0x0f)]! + HEX[random[1]!]!;
  const variant = HEX[0x80 | (random[2]! & 0x3f)]! + HEX[random[3]!]!;
  let rest = "";
  for (let i = 4; i < 10; i++) rest += HEX[random[i]!]!;
  return `${time}-${version}-${variant}-${rest}`;
}

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

/** 48 bits. */
function timeOf(at_ms: number): string {
  const high = Math.floor(at_ms / 2 ** 32);
  const low = at_ms >>> 0;
  const upper = HEX[high >>> 8]! + HEX[high & 255]! + HEX[low >>> 24]! + HEX[(low >>> 16) & 255]!;
  return `${upper}-${HEX[(low >>> 8) & 255]!}${HEX[low & 255]!}`;
}
