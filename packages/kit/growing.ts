/** Columns while they are being filled: numbers in typed memory that doubles as it grows. */
type Numbers = Float64Array | Int32Array | Uint32Array | Uint16Array | Uint8Array;
type NumbersType<N extends Numbers> = new (length: number | ArrayBuffer) => N;

export class Growing<N extends Numbers> {
  #data: N;
  #length = 0;
  readonly #type: NumbersType<N>;

  constructor(type: NumbersType<N>, capacity = 1024) {
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

  /** Those from one place to before another; see `view`. */
  part(from: number, to: number): N {
    return this.#data.subarray(from, to) as N;
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

/** Columns of a table, by name. */
export type GrowingTable<Types extends Record<string, NumbersType<Numbers>>> = {
  readonly [Name in keyof Types]: Growing<InstanceType<Types[Name]>>;
};

export function createTable<Types extends Record<string, NumbersType<Numbers>>>(
  types: Types,
): GrowingTable<Types> {
  const columns = Object.entries(types).map(([name, type]) => [name, new Growing(type)]);
  return Object.fromEntries(columns) as GrowingTable<Types>;
}

/** Adds the numbers of a row to the columns of their names; others may have several numbers a row. */
export function pushRow<Name extends string>(
  table: Readonly<Record<Name, Growing<Numbers>>>,
  row: Readonly<Record<Name, number>>,
): void {
  for (const name in row) table[name].push(row[name]);
}

/** A column of at least that length, with what was in the other and `fill` behind it. */
export function grown<N extends Numbers>(column: N, least: number, fill = 0): N {
  const wider = new (column.constructor as NumbersType<N>)(least);
  wider.set(column);
  if (fill !== 0) wider.fill(fill, column.length);
  return wider;
}

/** The column with a value in each row, made without a list of them. */
export function filled<N extends Numbers>(column: N, valueOf: (row: number) => number): N {
  for (let row = 0; row < column.length; row++) column[row] = valueOf(row);
  return column;
}

/** Frees the memory of columns that nothing reads any more; other references see them empty. */
export function letGo(columns: Iterable<{ buffer: ArrayBufferLike }>): void {
  for (const { buffer } of columns)
    if (buffer instanceof ArrayBuffer && !buffer.detached) buffer.transfer(0);
}

/** Takes what is in columns over into wider ones of the same names. */
export function widened<Columns extends Readonly<Record<string, Numbers>>>(
  columns: Readonly<Record<keyof Columns, Numbers>>,
  wider: Columns,
): Columns {
  for (const name in wider) wider[name]!.set(columns[name]);
  return wider;
}
