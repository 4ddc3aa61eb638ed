/** A growing row of bytes with variable-length whole numbers, as protocol buffers write them. */
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

  /** Unsigned, below 2 ** 32. */
  varint(value: number): void {
    if (this.#data.length - this.#length < 5) this.#grow(5);
    let left = value >>> 0;
    while (left > 0x7f) {
      this.#data[this.#length++] = (left & 0x7f) | 0x80;
      left >>>= 7;
    }
    this.#data[this.#length++] = left;
  }

  /** Signed, 32 bits: small whichever the sign. */
  zigzag(value: number): void {
    this.varint((value << 1) ^ (value >> 31));
  }

  bytes(given: Uint8Array): void {
    if (this.#data.length - this.#length < given.length) this.#grow(given.length);
    this.#data.set(given, this.#length);
    this.#length += given.length;
  }

  #grow(by: number): void {
    const data = new Uint8Array(Math.max(this.#data.length * 2, this.#length + by));
    data.set(this.view());
    this.#data = data;
  }
}
