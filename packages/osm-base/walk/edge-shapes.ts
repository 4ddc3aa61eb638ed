/**
 * Points between the two ends of an edge, as bytes: their number, then the difference of each to the
 * one before it, in ten-millionths of a degree, as variable-length integers.
 */
import type { Growing } from "#kit/growing.ts";

export type Shapes = { bytes: Uint8Array; at: number };

export function writeNumber(into: Growing<Uint8Array>, value: number): void {
  let left = value >>> 0;
  while (left >= 0x80) {
    into.push((left & 0x7f) | 0x80);
    left >>>= 7;
  }
  into.push(left);
}

/** Differences have either sign: small ones take few bytes. */
export function writeSigned(into: Growing<Uint8Array>, value: number): void {
  writeNumber(into, (value << 1) ^ (value >> 31));
}

/** Reads a number and moves on; past the end of the bytes it is 0. */
export function readNumber(from: Shapes): number {
  let value = 0;
  for (let shift = 0; shift < 32; shift += 7) {
    const byte = from.bytes[from.at++] ?? 0;
    value |= (byte & 0x7f) << shift;
    if (byte < 0x80) break;
  }
  return value >>> 0;
}

export function readSigned(from: Shapes): number {
  const value = readNumber(from);
  return (value >>> 1) ^ -(value & 1);
}
