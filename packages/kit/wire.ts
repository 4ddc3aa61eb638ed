/**
 * Fields of a protocol buffer message, read where they lie. Numbers are doubles: exact up to 2^53,
 * which is beyond every id of the open map and every time. Nothing is read outside the message: a
 * length that leads out of it is a `problem`.
 */
import { problem } from "./problem.ts";

const BIT_28 = 2 ** 28;
const BIT_56 = 2 ** 56;
const LOW_28 = BIT_28 - 1;
const MOST_VARINT_BYTES = 10;

/** Kinds of fields, the lower three bits of a tag. */
const VARINT = 0;
const FIXED_64 = 1;
const LENGTH = 2;
const FIXED_32 = 5;
/** There is no field 0. */
const FIRST_TAG = 8;

/** Tag of a field that is one number. */
export function varintTag(field: number): number {
  return field * 8 + VARINT;
}

/** Tag of a field that is a float. */
export function floatTag(field: number): number {
  return field * 8 + FIXED_32;
}

/** Tag of a field that is bytes, a text, a message or packed numbers. */
export function lengthTag(field: number): number {
  return field * 8 + LENGTH;
}

/** A place in a message; `at` moves on as fields are read. */
export class Wire {
  bytes: Uint8Array;
  at: number;
  end: number;

  constructor(bytes: Uint8Array, at = 0, end = bytes.length) {
    this.bytes = bytes;
    this.at = at;
    this.end = end;
  }

  /** Tag of the next field; 0 at the end of the message. */
  next(): number {
    if (this.at < this.end) {
      const tag = this.varint();
      if (tag < FIRST_TAG) throw damaged();
      return tag;
    }
    if (this.at > this.end) throw damaged();
    return 0;
  }

  /** Unsigned. */
  varint(): number {
    const { bytes } = this;
    let byte = bytes[this.at++]!;
    if (byte < 0x80) return byte;
    let value = byte & 0x7f;
    let scale = 0x80;
    let count = 1;
    do {
      // Behind the last byte of all there is undefined, which ends the loop; `next` sees it.
      byte = bytes[this.at++]!;
      value += (byte & 0x7f) * scale;
      scale *= 0x80;
      if (++count > MOST_VARINT_BYTES) throw damaged();
    } while (byte >= 0x80);
    return value;
  }

  /** Signed by two's complement of 64 bits (int32, int64). */
  signed(): number {
    const from = this.at;
    const value = this.varint();
    return this.at - from < MOST_VARINT_BYTES ? value : this.negative(from);
  }

  /** Of ten bytes, in parts of 28, 28 and 8 bits that are exact. */
  private negative(from: number): number {
    const parts = [0, 0, 0];
    for (let i = 0; i < MOST_VARINT_BYTES; i++)
      parts[i >> 2]! += (this.bytes[from + i]! & 0x7f) << (7 * (i & 3));
    const [low, middle, high] = parts as [number, number, number];
    return -((~high & 0xff) * BIT_56 + (~middle & LOW_28) * BIT_28 + (~low & LOW_28) + 1);
  }

  /** Signed by zigzag (sint32, sint64). */
  zigzag(): number {
    return unzigzag(this.varint());
  }

  /** Single precision. */
  float(): number {
    if (this.at + 4 > this.end) throw damaged();
    const { buffer, byteOffset } = this.bytes;
    const value = new DataView(buffer, byteOffset + this.at, 4).getFloat32(0, true);
    this.at += 4;
    return value;
  }

  /** End of the bytes of the field, which begin at `at`; the caller moves `at` there. */
  span(): number {
    const length = this.varint();
    const end = this.at + length;
    if (!(end <= this.end)) throw damaged();
    return end;
  }

  /** Bytes of the field, as a view. */
  view(): Uint8Array {
    const end = this.span();
    const view = this.bytes.subarray(this.at, end);
    this.at = end;
    return view;
  }

  skip(tag: number): void {
    switch (tag % 8) {
      case VARINT:
        this.varint();
        return;
      case FIXED_64:
        this.at += 8;
        return;
      case LENGTH:
        this.at = this.span();
        return;
      case FIXED_32:
        this.at += 4;
        return;
      default:
        throw damaged();
    }
  }
}

/**
 * Running sums of packed zigzag numbers; returns how many. `out` has room for one number per byte.
 */
export function unpackSums(
  { bytes }: Pick<Wire, "bytes">,
  from: number,
  to: number,
  out: Float64Array,
): number {
  let at = from;
  let count = 0;
  let sum = 0;
  while (at < to) {
    let byte = bytes[at++]!;
    let low = byte & 0x7f;
    if (byte >= 0x80) {
      byte = bytes[at++]!;
      low |= (byte & 0x7f) << 7;
      if (byte >= 0x80) {
        byte = bytes[at++]!;
        low |= (byte & 0x7f) << 14;
        if (byte >= 0x80) {
          byte = bytes[at++]!;
          low |= (byte & 0x7f) << 21;
        }
      }
    }
    if (byte >= 0x80) {
      let value = low;
      let scale = BIT_28;
      do {
        byte = bytes[at++]!;
        value += (byte & 0x7f) * scale;
        scale *= 0x80;
        if (scale > 2 ** 70) throw damaged();
      } while (byte >= 0x80);
      sum += unzigzag(value);
    } else {
      sum += (low >>> 1) ^ -(low & 1);
    }
    out[count++] = sum;
  }
  if (at !== to) throw damaged();
  return count;
}

/** Packed unsigned numbers below 2^32; returns how many. `out` has room for one number per byte. */
export function unpackNumbers(wire: Wire, from: number, to: number, out: Uint32Array): number {
  const { bytes } = wire;
  let at = from;
  let count = 0;
  while (at < to) {
    let byte = bytes[at++]!;
    let value = byte & 0x7f;
    for (let shift = 7; byte >= 0x80; shift += 7) {
      byte = bytes[at++]!;
      if (shift < 32) value |= (byte & 0x7f) << shift;
      else if (shift > 63) throw damaged();
    }
    out[count++] = value;
  }
  if (at !== to) throw damaged();
  return count;
}

function unzigzag(value: number): number {
  return value % 2 === 1 ? -(value + 1) / 2 : value / 2;
}

export function damaged(what = "a field does not end where it should"): Error {
  return problem(`extract: damaged: ${what}`);
}
