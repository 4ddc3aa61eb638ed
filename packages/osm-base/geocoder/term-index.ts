/**
 * The words of a base in order: found exactly, by their beginning, or with a typing error or two. For
 * the latter each word is also filed under what is left of its beginning when one or two letters are
 * missing: two words that are that near have one of these in common.
 */
import type { Budget } from "#kit/budget.ts";
import { Growing } from "#kit/growing.ts";
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
const STEP = 64;
/** Parts in which pairs are sorted, one a turn. */
const SORTED_PARTS = 256;
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

/** Words of a part of the hashes: a hash of 32 bits and the number of a word are one exact number. */
const TERMS = 2 ** 21;

/**
 * Files words under what is left of their beginnings. More words than a pair can number are filed in
 * parts of the hashes, one after the other, so that no more than a part is sorted at once.
 */
export function* headColumns(starts: Uint32Array, units: Uint16Array): Generator<void, Columns> {
  const count = starts.length - 1;
  const parts = 2 ** Math.max(0, Math.ceil(Math.log2(count / TERMS)));
  const [part_hashes, part_terms] = [2 ** 32 / parts, TERMS * parts];
  const [heads, of_heads] = [new Growing(Uint32Array), new Growing(Uint32Array)];
  for (let part = 0; part < parts; part++) {
    const from = part * part_hashes;
    const filed = new Growing(Float64Array);
    for (let term = 0; term < count; term++) {
      if (term % STEP === STEP - 1) yield;
      const word = String.fromCharCode(...units.subarray(starts[term], starts[term + 1]));
      if (!isFuzzy(word)) continue;
      for (const hash of headsOf(word, word.length >= MIN_TWO - 1 ? 2 : 1))
        if (hash >= from && hash < from + part_hashes)
          filed.push((hash - from) * part_terms + term);
    }
    for (const sorted of sortedParts(filed.view(), part_hashes * part_terms)) {
      for (const pair of sorted) {
        heads.push(from + Math.floor(pair / part_terms));
        of_heads.push(pair % part_terms);
      }
      yield;
    }
  }
  return { "terms.heads": heads.view(), "terms.of_heads": of_heads.view() };
}

/** Numbers below `end` in ascending order, in parts. */
function* sortedParts(numbers: Float64Array, end: number): Generator<Float64Array> {
  const size = end / SORTED_PARTS;
  const starts = new Uint32Array(SORTED_PARTS + 1);
  for (const number of numbers) starts[Math.floor(number / size) + 1]!++;
  for (let part = 0; part < SORTED_PARTS; part++) starts[part + 1]! += starts[part]!;
  const parted = new Float64Array(numbers.length);
  const next = starts.slice();
  for (const number of numbers) parted[next[Math.floor(number / size)]!++] = number;
  for (let part = 0; part < SORTED_PARTS; part++)
    yield parted.subarray(starts[part], starts[part + 1]).sort();
}

export function openTerms(columns: Columns): TermIndex {
  const starts = columnOf(columns, "terms.starts", Uint32Array);
  const units = columnOf(columns, "terms.units", Uint16Array);
  const heads = columnOf(columns, "terms.heads", Uint32Array);
  const of_heads = columnOf(columns, "terms.of_heads", Uint32Array);
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
    findLike(word, most, budget) {
      if (!isFuzzy(word)) return [];
      const allowed = word.length >= MIN_TWO ? 2 : 1;
      const seen = new Set<number>();
      const matches: { term: number; errors: number }[] = [];
      for (const hash of headsOf(word, allowed)) {
        if (!budget.look(HEAD_LOOKS)) break;
        for (let at = lowerBound(heads, hash); heads[at] === hash; at++) {
          const term = of_heads[at]!;
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
function isFuzzy(word: string): boolean {
  return word.length >= MIN_FUZZY && !/^\d/.test(word) && !PAIRED.test(word);
}

function headsOf(word: string, most: number): Set<number> {
  const hashes = new Set<number>();
  const visit = (head: string, left: number): void => {
    hashes.add(hashOf(head));
    if (left > 0)
      for (let i = 0; i < head.length; i++) visit(head.slice(0, i) + head.slice(i + 1), left - 1);
  };
  visit(word.slice(0, HEAD), most);
  return hashes;
}

function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}
