/**
 * Shows cheaply which words are not within some errors of another one (put in, left out, replaced, or
 * exchanged with its neighbour): all rows of the table of errors at once, as bits of a number (Hyyrö 2003).
 */

/** Of a word, or the last five bits of each. */
type Units = Uint16Array | Uint8Array;

/** Longer words have more rows than a number has bits: each word may be like these. */
const MOST_ROWS = 31;

export class LikePattern {
  #length = 0;
  /** By the last five bits of a letter, the rows that have it. */
  readonly #rows = new Int32Array(32);

  /** Makes it that of other units, from one to before another. */
  set(units: Units, from: number, to: number): this {
    this.#length = to - from;
    this.#rows.fill(0);
    for (let at = from; at < to && at - from < MOST_ROWS; at++)
      this.#rows[units[at]! & 31]! |= 1 << (at - from);
    return this;
  }

  /** Whether units from one to before another are within `allowed` errors, where letters of the same last bits are equal. */
  admits(units: Units, from: number, to: number, allowed: number): boolean {
    const length = this.#length;
    if (Math.abs(to - from - length) > allowed) return false;
    if (length > MOST_ROWS || length === 0) return true;
    const last = 1 << (length - 1);
    let [more, less, same, before, errors] = [-1, 0, 0, 0, length];
    for (let at = from; at < to; at++) {
      const rows = this.#rows[units[at]! & 31]!;
      const exchanged = ((~same & rows) << 1) & before;
      same = ((((rows & more) + more) | 0) ^ more) | rows | less | exchanged;
      let right = less | ~(same | more);
      const left = same & more;
      if (right & last) errors++;
      if (left & last) errors--;
      right = (right << 1) | 1;
      more = (left << 1) | ~(same | right);
      less = right & same;
      before = rows;
    }
    return errors <= allowed;
  }
}
