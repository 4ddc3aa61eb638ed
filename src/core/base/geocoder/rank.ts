/**
 * How well a document answers a question: which of its words the best of its names explains, which
 * its whereabouts do, whether it has the house number, and what its name has besides.
 */
import type { Point7 } from "./metres.ts";
import { type Found, findNumber } from "./number-match.ts";
import { type Query } from "./query.ts";
import type { Explanation } from "./present.ts";
import { nearness, termWeight } from "./retrieve.ts";
import type { View } from "./view.ts";

/** What a context explains counts less than what a name does, the larger the place the less. */
const IN_CONTEXT = 0.96;
const IN_WIDE = 0.9;
/** What unexplained words of a name cost, as part of their weight; many do not cost much more than some. */
const UNEXPLAINED = 0.3;
/** A word of the name in the place of one of the question: it is the name of another thing. */
const OTHER_WORD = 1.2;
/** A number on a street that does not have it. */
const NO_SUCH_NUMBER = 0.2;
/** Surety from which a word of the whereabouts is named. */
const NAMED = 0.7;
const OLD_NAME = 0.95;
const BY_IMPORTANCE = 0.12;
const BY_NEARNESS = 0.2;
const OF_INTEREST = 0.03;

export type Ranked = {
  doc: number;
  /** How well the words fit, at most 1. */
  text: number;
  score: number;
  /** Address, when a house number was asked for. */
  number: { key: string; found: Found | null } | null;
  explanation: Explanation;
};

export type RankOptions = {
  near: Point7 | null;
  weights: Float64Array;
  /** Things of interest a little before streets. */
  interest: boolean;
};

/** Coverage of each word of the question by a name, and the weight of what the name has besides. */
type Covered = { cover: Float64Array; besides: number };

/** Ranks documents for one question; what contexts explain is looked at once for each. */
export function createRanking(
  view: View,
  query: Query,
  { near, weights, interest }: RankOptions,
): (doc: number) => Ranked {
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const contexts = new Map<number, Float64Array>();
  const wide = new Map<number, Float64Array>();
  const { docs } = view;
  const bestName = createNames(view, query, weights);

  function coverOf(
    known: Map<number, Float64Array>,
    id: number,
    { starts, terms, weights: sure }: View["wide"],
  ): Float64Array {
    let cover = known.get(id);
    if (cover) return cover;
    cover = new Float64Array(query.words.length);
    for (let at = starts[id]!; at < starts[id + 1]!; at++)
      mention(query, terms[at]!, { cover, weight: sure[at]! / 255 });
    known.set(id, cover);
    return cover;
  }

  /** A thing of interest may be asked for with its street. */
  function coverStreet(doc: number, cover: Float64Array): void {
    const street = docs.street[doc]!;
    if (street < 0) return;
    const name = bestName(street);
    for (let at = 0; at < cover.length; at++)
      cover[at] = Math.max(cover[at]!, name.cover[at]! * IN_CONTEXT);
  }

  /** A number that the whereabouts have too is rather that of a house, where there is that house. */
  function askNumber(doc: number, cover: Float64Array, named: Float64Array): Ranked["number"] {
    let best: Ranked["number"] = null;
    let best_gain = 0;
    let words: readonly number[] = [];
    for (const { key, at, span } of query.numbers) {
      const own = span === 2 ? [at, at + 1] : [at];
      if (own.some((word) => named[word]! > 0)) continue;
      const found = findNumber(view, doc, key);
      const fit = found?.fit ?? NO_SUCH_NUMBER;
      const gain = own.reduce((sum, word) => sum + (fit - cover[word]!) * weights[word]!, 0);
      if (gain <= best_gain) continue;
      [best, best_gain, words] = [{ key, found }, gain, own];
    }
    for (const word of words) cover[word] = best!.found?.fit ?? NO_SUCH_NUMBER;
    return best;
  }

  function explanationOf(
    doc: number,
    cover: Float64Array,
    [named, ...around]: readonly [Float64Array, ...Float64Array[]],
  ): Explanation {
    const says = [...around, ...(doc < view.meta.places ? [named] : [])];
    return {
      explained: total === 0 ? 0 : dot(cover, weights) / total,
      unexplained: query.words.flatMap(({ text }, at) => (cover[at]! > 0 ? [] : [text])),
      in_named_place: query.words.some((_, at) => says.some((part) => part[at]! >= NAMED)),
    };
  }

  return (doc) => {
    const { cover, besides } = bestName(doc);
    const named = cover.slice();
    coverStreet(doc, cover);
    const context = docs.context[doc]!;
    const own = coverOf(contexts, context, view.contexts);
    const far = coverOf(wide, view.contexts.wide[context]!, view.wide);
    for (let at = 0; at < cover.length; at++)
      cover[at] = Math.max(cover[at]!, own[at]! * IN_CONTEXT, far[at]! * IN_WIDE);
    const number = takesNumbers(view, doc)
      ? askNumber(doc, cover, named)
      : ownNumber(view, doc, { query, cover });
    const explained = dot(cover, weights);
    const other = OTHER_WORD * Math.min(besides, total - explained);
    const text = total === 0 ? 0 : (explained - costOf(besides) - other) / total;
    const bonus = interest && doc >= view.meta.places + view.meta.streets ? OF_INTEREST : 0;
    const score =
      text +
      bonus +
      (BY_IMPORTANCE * docs.importance[doc]!) / 255 +
      BY_NEARNESS * nearness(near, docs.lat7[doc]!, docs.lon7[doc]!);
    return { doc, text, score, number, explanation: explanationOf(doc, cover, [named, own, far]) };
  };
}

