/**
 * The words of a base in order: found exactly, by their beginning, or with a typing error or two. For
 * the latter each word is also filed under what is left of its beginning when one or two letters are
 * missing: two words that are that near have one of these in common.
 */
import type { Budget } from "#kit/budget.ts";
import { toEnd } from "#kit/steps.ts";
import { lowerBound } from "#kit/sorted.ts";
import { columnOf, type Columns } from "#kit/pack.ts";
import { errorsBetween } from "#kit/text/typing-errors.ts";

/** Letters of a word's beginning of which some are left out. */
const HEAD = 8;
const MIN_FUZZY = 3;
/** Words of this length may have two errors. */
const MIN_TWO = 9;
/** Candidates of one word that are compared with it. */
const MAX_COMPARED = 400;
/** A beginning that is looked up, and a word that is compared, take as long as this number of entries of a list. */
const HEAD_LOOKS = 32;
const COMPARED_LOOKS = 8;
/** Words between two turns of whoever waits. */
const STEP = 1_024;
/** The same of buckets that are sorted. */
const SORTED = 32;
const FIRST_PAIRED = 0x0e00;
const PAIRED = /[\u0e00-\u0eff\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff]/;

export type TermIndex = {
  count: number;
  /** Number of a word; -1: no name has it. */
  find(word: string): number;
  /** Words that begin so: from, and up to but without, these numbers. */
  range(prefix: string): [from: number, to: number];
  /** Words within one or two errors, nearest first; not the word itself. As many as the budget admits. */
  findLike(word: string, most: number, budget: Budget): { term: number; errors: number }[];
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
  return { "terms.starts": starts, "terms.units": units, ...toEnd(headColumns(starts, units)) };
}

/** Hashes are sorted in buckets of so many of their first bits. */
const BUCKET_BITS = 16;
const REST = 2 ** (32 - BUCKET_BITS);
/** A word's number is below. */
const TERMS = 2 ** 32;

/**
 * Files words under what is left of their beginnings, by hash and word: counted first, so that nothing
 * but the columns takes memory.
 */
export function* headColumns(starts: Uint32Array, units: Uint16Array): Generator<void, Columns> {
  const count = starts.length - 1;
  const hashes = new HeadHashes();
  const buckets = new Uint32Array(2 ** BUCKET_BITS + 1);
  for (let term = 0; term < count; term++) {
    if (term % STEP === STEP - 1) yield;
    const own = hashes.of(units, starts[term]!, starts[term + 1]!);
    for (let i = 0; i < own; i++) buckets[Math.floor(hashes.list[i]! / REST) + 1]!++;
  }
  for (let i = 1; i < buckets.length; i++) buckets[i]! += buckets[i - 1]!;
  const total = buckets.at(-1)!;
  const [heads, of_heads] = [new Uint32Array(total), new Uint32Array(total)];
  const next = buckets.slice();
  for (let term = 0; term < count; term++) {
    if (term % STEP === STEP - 1) yield;
    const own = hashes.of(units, starts[term]!, starts[term + 1]!);
    for (let i = 0; i < own; i++) {
      const at = next[Math.floor(hashes.list[i]! / REST)]!++;
      heads[at] = hashes.list[i]!;
      of_heads[at] = term;
    }
  }
  for (let bucket = 0; bucket < 2 ** BUCKET_BITS; bucket++) {
    if (bucket % SORTED === SORTED - 1) yield;
    const [from, to] = [buckets[bucket]!, buckets[bucket + 1]!];
    if (to - from < 2) continue;
    const pairs = new Float64Array(to - from);
    for (let i = from; i < to; i++) pairs[i - from] = (heads[i]! % REST) * TERMS + of_heads[i]!;
    pairs.sort();
    for (let i = from; i < to; i++) {
      heads[i] = bucket * REST + Math.floor(pairs[i - from]! / TERMS);
      of_heads[i] = pairs[i - from]! % TERMS;
    }
  }
  return { "terms.heads": heads, "terms.of_heads": of_heads };
}

/** A word has no more beginnings than these: of eight letters, with two left out or less. */
const MOST_HEADS = 37;

