/**
 * Counts letters put in, left out, replaced, or exchanged with their neighbour between two words; above
 * `allowed` for anything more. `other`: the units of its text, as indexes keep their words.
 */
export function errorsBetween(word: string, other: Uint16Array, allowed: number): number {
  return new ErrorCounter().between(word, other, allowed);
}

/** Counts as `errorsBetween`, for who compares many: it has its memory of two words once. */
export class ErrorCounter {
  #cells: Uint8Array | null = null;

  between(word: string, other: Uint16Array, allowed: number): number {
    let [n, m] = [word.length, other.length];
    if (Math.abs(n - m) > allowed) return allowed + 1;
    // What both begin and end with has no error.
    let from = 0;
    while (from < n && from < m && word.charCodeAt(from) === other[from]) from++;
    while (n > from && m > from && word.charCodeAt(n - 1) === other[m - 1]) {
      n--;
      m--;
    }
    n -= from;
    m -= from;
    if (n === 0 || m === 0) return Math.max(n, m);
    return countErrors({ word, other, from, n, m }, allowed, this.#memoryOf((m + 1) * 3));
  }

  #memoryOf(size: number): Uint8Array {
    if (this.#cells === null || this.#cells.length < size) this.#cells = new Uint8Array(2 * size);
    return this.#cells;
  }
}

/** Two words, of which `n` and `m` letters count from one on. */
type Pair = { word: string; other: Uint16Array; from: number; n: number; m: number };

/** By rows, of which only what may be within the bound is looked at. */
function countErrors(
  { word, other, from, n, m }: Pair,
  allowed: number,
  cells: Uint8Array,
): number {
  const more = allowed + 1;
  const width = m + 1;
  cells.fill(more, 0, width * 3);
  let [before, last, row] = [0, width, 2 * width];
  for (let j = 0; j <= Math.min(m, allowed); j++) cells[last + j] = j;
  for (let i = 1; i <= n; i++) {
    const unit = word.charCodeAt(from + i - 1);
    const [first, end] = [Math.max(1, i - allowed), Math.min(m, i + allowed)];
    cells[row + first - 1] = first === 1 && i <= allowed ? i : more;
    let least = cells[row + first - 1]!;
    for (let j = first; j <= end; j++) {
      const letter = other[from + j - 1];
      let value = cells[last + j - 1]! + (unit === letter ? 0 : 1);
      // The cell above is beyond what was looked at where the row ends.
      if (j < i + allowed) value = Math.min(value, cells[last + j]! + 1);
      value = Math.min(value, cells[row + j - 1]! + 1);
      if (
        i > 1 &&
        j > 1 &&
        unit === other[from + j - 2] &&
        word.charCodeAt(from + i - 2) === letter
      )
        value = Math.min(value, cells[before + j - 2]! + 1);
      cells[row + j] = value;
      if (value < least) least = value;
    }
    if (least > allowed) return more;
    [before, last, row] = [last, row, before];
  }
  return Math.min(cells[last + m]!, more);
}
