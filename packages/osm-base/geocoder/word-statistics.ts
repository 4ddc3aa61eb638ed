/**
 * How often words are, over all pages or bases that are searched together: what a word weighs does not
 * depend on which of them a candidate is of, so that scores compare.
 */
import type { Word } from "./fold-words.ts";
import { isPostcodePrefix } from "./segments.ts";

/** One object as long as the data are the same: what is found out by it is kept. */
export type WordStatistics = {
  /** All documents. */
  documents: number;
  /** Documents that have a word, in the comparable form of names. */
  frequencyOf(word: string): number;
};

/** What a word of a question means at best: a word of names, how sure that is, and the documents that have it. */
export type BestMeaning = { word: string; surety: number; documents: number };

/** Weight of a word of a name, 0 to 1: the rarer, the more. */
export function wordWeight(all_documents: number, documents: number): number {
  const all = Math.log(2 + all_documents);
  return 0.12 + 0.88 * (Math.log((2 + all_documents) / (1 + documents)) / all);
}

/** Those of several bases together. */
export function joinStatistics(list: readonly WordStatistics[]): WordStatistics {
  const [first] = list;
  if (first !== undefined && list.length === 1) return first;
  return {
    documents: list.reduce((sum, { documents }) => sum + documents, 0),
    frequencyOf: (word) => list.reduce((sum, each) => sum + each.frequencyOf(word), 0),
  };
}

const NUMBER_WEIGHT = 0.5;
const UNKNOWN_WEIGHT = 0.6;
const LETTER = 0.3;

/** Weights of a question's words, 0 to 1: the rarer, the more. */
export function weighWords(
  words: readonly Word[],
  best: readonly (BestMeaning | null)[],
  all_documents: number,
): Float64Array {
  return Float64Array.from(words, ({ text }, at) => {
    if (/^\d/.test(text)) return NUMBER_WEIGHT;
    if (isPostcodePrefix(words, at)) return 0;
    const meaning = best[at] ?? null;
    if (meaning === null) return UNKNOWN_WEIGHT;
    const weight = wordWeight(all_documents, meaning.documents);
    return text.length === 1 ? weight * LETTER : weight;
  });
}

/** The surest of what several bases know of each word; of equally sure ones the first in the alphabet. */
export function joinMeanings(
  lists: readonly (readonly (BestMeaning | null)[])[],
): (BestMeaning | null)[] {
  const [first = [], ...others] = lists;
  return first.map((own, at) => {
    let best = own;
    for (const other of others.map((list) => list[at] ?? null))
      if (other !== null && (best === null || isSurer(other, best))) best = other;
    return best;
  });
}

function isSurer(a: BestMeaning, b: BestMeaning): boolean {
  return a.surety > b.surety || (a.surety === b.surety && a.word < b.word);
}
