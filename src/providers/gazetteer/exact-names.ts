/** Finds places of the gazetteer by their whole names, as written, folded or spelled otherwise. */
import { collapseUmlauts, type Word } from "#core/base/geocoder/fold.ts";
import { spellingsOf } from "#core/base/geocoder/spellings.ts";
import type { View } from "#core/base/geocoder/view.ts";

/** Documents with the rarest word of a name that are looked at. */
const MAX_DOCS = 16_384;

/** Returns the documents of which a name has some words and no others. */
export function createExactNames(view: View): (words: readonly Word[]) => number[] {
  const { postings, docs, sets, words: named } = view;

  return (words) => {
    const meant = words.map((word) => termsOf(view, word, words.length > 1));
    if (meant.some((own) => own.length === 0)) return [];
    const countOf = (own: readonly number[]): number =>
      own.reduce((sum, term) => sum + postings.count(term), 0);
    const rarest = meant.reduce((a, b) => (countOf(b) < countOf(a) ? b : a));
    const found = new Set<number>();
    for (const term of rarest)
      postings.each(term, MAX_DOCS, (doc) => {
        if (hasName(doc, meant)) found.add(doc);
      });
    return [...found].sort((a, b) => a - b);
  };

  function hasName(doc: number, meant: readonly (readonly number[])[]): boolean {
    const set = docs.set[doc]!;
    for (let at = sets.starts[set]!; at < sets.starts[set + 1]!; at++) {
      const text = sets.texts[at]!;
      const from = named.starts[text]!;
      if (named.starts[text + 1]! - from !== meant.length) continue;
      if (meant.every((own, i) => own.includes(named.terms[from + i]!))) return true;
    }
    return false;
  }
}

/** Words of the gazetteer that a word is; `spelled`: in any of its spellings, as within a name. */
function termsOf({ terms }: View, { text, expanded }: Word, spelled: boolean): number[] {
  const forms = [text, collapseUmlauts(text), expanded ?? text];
  const all = new Set([...forms, ...(spelled ? forms.flatMap(spellingsOf) : [])]);
  return [...all].map((form) => terms.find(form)).filter((term) => term >= 0);
}
