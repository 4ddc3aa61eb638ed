/**
 * Names of a base: all words of its pages, and for each word which pages have it, in how many
 * documents, and how important the most important of them is. Columns of the head, all of them `names.*`:
 *
 *   terms.*: the words, found exactly, by their beginning or with typing errors (term-index.ts)
 *   documents: documents of all pages that have a word
 *   starts, bytes: by word, for each of its pages in ascending order: difference to the page before,
 *     documents, importance, and how surely documents are where the word says
 *   totals: documents by page
 */
import type { Columns } from "#kit/pack.ts";
import { Growing } from "#kit/growing.ts";
import { putNumber } from "./byte-numbers.ts";
import { MergeHeap } from "./merge-heap.ts";
import type { NameEntry } from "./page-names.ts";
import { packLike } from "./like-words.ts";

/** Words of one page, as `listTerms` has them. */
export type PageNames = { page: number; entries: Iterable<NameEntry> };

export const NAMES = "names.";
/** Entries between two turns of the caller. */
const STEP = 256;

/**
 * Merges the lists of all pages, whatever their order; one entry of each is in memory. What is
 * returned is kept, 35 to 60 bytes a word and 4 a page of it.
 */
export function* mergeNames(lists: Iterable<PageNames>): Generator<void, Columns> {
  const sources = [...lists].sort((a, b) => a.page - b.page).map(startOf);
  const totals = new Uint32Array((sources.at(-1)?.page ?? -1) + 1);
  const heap = new MergeHeap<Head>(isBefore);
  for (const source of sources) {
    const first = source.next();
    if (first?.word === "") totals[source.page] = first.documents;
    const entry = first?.word === "" ? source.next() : first;
    if (entry) heap.push({ source, entry });
  }
  const [starts, units] = [new Growing(Uint32Array), new Growing(Uint16Array)];
  const [documents, places] = [new Growing(Uint32Array), new Growing(Uint32Array)];
  const bytes = new Growing(Uint8Array);
  const push = (byte: number): void => bytes.push(byte);
  let entries = 0;
  for (let top = heap.top; top !== undefined; top = heap.top) {
    const { word } = top.entry;
    starts.push(units.length);
    places.push(bytes.length);
    for (let at = 0; at < word.length; at++) units.push(word.charCodeAt(at));
    let [last, sum] = [-1, 0];
    const before = entries;
    for (; top?.entry.word === word; top = heap.top) {
      putNumber(top.source.page - last - 1, push);
      putNumber(top.entry.documents, push);
      bytes.push(top.entry.importance);
      bytes.push(top.entry.around);
      entries++;
      last = top.source.page;
      sum += top.entry.documents;
      const next = top.source.next();
      if (next) heap.replace({ source: top.source, entry: next });
      else heap.pop();
    }
    documents.push(sum);
    if (Math.floor(entries / STEP) > Math.floor(before / STEP)) yield;
  }
  starts.push(units.length);
  places.push(bytes.length);
  const like = yield* packLike({ starts: starts.view(), units: units.view() });
  const columns: Columns = {
    "terms.starts": starts.view(),
    "terms.units": units.view(),
    ...like,
    documents: documents.view(),
    starts: places.view(),
    bytes: bytes.view(),
    totals,
  };
  return Object.fromEntries(Object.entries(columns).map(([name, own]) => [NAMES + name, own]));
}

type Source = { page: number; next(): NameEntry | null };

function startOf({ page, entries }: PageNames): Source {
  const iterator = entries[Symbol.iterator]();
  return {
    page,
    next() {
      const { done, value } = iterator.next();
      return done === true ? null : value;
    },
  };
}

type Head = { source: Source; entry: NameEntry };

/** By words, of equal ones by page. */
function isBefore(a: Head, b: Head): boolean {
  if (a.entry.word !== b.entry.word) return a.entry.word < b.entry.word;
  return a.source.page < b.source.page;
}