/** Finds the name of a document that explains most of the question. */
function createNames(view: View, query: Query, weights: Float64Array): (doc: number) => Covered {
  const slot_weights = new Map<number, number>();
  const old = view.meta.name_kinds.indexOf("old");

  function weightOf(term: number): number {
    const known = slot_weights.get(term);
    if (known !== undefined) return known;
    const weight = termWeight(view, term);
    slot_weights.set(term, weight);
    return weight;
  }

  function coverName(text: number): Covered {
    const cover = new Float64Array(query.words.length);
    let besides = 0;
    const { starts, terms } = view.words;
    for (let at = starts[text]!; at < starts[text + 1]!; at++) {
      const term = terms[at]!;
      if (!explain(query, term, cover)) besides += weightOf(term);
    }
    return { cover, besides };
  }

  return (doc) => {
    const { starts, texts } = view.sets;
    const set = view.docs.set[doc]!;
    let best: Covered = { cover: new Float64Array(query.words.length), besides: 0 };
    let best_value = -Infinity;
    for (let at = starts[set]!; at < starts[set + 1]!; at++) {
      const name = coverName(texts[at]!);
      if (view.sets.kinds[at] === old)
        for (let i = 0; i < name.cover.length; i++) name.cover[i]! *= OLD_NAME;
      const value = dot(name.cover, weights) - costOf(name.besides);
      if (value > best_value) [best, best_value] = [name, value];
    }
    return best;
  };
}

function takesNumbers({ meta, numbers }: View, doc: number): boolean {
  const street = doc >= meta.places && doc < meta.places + meta.streets;
  return street || numbers.starts[doc + 1]! > numbers.starts[doc]!;
}

/** A thing of interest has at most the number of its own address. */
function ownNumber(
  view: View,
  doc: number,
  { query, cover }: { query: Query; cover: Float64Array },
): null {
  const label = view.docs.number[doc]!;
  if (label === 0) return null;
  const text = view.text(label).toLowerCase().replaceAll(" ", "");
  for (const { key, at, span } of query.numbers)
    if (key === text && cover[at] === 0) {
      cover[at] = 1;
      if (span === 2) cover[at + 1] = 1;
    }
  return null;
}

/** Gives a word of a name to the word of the question that it explains best; false: to none. */
function explain({ hits, units }: Query, term: number, cover: Float64Array): boolean {
  let best = -1;
  let best_surety = 0;
  for (const { unit, surety } of hits.get(term) ?? []) {
    const { at, span, share } = units[unit]!;
    // A word is explained once, but its parts by a word each.
    const open = share < 1 ? cover[at]! <= 1 - share + 1e-9 : cover[at] === 0;
    if (!open || (span === 2 && cover[at + 1]! > 0) || surety <= best_surety) continue;
    [best, best_surety] = [unit, surety];
  }
  if (best < 0) return false;
  const { at, span, share } = units[best]!;
  cover[at]! += best_surety * share;
  if (span === 2) cover[at + 1] = best_surety;
  return true;
}

/** A context mentions a word or does not: it may do so for several. */
function mention(
  { hits, units }: Query,
  term: number,
  { cover, weight }: { cover: Float64Array; weight: number },
): void {
  for (const { unit, surety } of hits.get(term) ?? []) {
    const { at, span, share } = units[unit]!;
    if (share < 1) continue;
    cover[at] = Math.max(cover[at]!, surety * weight);
    if (span === 2) cover[at + 1] = Math.max(cover[at + 1]!, surety * weight);
  }
}

function costOf(besides: number): number {
  return (UNEXPLAINED * besides) / (1 + 0.5 * besides);
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!;
  return sum;
}
