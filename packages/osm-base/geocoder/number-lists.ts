/**
 * Lists of whole numbers, each kept once and known by its number: names of things, whereabouts, keys
 * of more than one part. 0 is the empty list.
 */
import { Growing } from "#kit/growing.ts";

export class Lists {
  /** List i is values[starts[i]] .. values[starts[i + 1]]. */
  readonly #values = new Growing(Int32Array);
  readonly #starts = new Growing(Uint32Array);
  /** Numbers of lists, each in the first free slot from where its hash leads; 0: the slot is free. */
  #slots = new Uint32Array(1024);

  constructor() {
    this.#starts.push(0);
    this.#starts.push(0);
  }

  /** The empty list counts. */
  get count(): number {
    return this.#starts.length - 1;
  }

  /** Numbers are in the range of 32 bits with a sign. */
  add(list: ArrayLike<number>): number {
    const slot = this.#slotOf(list);
    if (list.length === 0 || this.#slots[slot] !== 0) return this.#slots[slot]!;
    const id = this.count;
    this.#values.pushAll(list);
    this.#starts.push(this.#values.length);
    this.#slots[slot] = id;
    if (this.count * 2 > this.#slots.length) this.#spread();
    return id;
  }

  /** Number of a list; 0: there is no such list. */
  find(list: ArrayLike<number>): number {
    return this.#slots[this.#slotOf(list)]!;
  }

  /** Without a copy: to be read before the next list is added. */
  get(id: number): Int32Array {
    return this.#values.part(this.#starts.at(id), this.#starts.at(id + 1));
  }

  #slotOf(list: ArrayLike<number>): number {
    const last = this.#slots.length - 1;
    let slot = hashOf(list) & last;
    while (this.#slots[slot] !== 0 && !this.#equals(this.#slots[slot]!, list))
      slot = (slot + 1) & last;
    return slot;
  }

  #equals(id: number, list: ArrayLike<number>): boolean {
    const from = this.#starts.at(id);
    if (this.#starts.at(id + 1) - from !== list.length) return false;
    for (let i = 0; i < list.length; i++) if (this.#values.at(from + i) !== list[i]) return false;
    return true;
  }

  #spread(): void {
    this.#slots = new Uint32Array(this.#slots.length * 2);
    for (let id = 1; id < this.count; id++) this.#slots[this.#slotOf(this.get(id))] = id;
  }
}

function hashOf(list: ArrayLike<number>): number {
  let hash = list.length;
  for (let i = 0; i < list.length; i++) {
    hash = Math.imul(hash ^ list[i]!, 0x9e3779b1);
    hash ^= hash >>> 15;
  }
  return hash;
}
