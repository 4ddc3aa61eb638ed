/** A growing row of bytes with variable-length whole numbers, as protocol buffers write them. */
import { grown } from "#kit/growing.ts";
import type { TilePoints } from "./grid.ts";

/** Of a number of 32 bits. */
const MOST_VARINT_BYTES = 5;

const encoder = new TextEncoder();

export class ByteWriter {
  #data: Uint8Array<ArrayBuffer>;
  #length = 0;

  constructor(capacity = 1024) {
    this.#data = new Uint8Array(capacity);
  }

  get length(): number {
    return this.#length;
  }

  clear(): void {
    this.#length = 0;
  }

  /** A view, until the next write. */
  view(): Uint8Array<ArrayBuffer> {
    return this.#data.subarray(0, this.#length);
  }

  /** The bytes, which the writer keeps no longer; see `release`. */
  take(): Uint8Array<ArrayBuffer> {
    const bytes = this.view();
    this.#data = new Uint8Array(0);
    this.#length = 0;
    return bytes;
  }

  /** Unsigned, below 2 ** 32. */
  varint(value: number): void {
    this.#reserve(MOST_VARINT_BYTES);
    this.#length = putVarint(this.#data, this.#length, value);
  }

  /** Signed, 32 bits: small whichever the sign. */
  zigzag(value: number): void {
    this.varint(zigzag(value));
  }

  /** The steps from x, y to the first of the points, and from each to the next. */
  steps(points: TilePoints, x: number, y: number): void {
    this.#reserve(MOST_VARINT_BYTES * points.length);
    const data = this.#data;
    let at = this.#length;
    let lastX = x;
    let lastY = y;
    for (let i = 0; i < points.length; i += 2) {
      const nextX = points[i]!;
      const nextY = points[i + 1]!;
      at = putVarint(data, at, zigzag(nextX - lastX));
      at = putVarint(data, at, zigzag(nextY - lastY));
      lastX = nextX;
      lastY = nextY;
    }
    this.#length = at;
  }

  bytes(input: Uint8Array): void {
    this.#reserve(input.length);
    this.#data.set(input, this.#length);
    this.#length += input.length;
  }

  /** A short row, without a view of it. */
  append(other: ByteWriter): void {
    this.part(other.#data, 0, other.#length);
  }

  /** The same of a part of some bytes, `to` not included. */
  part(bytes: Uint8Array, from: number, to: number): void {
    this.#reserve(to - from);
    const data = this.#data;
    let at = this.#length;
    for (let i = from; i < to; i++) data[at++] = bytes[i]!;
    this.#length = at;
  }

  /** UTF-8, after the number of its bytes. */
  text(value: string): void {
    const { length } = value;
    this.#reserve(MOST_VARINT_BYTES + length);
    const begin = this.#length;
    this.varint(length);
    const data = this.#data;
    for (let i = 0; i < length; i++) {
      const code = value.charCodeAt(i);
      if (code > 0x7f) {
        this.#length = begin;
        const bytes = encoder.encode(value);
        this.varint(bytes.length);
        return this.bytes(bytes);
      }
      data[this.#length++] = code;
    }
  }

  #reserve(count: number): void {
    if (this.#data.length - this.#length >= count) return;
    const least = Math.max(this.#data.length * 2, this.#length + count);
    this.#data = grown(this.#data, least);
  }
}

function zigzag(value: number): number {
  return (value << 1) ^ (value >> 31);
}

/** Returns where the next one goes. */
function putVarint(data: Uint8Array, at: number, value: number): number {
  let next = at;
  let left = value >>> 0;
  while (left > 0x7f) {
    data[next++] = (left & 0x7f) | 0x80;
    left >>>= 7;
  }
  data[next++] = left;
  return next;
}

/** Gives memory back now: what lies outside its heap does not press the collector. */
export function release(bytes: Uint8Array<ArrayBuffer>): void {
  bytes.buffer.transfer(0);
}
