/** The words of a base: each once, and which of them a text has. */
import type { Columns } from "#kit/pack.ts";
import { Growing } from "#kit/growing.ts";
import type { Selection } from "./selection.ts";
import { wordsOf } from "./fold-words.ts";

export type Words = {
  columns: Columns;
  /** Words of a text, by their numbers. */
  of(text: number): Uint32Array;
  vocabulary: string[];
};

/** Words of the texts that are searched, numbered in the order of their spelling. */
export function packWords(texts: Selection): Words {
  const ids = new Map<string, number>();
  const starts = new Uint32Array(texts.count + 1);
  const match = new Growing(Uint32Array);
  for (let text = 0; text < texts.count; text++) {
    if (texts.isSearched(text))
      for (const word of wordsOf(texts.get(text))) {
        let id = ids.get(word);
        if (id === undefined) ids.set(word, (id = ids.size));
        match.push(id);
      }
    starts[text + 1] = match.length;
  }
  const vocabulary = [...ids.keys()].sort();
  const numbers = new Uint32Array(vocabulary.length);
  vocabulary.forEach((word, number) => (numbers[ids.get(word)!] = number));
  const terms = match.view().map((id) => numbers[id]!);
  return {
    columns: { "words.starts": starts, "words.terms": terms },
    of: (text) => terms.subarray(starts[text], starts[text + 1]),
    vocabulary,
  };
}
