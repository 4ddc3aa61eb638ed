/**
 * How often words are, over all pages or bases that are searched together: what a word weighs does not
 * depend on which of them a candidate is of, so that scores compare.
 */

/** One object as long as the data are the same: what is found out by it is kept. */
export type WordStatistics = {
  /** All documents. */
  documents: number;
  /** Documents that have a word, in the comparable form of names. */
  frequencyOf(word: string): number;
};

/** What a word of a question means at best: how sure that is, and the documents that have it. */
export type BestMeaning = { surety: number; documents: number };

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
