/** A column while it is being filled: numbers in typed memory that doubles as it grows. */
type Numbers = Float64Array | Int32Array | Uint32Array | Uint8Array;

export class Growing<N extends Numbers> {
  #data: N;
  #length = 0;
  readonly #type: new (length: number | ArrayBuffer) => N;

  constructor(type: new (length: number | ArrayBuffer) => N, capacity = 1024) {
    this.#type = type;
    this.#data = new type(capacity);
  }

  get length(): number {
    return this.#length;
  }

  push(value: number): void {
    if (this.#length === this.#data.length) this.#reserve(this.#length * 2);
    this.#data[this.#length++] = value;
  }

  pushAll(values: ArrayLike<number>): void {
    const end = this.#length + values.length;
    if (end > this.#data.length) this.#reserve(Math.max(end, this.#data.length * 2));
    this.#data.set(values, this.#length);
    this.#length = end;
  }

  at(index: number): number {
    return this.#data[index]!;
  }

  /** What was pushed, without a copy; it is empty once a later push needs more memory. */
  view(): N {
    return this.#data.subarray(0, this.#length) as N;
  }

  /** The memory that was outgrown is free at once, not when the garbage is next collected. */
  #reserve(length: number): void {
    const buffer = this.#data.buffer as ArrayBuffer;
    this.#data = new this.#type(buffer.transfer(length * this.#data.BYTES_PER_ELEMENT));
  }
}
