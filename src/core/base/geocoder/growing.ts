/** A column while it is being filled: numbers in typed memory that doubles as it grows. */
type Numbers = Float64Array | Int32Array | Uint32Array | Uint8Array;

export class Growing<N extends Numbers> {
  #data: N;
  #length = 0;
  readonly #type: new (length: number) => N;

  constructor(type: new (length: number) => N) {
    this.#type = type;
    this.#data = new type(1024);
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

  set(index: number, value: number): void {
    this.#data[index] = value;
  }

  /** What was pushed, without a copy; later pushes may not show in it. */
  view(): N {
    return this.#data.subarray(0, this.#length) as N;
  }

  #reserve(length: number): void {
    const larger = new this.#type(length);
    larger.set(this.view());
    this.#data = larger;
  }
}
