/**
 * Documents that a question may mean: those that have its rarest words, the best of them by a sum
 * that `rank` then replaces by a closer look. The work is bounded whatever the question is, and over
 * all bases together by its budget.
 */
import type { Budget } from "#kit/budget.ts";
import { metresOf, type Point7 } from "./metres.ts";
import { MAX_WORDS, type GeocodeWords } from "./geocode-query.ts";
import type { View } from "./geocoder-view.ts";
import type { BestMeaning, WordStatistics } from "./word-statistics.ts";

/** Entries of lists that are read of one base for one question, where the budget has more. */
const MAX_VISITS = 60_000;
/** A document that a list has raised for the first time is valued later, which takes as long as three entries. */
const RAISED_LOOKS = 3;
/** A word that more documents have is read only while nothing rarer was found. */
const COMMON = 8_192;
/** Documents that are looked at closely, of all pages together. */
export const MAX_CANDIDATES = 96;
/** Surety from which a context counts as named. */
const SURE = 0.7;
/** Metres within which nearness weighs most. */
const NEAR_M = 5_000;

/** Memory of one question, kept from one to the next: it is as long as the base has documents. */
export type Scratch = {
  sums: Float32Array;
  masks: Uint32Array;
  /** Word of the question by which a document was last raised. */
  last: Uint8Array;
  context_masks: Uint32Array;
};

export function createScratch({ docs, contexts }: View): Scratch {
  return {
    sums: new Float32Array(docs.count),
    masks: new Uint32Array(docs.count),
    last: new Uint8Array(docs.count),
    context_masks: new Uint32Array(contexts.count),
  };
}

/** What each word of a question means at best in a base; `statistics`: how often words are. */
export function bestMeanings(
  { terms }: View,
  { meanings }: GeocodeWords,
  { frequencyOf }: WordStatistics,
): (BestMeaning | null)[] {
  return meanings.map(([best]) => {
    if (!best) return null;
    const word = terms.text(best.term);
    return { word, surety: best.surety, documents: frequencyOf(word) };
  });
}

/** How often the words of one base are in it. */
export function statisticsOf({ docs, postings, terms }: View): WordStatistics {
  return {
    documents: docs.count,
    frequencyOf(word) {
      const term = terms.find(word);
      return term < 0 ? 0 : postings.count(term);
    },
  };
}

/** Part that nearness adds, 0 to 1. */
export function nearness(near: Point7 | null, lat7: number, lon7: number): number {
  if (near === null) return 0;
  return NEAR_M / (NEAR_M + metresOf(lat7 - near.lat7, lon7 - near.lon7, near.lat7));
}

type Options = {
  near: Point7 | null;
  weights: Float64Array;
  budget: Budget;
  keep(doc: number): boolean;
};

/** Places that the question may name are no more than these. */
const MAX_PLACES = 16;

/** A document that a question may mean, and by how much. */
export type Candidate = { doc: number; value: number };

/** Candidates in no order, and places all of whose words the question may have. */
export function retrieve(
  view: View,
  query: GeocodeWords,
  scratch: Scratch,
  { near, weights, budget, keep }: Options,
): { candidates: Candidate[]; places: number[] } {
  const touched: number[] = [];
  const contexts: number[] = [];
  try {
    raiseDocs(view, query, scratch, { weights, touched, budget });
    markContexts(view, query, scratch, { touched: contexts, budget });
    return {
      candidates: selectBest(touched, MAX_CANDIDATES, valueOf),
      places: selectBest(touched, MAX_PLACES, placeValueOf).map(({ doc }) => doc),
    };
  } finally {
    // Whatever became of this question, the next one finds the memory empty.
    for (const doc of touched) {
      scratch.sums[doc] = 0;
      scratch.masks[doc] = 0;
      scratch.last[doc] = 0;
    }
    for (const context of contexts) scratch.context_masks[context] = 0;
  }

  function placeValueOf(doc: number): number {
    const words = view.docs.words[doc]!;
    const isNamed = doc < view.meta.places && words > 0 && bitsOf(scratch.masks[doc]!) >= words;
    return isNamed ? scratch.sums[doc]! + view.docs.importance[doc]! / 255 : -Infinity;
  }

  function valueOf(doc: number): number {
    if (!keep(doc)) return -Infinity;
    const mask = scratch.masks[doc]!;
    let left = scratch.context_masks[view.docs.context[doc]!]! & ~mask;
    let sum = scratch.sums[doc]!;
    while (left !== 0) {
      const at = 31 - Math.clz32(left & -left);
      sum += weights[at]! * 0.9;
      left &= left - 1;
    }
    const unexplained = Math.max(0, view.docs.words[doc]! - bitsOf(mask));
    return (
      sum -
      0.12 * Math.min(6, unexplained) +
      0.1 * (view.docs.importance[doc]! / 255) +
      0.2 * nearness(near, view.docs.lat7[doc]!, view.docs.lon7[doc]!)
    );
  }
}

