/**
 * Many ids in ascending order, and where an id is among them. The lower half of an id takes four
 * bytes; its upper half, which is the same for millions of them, is kept once. What is looked up is
 * often near the id before, so the search goes out from there in growing steps.
 */
import { grown } from "#kit/growing.ts";

const UPPER = 2 ** 32;

export class SortedIds {
  count = 0;
  /** Whether each id that was added is greater than the one before. */
  ascending = true;
  private newest = -Infinity;
  private lowers = new Uint32Array(1024);
  /** Upper halves, and the index of the first id of each. */
  private readonly uppers: number[] = [];
  private readonly starts: number[] = [];
  /** Of the id that was looked up last: the place of its upper half, and its index. */
  private part = 0;
  private near = 0;

  static from(ids: Float64Array): SortedIds {
    const sorted = new SortedIds();
    for (const id of ids) sorted.add(id);
    return sorted;
  }

  add(id: number): void {
    if (this.count === this.lowers.length) this.lowers = grown(this.lowers, 2 * this.count);
    const upper = Math.floor(id / UPPER);
    if (upper !== this.uppers.at(-1)) {
      this.uppers.push(upper);
      this.starts.push(this.count);
    }
    if (!(id > this.newest)) this.ascending = false;
    this.newest = id;
    this.lowers[this.count++] = id - upper * UPPER;
  }

  /** All ids, in the order in which they were added. */
  list(): Float64Array {
    const ids = Float64Array.from(this.lowers.subarray(0, this.count));
    this.uppers.forEach((upper, part) => {
      const end = this.starts[part + 1] ?? this.count;
      for (let i = this.starts[part]!; i < end; i++) ids[i]! += upper * UPPER;
    });
    return ids;
  }

  /** Index of the id, where all are in ascending order; -1: it is not there. */
  find(id: number): number {
    const upper = Math.floor(id / UPPER);
    if (upper !== this.uppers[this.part] && !this.enter(upper)) return -1;
    const lower = (id - upper * UPPER) >>> 0;
    const { lowers } = this;
    const from = this.starts[this.part]!;
    const to = this.part + 1 < this.starts.length ? this.starts[this.part + 1]! : this.count;
    let low = this.near;
    let high = low;
    // Nodes of a way are often neighbours in the file. Of equal ids the last one is found.
    const next = low + 1;
    if (lowers[next] === lower && next < to && lowers[next + 1] !== lower)
      return (this.near = next);
    if (lowers[low]! <= lower)
      for (let step = 1; (high = Math.min(to, low + step)) < to; step *= 2) {
        if (lowers[high]! > lower) break;
        low = high;
      }
    else
      for (let step = 1; (low = Math.max(from, high - step)) > from; step *= 2) {
        if (lowers[low]! <= lower) break;
        high = low;
      }
    while (high - low > 1) {
      const middle = (low + high) >>> 1;
      if (lowers[middle]! <= lower) low = middle;
      else high = middle;
    }
    this.near = low;
    return lowers[low] === lower ? low : -1;
  }

  private enter(upper: number): boolean {
    const { uppers } = this;
    let low = 0;
    let high = uppers.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (uppers[middle]! < upper) low = middle + 1;
      else high = middle;
    }
    if (uppers[low] !== upper) return false;
    this.part = low;
    this.near = this.starts[low]!;
    return true;
  }
}
