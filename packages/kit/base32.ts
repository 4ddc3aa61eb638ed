/** Base 32 of RFC 4648 in small letters and without padding: bytes as text fit for names. */

const ALPHABET = "abcdefghijklmnopqrstuvwxyz234567";

/** Character code → its five bits, -1 for all else; codes from 128 on are not in it. */
const BITS_OF = Int8Array.from({ length: 128 }, (_, code) =>
  ALPHABET.indexOf(String.fromCharCode(code)),
);

/** Returns the number of characters that `bytes` bytes take. */
export function base32Length(bytes: number): number {
  return Math.ceil((bytes * 8) / 5);
}

/** The bits after the last byte are zero. */
export function encodeBase32(bytes: Uint8Array): string {
  let out = "";
  let bits = 0;
  let value = 0;
  for (const byte of bytes) {
    value = ((value << 8) | byte) & 0xfff;
    for (bits += 8; bits >= 5; bits -= 5) out += ALPHABET[(value >> (bits - 5)) & 31];
  }
  return bits === 0 ? out : out + ALPHABET[(value << (5 - bits)) & 31];
}

/**
 * Returns null for what `encodeBase32` does not make of `length` bytes. Capitals, padding and other
 * spellings of the same bits (RFC 4648 3.5) are refused, so that every value has one text.
 */
export function decodeBase32(text: string, length: number): Uint8Array | null {
  if (text.length !== base32Length(length)) return null;
  const bytes = new Uint8Array(length);
  let at = 0;
  let bits = 0;
  let value = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    const five = code < BITS_OF.length ? BITS_OF[code]! : -1;
    if (five < 0) return null;
    value = ((value << 5) | five) & 0xfff;
    bits += 5;
    if (bits < 8) continue;
    bits -= 8;
    bytes[at++] = value >> bits;
  }
  return (value & ((1 << bits) - 1)) === 0 ? bytes : null;
}
