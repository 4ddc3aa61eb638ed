/**
 * Comparable forms of texts, by number: two texts of one form are spelt alike, or alike but for
 * abbreviations and umlauts. Each text is read once.
 */
import { wordsOf } from "./fold-words.ts";
import type { Texts } from "./name-texts.ts";
import { canonicalName } from "./spellings.ts";

type Form = {
  /** Number of a text's form, from 0. */
  of(text: number): number;
  readonly count: number;
};

export type Forms = { exact: Form; loose: Form };

export function createForms(texts: Texts): Forms {
  return {
    exact: createForm(texts, (words) => words.join(" ")),
    loose: createForm(texts, canonicalName),
  };
}

function createForm(texts: Texts, spell: (words: readonly string[]) => string): Form {
  const numbers = new Map<string, number>();
  const cache = new Map<number, number>();
  return {
    of(text) {
      let number = cache.get(text);
      if (number === undefined) {
        const spelt = spell(wordsOf(texts.get(text)));
        number = numbers.get(spelt) ?? numbers.size;
        numbers.set(spelt, number);
        cache.set(text, number);
      }
      return number;
    },
    get count() {
      return numbers.size;
    },
  };
}