/** Hashes of what is left of the beginning of a word when some letters are left out, each once. */
class HeadHashes {
  readonly list = new Uint32Array(MOST_HEADS);
  #length = 0;

  /** Of a word of the index; how many there are. */
  of(units: Uint16Array, from: number, to: number): number {
    const length = to - from;
    if (!isFuzzy(units, from, to)) return 0;
    return this.#all(units, from, { length, most: length >= MIN_TWO - 1 ? 2 : 1 });
  }

  /** Of a word that is looked for, with as many errors. */
  ofWord(word: string, most: number): number {
    const units = unitsOfWord(word);
    return isFuzzy(units, 0, units.length)
      ? this.#all(units, 0, { length: units.length, most })
      : 0;
  }

  #all(
    units: Uint16Array,
    from: number,
    { length, most }: { length: number; most: number },
  ): number {
    const end = Math.min(length, HEAD);
    this.#length = 0;
    this.#add(hashWithout(units, from, { end, a: -1, b: -1 }));
    for (let a = 0; a < end; a++) this.#add(hashWithout(units, from, { end, a, b: -1 }));
    if (most > 1)
      for (let a = 0; a < end; a++)
        for (let b = a + 1; b < end; b++) this.#add(hashWithout(units, from, { end, a, b }));
    return this.#length;
  }

  #add(hash: number): void {
    for (let i = 0; i < this.#length; i++) if (this.list[i] === hash) return;
    this.list[this.#length++] = hash;
  }
}

/** Of the first `end` letters but these two. */
function hashWithout(
  units: Uint16Array,
  from: number,
  { end, a, b }: { end: number; a: number; b: number },
): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < end; i++)
    if (i !== a && i !== b) hash = Math.imul(hash ^ units[from + i]!, 0x01000193);
  return hash >>> 0;
}

function unitsOfWord(word: string): Uint16Array {
  const units = new Uint16Array(word.length);
  for (let i = 0; i < word.length; i++) units[i] = word.charCodeAt(i);
  return units;
}

export function openTerms(columns: Columns): TermIndex {
  const starts = columnOf(columns, "terms.starts", Uint32Array);
  const units = columnOf(columns, "terms.units", Uint16Array);
  const heads = columnOf(columns, "terms.heads", Uint32Array);
  const of_heads = columnOf(columns, "terms.of_heads", Uint32Array);
  const count = starts.length - 1;
  const hashes = new HeadHashes();

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
    findLike(word, most, budget) {
      const allowed = word.length >= MIN_TWO ? 2 : 1;
      const count_heads = hashes.ofWord(word, allowed);
      const seen = new Set<number>();
      const matches: { term: number; errors: number }[] = [];
      for (let i = 0; i < count_heads; i++) {
        if (!budget.look(HEAD_LOOKS)) break;
        const hash = hashes.list[i]!;
        for (let at = lowerBound(heads, hash); heads[at] === hash; at++) {
          const term = of_heads[at]!;
          const longer = Math.abs(starts[term + 1]! - starts[term]! - word.length);
          if (longer > allowed) {
            if (!budget.look()) break;
            continue;
          }
          if (seen.has(term)) continue;
          if (seen.size >= MAX_COMPARED || !budget.look(COMPARED_LOOKS)) break;
          seen.add(term);
          const errors = errorsBetween(word, unitsOf(term), allowed);
          if (errors > 0 && errors <= allowed) matches.push({ term, errors });
        }
      }
      return matches.sort((a, b) => a.errors - b.errors || a.term - b.term).slice(0, most);
    },
    units: unitsOf,
    text: (term) => String.fromCharCode(...unitsOf(term)),
  };
}

/** Numbers have no typing errors: another number is another thing. */
function isFuzzy(units: Uint16Array, from: number, to: number): boolean {
  if (to - from < MIN_FUZZY || isDigit(units[from]!)) return false;
  for (let at = from; at < to; at++)
    if (units[at]! >= FIRST_PAIRED && PAIRED.test(String.fromCharCode(units[at]!))) return false;
  return true;
}

function isDigit(unit: number): boolean {
  return unit >= 0x30 && unit <= 0x39;
}
