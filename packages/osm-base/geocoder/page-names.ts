/**
 * Words of a page: which of them its documents have, and which only say where these are. The lists of
 * all pages make the names of a base (merge-names.ts).
 */
import { type Columns, columnOf } from "#kit/pack.ts";
import type { PageCell } from "../pages/page-cell.ts";
import { ownColumns } from "./geocoder.ts";
import type { GeocoderMeta } from "./geocoder-section.ts";
import { createOwnedDocs } from "./owned-docs.ts";
import { openPostings } from "./postings.ts";
import { openTerms } from "./term-index.ts";

/** A word of one page. */
export type NameEntry = {
  /** In the comparable form of names; a kind of things as `kindWord` has it; empty: all documents. */
  word: string;
  /** Documents of the page's cell that are called so. */
  documents: number;
  /** Of the most important of those that the page answers with, 1 to 255; 0: none is called so. */
  importance: number;
};

/** Word for a main tag, as `amenity=pharmacy`; no name has a word that begins so. */
export function kindWord(kind: string): string {
  return `=${kind}`;
}

/**
 * Words of a page in the order of their UTF-16 units, none twice; the first entry is of the empty word
 * and has the number of all documents of the cell. `columns` and `meta` as `openGeocoder` takes them.
 */
export function* listTerms(
  columns: Columns,
  meta: GeocoderMeta,
  cell: PageCell,
): Generator<NameEntry, void> {
  const own = ownColumns(columns);
  const terms = openTerms(own);
  const postings = openPostings("postings", own);
  const around = openPostings("context_postings", own);
  const importances = columnOf(own, "docs.importance", Uint8Array);
  const { counts, answers } = createOwnedDocs(own, meta, cell);
  const count = importances.length;
  /** 1: the page answers with it; 2: it counts here as well. */
  const owned = Uint8Array.from(importances, (_, doc) =>
    answers(doc) ? (counts(doc) ? 2 : 1) : counts(doc) ? 3 : 0,
  );
  const entryOf = (word: string, each: (visit: (doc: number) => void) => void): NameEntry => {
    let [documents, importance] = [0, 0];
    each((doc) => {
      if (owned[doc]! >= 2) documents++;
      if (owned[doc] === 1 || owned[doc] === 2)
        importance = Math.max(importance, 1, importances[doc]!);
    });
    return { word, documents, importance };
  };
  const wide = new Set(columnOf(own, "wide.terms", Uint32Array));
  const kinds = kindEntries(own, meta, entryOf);
  yield { ...entryOf("", (visit) => owned.forEach((_, doc) => visit(doc))), importance: 0 };
  let kind = 0;
  for (let term = 0; term < terms.count; term++) {
    const word = terms.text(term);
    while (kind < kinds.length && kinds[kind]!.word < word) yield kinds[kind++]!;
    const entry = entryOf(word, (visit) => postings.each(term, count, visit));
    const isThere = entry.documents > 0 || entry.importance > 0;
    if (isThere || around.count(term) > 0 || wide.has(term)) yield entry;
  }
  while (kind < kinds.length) yield kinds[kind++]!;
}

function kindEntries(
  columns: Columns,
  { kinds }: GeocoderMeta,
  entryOf: (word: string, each: (visit: (doc: number) => void) => void) => NameEntry,
): NameEntry[] {
  const starts = columnOf(columns, "kinds.starts", Uint32Array);
  const docs = columnOf(columns, "kinds.docs", Uint32Array);
  return kinds
    .map((kind, i) =>
      entryOf(kindWord(kind), (visit) =>
        docs.subarray(starts[i], starts[i + 1]).forEach((doc) => visit(doc)),
      ),
    )
    .filter(({ documents }) => documents > 0)
    .sort((a, b) => (a.word < b.word ? -1 : 1));
}
