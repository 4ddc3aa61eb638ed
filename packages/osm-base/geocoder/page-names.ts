/**
 * Words of a page: which of them its documents have, and which only say where these are. The lists of
 * all pages make the names of a base (merge-names.ts).
 */
import type { Columns } from "#kit/pack.ts";
import type { PageCell } from "../pages/page-cell.ts";
import type { GeocoderMeta } from "./geocoder-section.ts";
import { openView, type View } from "./geocoder-view.ts";
import { ownColumns } from "./own-columns.ts";
import { createOwnedDocs } from "./owned-docs.ts";

/** A word of one page. */
export type NameEntry = {
  /** In the comparable form of names; a kind of things as `kindWord` has it; empty: all documents. */
  word: string;
  /** Documents of the page's cell that are called so. */
  documents: number;
  /** Of the most important of those that the page answers with, 1 to 255; 0: none is called so. */
  importance: number;
  /** How surely documents that the page answers with are where the word says, 1 to 255; 0: none says so. */
  around: number;
};

/** Word for a main tag, as `amenity=pharmacy`; no name has a word that begins so. */
export function kindWord(kind: string): string {
  return `=${kind}`;
}

/** Words of a page that was made; `columns` and `meta` as `openGeocoder` takes them. */
export function listTerms(
  columns: Columns,
  meta: GeocoderMeta,
  cell: PageCell,
): Generator<NameEntry, void> {
  return listTermsOf(openView(ownColumns(columns), meta), cell);
}

/**
 * Words of a page in the order of their UTF-16 units, none twice; the first entry is of the empty word
 * and has the number of all documents of the cell.
 */
export function* listTermsOf(view: View, cell: PageCell): Generator<NameEntry, void> {
  const { terms, postings, docs } = view;
  const { counts, answers } = createOwnedDocs(docs, kindsOf(view), cell);
  /** 2: it counts here; 1: the page has a part of it. */
  const owned = Uint8Array.from(docs.importance, (_, doc) =>
    counts(doc) ? 2 : answers(doc) ? 1 : 0,
  );
  const around = aroundOf(view, (doc) => owned[doc] !== 0);
  const entryOf = (word: string, each: EachDoc, term = -1): NameEntry => {
    let [documents, importance] = [0, 0];
    each((doc) => {
      if (owned[doc] === 2) documents++;
      if (owned[doc] !== 0) importance = Math.max(importance, 1, docs.importance[doc]!);
    });
    return { word, documents, importance, around: around[term] ?? 0 };
  };
  const kinds = kindEntries(view, entryOf);
  yield { ...entryOf("", (visit) => owned.forEach((_, doc) => visit(doc))), importance: 0 };
  let kind = 0;
  for (let term = 0; term < terms.count; term++) {
    const word = terms.text(term);
    while (kind < kinds.length && kinds[kind]!.word < word) yield kinds[kind++]!;
    const entry = entryOf(word, (visit) => postings.each(term, docs.count, visit), term);
    if (entry.documents > 0 || entry.importance > 0 || entry.around > 0) yield entry;
  }
  while (kind < kinds.length) yield kinds[kind++]!;
}

/** By word: how surely some documents are where it says. */
function aroundOf(
  { contexts, wide, docs, terms }: View,
  isOwn: (doc: number) => boolean,
): Uint8Array {
  const sure = new Uint8Array(terms.count);
  const take = (of: View["wide"], list: number): void => {
    for (let at = of.starts[list]!; at < of.starts[list + 1]!; at++)
      sure[of.terms[at]!] = Math.max(sure[of.terms[at]!]!, of.weights[at]!);
  };
  const used = new Uint8Array(contexts.count);
  for (let doc = 0; doc < docs.count; doc++) if (isOwn(doc)) used[docs.context[doc]!] = 1;
  const wides = new Set<number>();
  for (const [context, is] of used.entries())
    if (is === 1) {
      take(contexts, context);
      wides.add(contexts.wide[context]!);
    }
  for (const list of wides) take(wide, list);
  return sure;
}

type EachDoc = (visit: (doc: number) => void) => void;

/** Streets, of which several pages have parts, and postcodes, which one page has. */
export function kindsOf({
  meta: { places, streets },
  docs,
  postcode_kind,
}: View): Parameters<typeof createOwnedDocs>[1] {
  return {
    isCut: (doc) => doc >= places && doc < places + streets,
    isMade: (doc) => docs.kind[doc] === postcode_kind,
  };
}

function kindEntries(
  { meta, kinds }: View,
  entryOf: (word: string, each: EachDoc) => NameEntry,
): NameEntry[] {
  return meta.kinds
    .map((kind, i) =>
      entryOf(kindWord(kind), (visit) =>
        kinds.docs.subarray(kinds.starts[i], kinds.starts[i + 1]).forEach((doc) => visit(doc)),
      ),
    )
    .filter(({ documents }) => documents > 0)
    .sort((a, b) => (a.word < b.word ? -1 : 1));
}
