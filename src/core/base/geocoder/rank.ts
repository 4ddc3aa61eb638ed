/**
 * How well a document answers a question: which of its words the best of its names explains, which
 * its whereabouts do, whether it has the house number, and what its name has besides.
 */
import type { Point7 } from "./metres.ts";
import { BESIDE, NAMED, namedPlacesOf, WRITTEN } from "./named-places.ts";
import { findNamedHouse, type Found, findNumber, hasNamedHouses } from "./number-match.ts";
import { keyOfWords } from "./house-numbers.ts";
import type { Query } from "./query.ts";
import { unexplainedOf } from "./unexplained.ts";
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
/** Outside a place that is named it is behind all that are in it, whatever else it has. */
const ELSEWHERE = 1;
/** With a word like one of the question, where another name has that one itself, number or not. */
const MISSPELT = 0.5;
const AS_WRITTEN = 0.949;
/** Words that the name of a house has at most. */
const MAX_HOUSE_WORDS = 6;
/** Below this a word is not explained. */
const EXPLAINED = 0.5;
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
  /** How much of the places that are named it lies outside of. */
  against: number;
  /** How much of the question it explains, which only what is shown is looked at for. */
  explain(): Explanation;
};

export type RankOptions = {
  near: Point7 | null;
  weights: Float64Array;
  /** Things of interest a little before streets. */
  interest: boolean;
  /** The last word is the beginning of one. */
  open: boolean;
  /** Places that the question may name. */
  places: readonly number[];
};

/** The address that is asked for, and the words that it is made of. */
type Numbered = { number: Ranked["number"]; words: readonly number[] };

/** Coverage of each word of the question by a name, and the weight of what the name has besides. */
type Covered = { cover: Float64Array; besides: number };

