/** Base 62, digits before capitals before small letters: numbers as text of a fixed width. */

const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const BASE = 62n;

/** Character code → digit, -1 for all else; codes from 128 on are not in it. */
const DIGIT_OF = Int8Array.from({ length: 128 }, (_, code) =>
  DIGITS.indexOf(String.fromCharCode(code)),
);

/** Returns the digit of a character code; -1: none. */
export function base62Digit(code: number): number {
  return code < DIGIT_OF.length ? DIGIT_OF[code]! : -1;
}

/** The bytes as one number, most significant first: every value of them has its own text. */
export function encodeBytes(bytes: Uint8Array, width: number): string {
  return encodeNumber(
    bytes.reduce((value, byte) => (value << 8n) | BigInt(byte), 0n),
    width,
  );
}

/** Throws when the number needs more than `width` digits. */
export function encodeNumber(value: bigint, width: number): string {
  let text = "";
  let rest = value;
  for (; text.length < width; rest /= BASE) text = DIGITS[Number(rest % BASE)]! + text;
  if (rest > 0n) throw new RangeError(`more than ${width} digits`);
  return text;
}
