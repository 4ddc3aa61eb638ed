// Protocol buffer fields, written to a buffer that grows.

const VARINT = 0;
const LENGTH = 2;
const LOW_7 = 0x7f;
const MORE = 0x80;
const SMALL = 2 ** 31;

export class Bytes {
  private buffer: Buffer = Buffer.allocUnsafe(256);
  private length = 0;

  /** A copy of what was written. */
  done(): Buffer {
    return Buffer.from(this.buffer.subarray(0, this.length));
  }

  get size(): number {
    return this.length;
  }

  clear(): void {
    this.length = 0;
  }

  /** An unsigned number, or a negative one as 64 bits. */
  varint(value: number): void {
    this.reserve(10);
    if (value >= 0 && value < SMALL) {
      let rest = value;
      for (; rest > LOW_7; rest >>>= 7) this.buffer[this.length++] = (rest & LOW_7) | MORE;
      this.buffer[this.length++] = rest;
      return;
    }
    let rest = BigInt.asUintN(64, BigInt(value));
    for (; rest > 127n; rest >>= 7n) this.buffer[this.length++] = Number(rest & 127n) | MORE;
    this.buffer[this.length++] = Number(rest);
  }

  zigzag(value: number): void {
    if (value > -SMALL / 2 && value < SMALL / 2) this.varint(((value << 1) ^ (value >> 31)) >>> 0);
    else {
      const big = BigInt(value);
      this.big(big < 0n ? -big * 2n - 1n : big * 2n);
    }
  }

  number(field: number, value: number): void {
    this.varint(field * 8 + VARINT);
    this.varint(value);
  }

  signed(field: number, value: number): void {
    this.varint(field * 8 + VARINT);
    this.zigzag(value);
  }

  bytes(field: number, value: Uint8Array): void {
    this.varint(field * 8 + LENGTH);
    this.varint(value.length);
    this.reserve(value.length);
    this.buffer.set(value, this.length);
    this.length += value.length;
  }

  /** Fields that are encoded already. */
  raw(fields: Uint8Array): void {
    this.reserve(fields.length);
    this.buffer.set(fields, this.length);
    this.length += fields.length;
  }

  text(field: number, value: string): void {
    this.bytes(field, Buffer.from(value));
  }

  /** Packed numbers. */
  packed(field: number, values: Iterable<number>): void {
    const part = new Bytes();
    for (const value of values) part.varint(value);
    if (part.length > 0) this.bytes(field, part.view());
  }

  /** Packed differences, by zigzag. */
  deltas(field: number, values: Iterable<number>): void {
    const part = new Bytes();
    let before = 0;
    for (const value of values) {
      part.zigzag(value - before);
      before = value;
    }
    if (part.length > 0) this.bytes(field, part.view());
  }

  message(field: number, part: Bytes): void {
    this.bytes(field, part.view());
  }

  private view(): Buffer {
    return this.buffer.subarray(0, this.length);
  }

  private big(value: bigint): void {
    this.reserve(10);
    let rest = value;
    for (; rest > 127n; rest >>= 7n) this.buffer[this.length++] = Number(rest & 127n) | MORE;
    this.buffer[this.length++] = Number(rest);
  }

  private reserve(room: number): void {
    if (this.length + room <= this.buffer.length) return;
    const larger = Buffer.allocUnsafe(Math.max(this.length + room, this.buffer.length * 2));
    this.buffer.copy(larger, 0, 0, this.length);
    this.buffer = larger;
  }
}
