/** Finds places of the gazetteer by their whole names, as written, folded or spelled otherwise. */
import { collapseUmlauts, type Word } from "#osm/geocoder/fold-words.ts";
import { spellingsOf } from "#osm/geocoder/spellings.ts";
import type { View } from "#osm/geocoder/geocoder-view.ts";
import { REGIONS } from "#providers/gazetteer/place-relations.ts";

/** Documents with the rarest word of a name that are looked at. */
const MAX_DOCS = 16_384;

/** Words of regions' names besides what they are called: `Kanton`, `Province of`. */
const KINDS: readonly string[] = [
  ...["canton", "cantone", "kanton", "province", "provincia", "provincie", "provinz", "provins"],
  ...["state", "freistaat", "land", "bundesland", "estado", "region", "regione", "departement"],
  ...["departamento", "county", "district", "distrito", "prefecture", "oblast", "voivodeship"],
  ...["wojewodztwo", "governorate", "municipality", "parish", "parroquia"],
  ...["of", "de", "du", "des", "d", "la", "del", "della", "di", "los", "las", "the"],
];

/**
 * Returns the documents of which a name has some words and no others; where there are none, regions
 * that are called so but for what they are: `Graubünden` is the Kanton Graubünden.
 */
export function createExactNames(view: View): (words: readonly Word[]) => number[] {
  const { postings, docs, sets, words: named_words } = view;
  const kinds = new Set(KINDS.map((word) => view.terms.find(word)));
  /** Kinds of regions, by the number of their text. */
  const region_kinds = new Set(
    [...new Set(docs.kind)].filter((kind) => REGIONS.has(view.text(kind).slice("place=".length))),
  );

  return (words) => {
    const intended = words.map((word) => termsOf(view, word, words.length > 1));
    if (intended.some((own) => own.length === 0)) return [];
    const countOf = (own: readonly number[]): number =>
      own.reduce((sum, term) => sum + postings.count(term), 0);
    const rarest = intended.reduce((a, b) => (countOf(b) < countOf(a) ? b : a));
    const [match, regions] = [new Set<number>(), new Set<number>()];
    for (const term of rarest)
      postings.each(term, MAX_DOCS, (doc) => {
        if (hasName(doc, intended)) match.add(doc);
        else if (region_kinds.has(docs.kind[doc]!) && hasName(doc, intended, kinds))
          regions.add(doc);
      });
    return [...(match.size > 0 ? match : regions)].sort((a, b) => a - b);
  };

  /** `but`: words that a name may have besides, before all others. */
  function hasName(
    doc: number,
    intended: readonly (readonly number[])[],
    but: ReadonlySet<number> | null = null,
  ): boolean {
    const set = docs.set[doc]!;
    for (let at = sets.starts[set]!; at < sets.starts[set + 1]!; at++) {
      const text = sets.texts[at]!;
      const to = named_words.starts[text + 1]!;
      let from = named_words.starts[text]!;
      while (but?.has(named_words.terms[from]!) && to - from > intended.length) from++;
      if (to - from !== intended.length) continue;
      if (intended.every((own, i) => own.includes(named_words.terms[from + i]!))) return true;
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