type Reading = { term: number; at: number; gain: number; count: number };

/** Adds to each document what its words explain; the rarest words first, while there are visits left. */
function raiseDocs(
  view: View,
  query: GeocodeWords,
  { sums, masks, last }: Scratch,
  { weights, touched, budget }: { weights: Float64Array; touched: number[]; budget: Budget },
): void {
  let visits = MAX_VISITS;
  for (const list of readings(view, query, weights)) {
    for (const { term, at, gain, count } of list) {
      if (visits <= 0) break;
      if (count > COMMON && touched.length > 0) continue;
      const bit = 1 << at;
      const before = touched.length;
      const most = budget.take(Math.min(visits, count));
      view.postings.each(term, most, (doc) => {
        if (last[doc] === at + 1) return;
        if (masks[doc] === 0) touched.push(doc);
        last[doc] = at + 1;
        masks[doc]! |= bit;
        sums[doc]! += gain;
      });
      budget.take(RAISED_LOOKS * (touched.length - before));
      visits -= count;
    }
  }
}

/** Lists to read, those of one word of the question together and the surest of them first. */
function readings(view: View, query: GeocodeWords, weights: Float64Array): Reading[][] {
  const byWord: Reading[][] = Array.from({ length: MAX_WORDS }, () => []);
  for (const [term, hits] of query.hits)
    for (const { unit, surety } of hits) {
      const { at, span, share } = query.units[unit]!;
      let weight = weights[at]! * share;
      if (span === 2) weight += weights[at + 1]!;
      byWord[at]!.push({ term, at, gain: weight * surety, count: view.postings.count(term) });
    }
  for (const list of byWord)
    list.sort((a, b) => b.gain - a.gain || a.count - b.count || a.term - b.term);
  const rarest = (list: readonly Reading[]): number =>
    list.reduce((least, { count }) => (count > 0 && count < least ? count : least), Infinity);
  return byWord
    .filter((list) => list.length > 0)
    .sort((a, b) => rarest(a) - rarest(b) || a[0]!.at - b[0]!.at);
}

function markContexts(
  view: View,
  query: GeocodeWords,
  { context_masks }: Scratch,
  { touched, budget }: { touched: number[]; budget: Budget },
): void {
  let visits = MAX_VISITS;
  for (const [at, intended] of query.meanings.entries())
    for (const { term, surety } of intended) {
      if (surety < SURE || visits <= 0) break;
      const most = budget.take(Math.min(visits, view.context_postings.count(term)));
      view.context_postings.each(term, most, (context) => {
        if (context_masks[context] === 0) touched.push(context);
        context_masks[context]! |= 1 << at;
      });
      visits -= view.context_postings.count(term);
    }
}

/** The documents with the highest values, ties by number: a heap whose top is the least of them. */
function selectBest(
  docs: readonly number[],
  most: number,
  valueOf: (doc: number) => number,
): Candidate[] {
  const values = new Float64Array(most);
  const heap = new Int32Array(most);
  let size = 0;
  const sift = (doc: number, value: number): void => {
    let at = 0;
    for (;;) {
      let child = at * 2 + 1;
      if (child >= size) break;
      if (child + 1 < size && isBehind(child + 1, values[child]!, heap[child]!)) child++;
      if (!isBehind(child, value, doc)) break;
      values[at] = values[child]!;
      heap[at] = heap[child]!;
      at = child;
    }
    values[at] = value;
    heap[at] = doc;
  };
  const isBehind = (at: number, value: number, doc: number): boolean =>
    values[at]! < value || (values[at] === value && heap[at]! > doc);
  for (const doc of docs) {
    const value = valueOf(doc);
    if (value === -Infinity) continue;
    if (size < most) {
      let at = size++;
      for (
        let above = (at - 1) >> 1;
        at > 0 && !isBehind(above, value, doc);
        above = (at - 1) >> 1
      ) {
        values[at] = values[above]!;
        heap[at] = heap[above]!;
        at = above;
      }
      values[at] = value;
      heap[at] = doc;
    } else if (most > 0 && isBehind(0, value, doc)) sift(doc, value);
  }
  return Array.from(heap.subarray(0, size), (doc, i) => ({ doc, value: values[i]! }));
}

function bitsOf(mask: number): number {
  let count = 0;
  for (let left = mask; left !== 0; left &= left - 1) count++;
  return count;
}
