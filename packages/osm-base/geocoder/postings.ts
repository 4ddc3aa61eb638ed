/** Ascending lists of numbers in few bytes: differences of neighbours, seven bits a byte. */
import { columnOf, type Columns } from "#kit/pack.ts";

export type Postings = {
  /** Length of a list. */
  count(list: number): number;
  /** Calls with each number of a list, ascending, at most `most` of them. */
  each(list: number, most: number, visit: (value: number) => void): void;
};

/** Numbers of both are below 2²⁶, so that a pair is one exact number. */
const SHIFT = 2 ** 26;

/** A list for each of `lists`, from pairs in any order, each of which may come repeatedly. */
export function packPostings(name: string, lists: number, pairs: Float64Array): Columns {
  pairs.sort();
  const starts = new Uint32Array(lists + 1);
  const counts = new Uint32Array(lists);
  const bytes = new Uint8Array(pairs.length * 4);
  let length = 0;
  let list = -1;
  let last = -1;
  for (const pair of pairs) {
    const own = Math.floor(pair / SHIFT);
    const value = pair - own * SHIFT;
    if (own !== list) {
      while (list < own) starts[++list] = length;
      last = -1;
    } else if (value === last) continue;
    let rest = value - last - 1;
    while (rest >= 0x80) {
      bytes[length++] = (rest & 0x7f) | 0x80;
      rest >>>= 7;
    }
    bytes[length++] = rest;
    counts[own]!++;
    last = value;
  }
  while (list < lists) starts[++list] = length;
  return {
    [`${name}.starts`]: starts,
    [`${name}.counts`]: counts,
    [`${name}.bytes`]: bytes.slice(0, length),
  };
}

export function pairOf(list: number, value: number): number {
  return list * SHIFT + value;
}

export function openPostings(name: string, columns: Columns): Postings {
  const starts = columnOf(columns, `${name}.starts`, Uint32Array);
  const counts = columnOf(columns, `${name}.counts`, Uint32Array);
  const bytes = columnOf(columns, `${name}.bytes`, Uint8Array);
  return {
    count: (list) => counts[list]!,
    each(list, most, visit) {
      let at = starts[list]!;
      let value = -1;
      for (let left = Math.min(most, counts[list]!); left > 0; left--) {
        let delta = 0;
        let shift = 0;
        let byte = bytes[at++]!;
        while (byte >= 0x80) {
          delta |= (byte & 0x7f) << shift;
          shift += 7;
          byte = bytes[at++]!;
        }
        value += (delta | (byte << shift)) + 1;
        visit(value);
      }
    },
  };
}
