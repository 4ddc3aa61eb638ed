/** Rows of a few whole numbers below 2 ** 32, in pieces: growing copies nothing. */
const ROWS_AT_ONCE_BITS = 14;
const ROWS_AT_ONCE = 1 << ROWS_AT_ONCE_BITS;

export class Rows {
  length = 0;
  readonly #width: number;
  readonly #pieces: Uint32Array[] = [];

  /** `width` numbers a row. */
  constructor(width: number) {
    this.#width = width;
  }

  push(row: readonly number[]): void {
    const width = this.#width;
    let at = (this.length & (ROWS_AT_ONCE - 1)) * width;
    if (at === 0) this.#pieces.push(new Uint32Array(ROWS_AT_ONCE * width));
    const piece = this.#pieces.at(-1)!;
    for (let i = 0; i < width; i++) piece[at++] = row[i]!;
    this.length += 1;
  }

  at(row: number, column: number): number {
    const piece = this.#pieces[row >>> ROWS_AT_ONCE_BITS]!;
    return piece[(row & (ROWS_AT_ONCE - 1)) * this.#width + column]!;
  }

  /** Rows by the number in a column, which is below `most`; those with the same one as they came. */
  orderBy(column: number, most: number): Uint32Array {
    const starts = new Uint32Array(most + 1);
    for (let row = 0; row < this.length; row++) starts[this.at(row, column) + 1]! += 1;
    for (let i = 1; i < starts.length; i++) starts[i]! += starts[i - 1]!;
    const order = new Uint32Array(this.length);
    for (let row = 0; row < this.length; row++) order[starts[this.at(row, column)]!++] = row;
    return order;
  }

  clear(): void {
    this.#pieces.length = 0;
    this.length = 0;
  }
}
