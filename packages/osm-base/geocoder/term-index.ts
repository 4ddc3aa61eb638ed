/** The words of a base in order: found exactly, by their beginning, or with typing errors (like-words.ts). */
import { toEnd } from "#kit/steps.ts";
import { columnOf, type Columns } from "#kit/pack.ts";
import { type FindLike, openLike, packLike } from "./like-words.ts";

export type TermIndex = {
  count: number;
  /** Number of a word; -1: no name has it. */
  find(word: string): number;
  /** Words that begin so: from, and up to but without, these numbers. */
  range(prefix: string): [from: number, to: number];
  findLike: FindLike;
  text(term: number): string;
  /** Units of its text, where they lie. */
  units(term: number): Uint16Array;
};

/** Words must be sorted by their UTF-16 units and none come twice. */
export function packTerms(words: readonly string[]): Columns {
  const starts = new Uint32Array(words.length + 1);
  words.forEach((word, i) => (starts[i + 1] = starts[i]! + word.length));
  const units = new Uint16Array(starts[words.length]!);
  words.forEach((word, i) => {
    for (let at = 0; at < word.length; at++) units[starts[i]! + at] = word.charCodeAt(at);
  });
  return { "terms.starts": starts, "terms.units": units, ...toEnd(packLike({ starts, units })) };
}

export function openTerms(columns: Columns): TermIndex {
  const starts = columnOf(columns, "terms.starts", Uint32Array);
  const units = columnOf(columns, "terms.units", Uint16Array);
  const count = starts.length - 1;

  /** Below 0: the term comes before the word; a term that begins with it is equal where `head` is set. */
  function compare(term: number, word: string, head: boolean): number {
    const start = starts[term]!;
    const length = starts[term + 1]! - start;
    const shared = Math.min(length, word.length);
    for (let i = 0; i < shared; i++) {
      const difference = units[start + i]! - word.charCodeAt(i);
      if (difference !== 0) return difference;
    }
    return head && length >= word.length ? 0 : length - word.length;
  }

  function bound(word: string, after: (comparison: number) => boolean, head: boolean): number {
    let low = 0;
    let high = count;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (after(compare(middle, word, head))) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  const find = (word: string): number => {
    const at = bound(word, (c) => c >= 0, false);
    return at < count && compare(at, word, false) === 0 ? at : -1;
  };

  const unitsOf = (term: number): Uint16Array => units.subarray(starts[term], starts[term + 1]);

  return {
    count,
    find,
    range: (prefix) => [bound(prefix, (c) => c >= 0, true), bound(prefix, (c) => c > 0, true)],
    findLike: openLike(columns, { starts, units }),
    units: unitsOf,
    text: (term) => String.fromCharCode(...unitsOf(term)),
  };
}