/** Ranks documents for one question; what contexts explain is looked at once for each. */
export function createRanking(
  view: View,
  query: Query,
  { near, weights, interest, open, places }: RankOptions,
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
  function askNumber(doc: number, cover: Float64Array, named: Float64Array): Numbered {
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
    if (!best?.found && hasNamedHouses(view, doc)) {
      const house = namedHouse(doc, cover, named);
      if (house) return house;
    }
    return { number: best, words };
  }

  /** The longest run of words, not all of which the street has, that is a text without a digit there. */
  function namedHouse(doc: number, cover: Float64Array, named: Float64Array): Numbered | null {
    for (let span = Math.min(MAX_HOUSE_WORDS, query.words.length); span > 0; span--)
      for (let from = 0; from + span <= query.words.length; from++) {
        const words = Array.from({ length: span }, (_, i) => from + i);
        if (words.every((at) => named[at]! >= AS_WRITTEN)) continue;
        const key = keyOfWords(words.map((at) => query.words[at]!));
        const row = findNamedHouse(view, doc, key);
        if (row < 0) continue;
        giveBack(words, named, cover);
        for (const at of words) cover[at] = 1;
        const { lat7, lon7 } = view.numbers;
        const point = { lat7: lat7[row]!, lon7: lon7[row]! };
        return { number: { key, found: { row, ...point, fit: 1, is: "itself" } }, words };
      }
    return null;
  }

  /** A word that the house and its street share explains both of its places in the question. */
  function giveBack(words: readonly number[], named: Float64Array, cover: Float64Array): void {
    for (const at of words)
      for (const [other, { text }] of query.words.entries())
        if (text === query.words[at]!.text && !words.includes(other))
          cover[other] = Math.max(cover[other]!, named[at]!);
  }

  const named_places = namedPlacesOf(view, query, {
    places,
    nameOf: bestName,
    wideOf: (id) => coverOf(wide, id, view.wide),
  });
  /** Words that are of names themselves, and not merely like ones. */
  const written = query.meanings.map(
    ([best], at) =>
      best !== undefined &&
      best.surety >= WRITTEN &&
      view.postings.count(best.term) > 0 &&
      !(open && at === query.words.length - 1),
  );

  function explanationOf(
    doc: number,
    cover: Float64Array,
    { named, around, numbered, isMerelyLike }: Said,
  ): Explanation {
    const says = (at: number): number =>
      Math.max(around(at), doc < view.meta.places ? named[at]! : 0);
    const isLike = (at: number): boolean =>
      isMerelyLike && named[at]! > 0 && around(at) < EXPLAINED;
    const isExplained = (at: number): boolean =>
      numbered.includes(at) || (cover[at]! >= EXPLAINED && !isLike(at));
    return {
      explained: total === 0 ? 0 : dot(cover, weights) / total,
      unexplained: unexplainedOf(query.words, isExplained),
      in_named_place: query.words.some((_, at) => says(at) >= NAMED),
    };
  }

  return (doc) => {
    const { cover, besides } = bestName(doc);
    const named = cover.slice();
    coverStreet(doc, cover);
    const context = docs.context[doc]!;
    const own = coverOf(contexts, context, view.contexts);
    const far = coverOf(wide, view.contexts.wide[context]!, view.wide);
    const around = (at: number): number => Math.max(own[at]!, far[at]!);
    for (let at = 0; at < cover.length; at++)
      cover[at] = Math.max(cover[at]!, own[at]! * IN_CONTEXT, far[at]! * IN_WIDE);
    const { number, words } = takesNumbers(view, doc)
      ? askNumber(doc, cover, named)
      : ownNumber(view, doc, { query, cover });
    const explain = (): Explanation =>
      explanationOf(doc, cover, {
        ...{ named, around, numbered: words },
        isMerelyLike: besides > 0 && named.every((surety) => surety < AS_WRITTEN),
      });
    const outside = named_places.against((at) =>
      Math.max(named[at]!, around(at), words.includes(at) && number?.found ? 1 : 0),
    );
    const isBeside =
      (number?.found && named_places.isElsewhere(number.found, named)) ||
      (isPlace(view, doc) && explain().unexplained.length > 0);
    const against = isBeside ? Math.max(outside, BESIDE) : outside;
    const isAnother = (at: number): boolean =>
      named[at]! > 0 && named[at]! < AS_WRITTEN * query.meanings[at]![0]!.surety;
    const misspelt = written.some((is, at) => is && isAnother(at));
    const explained = dot(cover, weights);
    const other = OTHER_WORD * Math.min(besides, total - explained);
    const text = total === 0 ? 0 : (explained - costOf(besides) - other) / total;
    const bonus = interest && doc >= view.meta.places + view.meta.streets ? OF_INTEREST : 0;
    const score =
      text +
      bonus -
      ELSEWHERE * against -
      (misspelt ? MISSPELT : 0) +
      (BY_IMPORTANCE * docs.importance[doc]!) / 255 +
      BY_NEARNESS * nearness(near, docs.lat7[doc]!, docs.lon7[doc]!);
    return { doc, text, score, number, against, explain };
  };
}

/** What a candidate's name and its whereabouts say, and the words that are its number. */
type Said = {
  named: Float64Array;
  around(at: number): number;
  numbered: readonly number[];
  /** Of the name no word is written, only some like its words, and it has others. */
  isMerelyLike: boolean;
};

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
      if (!explainWord(query, term, cover)) besides += weightOf(term);
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

/** A place of which more is asked for is an answer only where nothing of it, or beside it, is. */
function isPlace({ meta, docs, postcode_kind }: View, doc: number): boolean {
  return doc < meta.places || docs.kind[doc] === postcode_kind;
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
): Numbered {
  const words: number[] = [];
  const label = view.docs.number[doc]!;
  if (label === 0) return { number: null, words };
  const text = view.text(label).toLowerCase().replaceAll(" ", "");
  for (const { key, at, span } of query.numbers)
    if (key === text && cover[at] === 0) {
      cover[at] = 1;
      if (span === 2) cover[at + 1] = 1;
      words.push(...(span === 2 ? [at, at + 1] : [at]));
    }
  return { number: null, words };
}

/** Gives a word of a name to the word of the question that it explains best; false: to none. */
function explainWord({ hits, units }: Query, term: number, cover: Float64Array): boolean {
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
