/**
 * Arrays of numbers cut from larger ones: an array of its own costs more than its contents where these
 * are few, as the points of a way are.
 */
const ROOM = 2_048;

export class NumberRoom<N extends Int32Array | Float64Array> {
  readonly #type: new (length: number) => N;
  #room: N;
  #taken = 0;

  constructor(type: new (length: number) => N) {
    this.#type = type;
    this.#room = new type(0);
  }

  /** An array of its own, of zeros. */
  take(length: number): N {
    if (length > ROOM) return new this.#type(length);
    if (this.#taken + length > this.#room.length) {
      this.#room = new this.#type(ROOM);
      this.#taken = 0;
    }
    this.#taken += length;
    return this.#room.subarray(this.#taken - length, this.#taken) as N;
  }
}
