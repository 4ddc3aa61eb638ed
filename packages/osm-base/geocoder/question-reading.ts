/**
 * Words of a question as the names of all pages have them, and the same as numbers of one page's words:
 * which words are like one of the question does not depend on the page.
 */
import type { Word } from "./fold-words.ts";
import { frameOf, type GeocodeWords, type Hit, type Unit } from "./geocode-query.ts";
import type { TermIndex } from "./term-index.ts";

/** Plain data, which threads may hand to one another. */
export type QuestionReading = {
  units: readonly Unit[];
  /** By word of names: the units that may mean it, the surest first. */
  hits: readonly (readonly [word: string, hits: readonly Hit[]])[];
  /** By word of the question: words of names that it may mean by itself, the surest first. */
  meanings: readonly (readonly { word: string; surety: number }[])[];
};

export function toReading({ units, hits, meanings }: GeocodeWords, terms: TermIndex): QuestionReading {
  return {
    units,
    hits: [...hits].map(([term, own]) => [terms.text(term), own] as const),
    meanings: meanings.map((list) =>
      list.map(({ term, surety }) => ({ word: terms.text(term), surety })),
    ),
  };
}

/** Those that a page has, by its numbers. */
export function fromReading(
  words: readonly Word[],
  { units, hits, meanings }: QuestionReading,
  terms: TermIndex,
): GeocodeWords {
  const numbers = new Map<string, number>();
  const own = new Map<number, readonly Hit[]>();
  for (const [word, list] of hits) {
    const term = terms.find(word);
    numbers.set(word, term);
    if (term >= 0) own.set(term, list);
  }
  return {
    words,
    units,
    hits: own,
    meanings: meanings.map((list) =>
      list.flatMap(({ word, surety }) => {
        const term = numbers.get(word) ?? terms.find(word);
        return term < 0 ? [] : [{ term, surety }];
      }),
    ),
    ...frameOf(words),
  };
}
