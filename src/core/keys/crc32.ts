/** CRC-32 as in IEEE 802.3, gzip and PNG: reflected, polynomial 0x04C11DB7. */

const REFLECTED_POLYNOMIAL = 0xedb88320;

const TABLE = Int32Array.from({ length: 256 }, (_, byte) => {
  let rest = byte;
  for (let bit = 0; bit < 8; bit++)
    rest = rest & 1 ? (rest >>> 1) ^ REFLECTED_POLYNOMIAL : rest >>> 1;
  return rest;
});

/** Computes the CRC-32 of the first `length` characters, which must be ASCII. Unsigned. */
export function crc32(text: string, length: number): number {
  let rest = -1;
  for (let i = 0; i < length; i++) rest = (rest >>> 8) ^ TABLE[(rest ^ text.charCodeAt(i)) & 0xff]!;
  return ~rest >>> 0;
}
