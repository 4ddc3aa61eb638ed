/**
 * How well a document answers a question: which of its words the best of its names explains, which
 * its whereabouts do, whether it has the house number, and what its name has besides.
 */
import type { Point7 } from "./metres.ts";
import { AS_WRITTEN, ADJACENT, namedPlacesOf, WRITTEN } from "./named-places.ts";
import { createNumberSearch, type Numbered } from "./ask-number.ts";
import type { Query } from "./query.ts";
import { spellingsOf } from "./spellings.ts";
import { createExplaining, POSTCODE_DIGITS } from "./unexplained.ts";
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
/** Outside a place that is named it is behind all that are in it, whatever else it has. */
const ELSEWHERE = 1;
/** With a word like one of the question, where another name has that one itself, number or not. */
const MISSPELT = 0.5;
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
  number: Numbered["number"];
  /** How much of the places that are named it lies outside of. */
  against: number;
  /** Words of the question are of its name, or its number is: not only those of its street. */
  isMeant: boolean;
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

/** Coverage of each word of the question by a name, and the weight of what the name has besides. */
type Covered = {
  cover: Float64Array;
  besides: number;
  /** Words of the name by number: those that the question has, and those that it lacks. */
  met: readonly number[];
  missing: readonly number[];
};

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
  const isWhole = createWholeness(view);
  const coverStreet = createStreetCover(view, bestName, isWhole);
  const first_thing = view.meta.places + view.meta.streets;
  const askNumber = createNumberSearch(view, query, weights);
  const explainDoc = createExplaining(view, query, weights);

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

  /** A missing number of five digits or more is a postcode rather than a house. */
  const isLong = (at: number): boolean => query.words[at]!.text.length >= POSTCODE_DIGITS;

  return (doc) => {
    const name = bestName(doc);
    const { cover, besides } = name;
    const named = cover.slice();
    const street = coverStreet(doc, cover);
    const whole = doc >= first_thing && isWhole(name);
    const context = docs.context[doc]!;
    const own = coverOf(contexts, context, view.contexts);
    const far = coverOf(wide, view.contexts.wide[context]!, view.wide);
    const around = (at: number): number => Math.max(own[at]!, far[at]!);
    for (let at = 0; at < cover.length; at++)
      cover[at] = Math.max(cover[at]!, own[at]! * IN_CONTEXT, far[at]! * IN_WIDE);
    const { number, words } = askNumber(doc, cover, { named, whole, onStreet: street !== null });
    const isOwn = (at: number): boolean => named[at]! > 0 && (whole || !street || street[at] === 0);
    const isMeant = words.length > 0 || query.words.some((_, at) => isOwn(at));
    const explain = (): Explanation =>
      explainDoc(doc, cover, {
        ...{ named, around },
        numbered: number && !number.found ? words.filter((at) => !isLong(at)) : words,
        isMerelyLike: besides > 0 && named.every((surety) => surety < AS_WRITTEN),
      });
    const outside = named_places.against((at) =>
      Math.max(named[at]!, around(at), words.includes(at) && number?.found ? 1 : 0),
    );
    const isAdjacent =
      (number?.found && named_places.isElsewhere(number.found, named)) ||
      (isPlace(view, doc) && explain().unexplained.length > 0);
    const against = isAdjacent ? Math.max(outside, ADJACENT) : outside;
    const isAnother = (at: number): boolean =>
      named[at]! > 0 && named[at]! < AS_WRITTEN * query.meanings[at]![0]!.surety;
    const misspelt = written.some((is, at) => is && isAnother(at));
    const explained = dot(cover, weights);
    const other = OTHER_WORD * Math.min(besides, total - explained);
    const text = total === 0 ? 0 : (explained - costOf(besides) - other) / total;
    const bonus = interest && doc >= first_thing ? OF_INTEREST : 0;
    const score =
      text +
      bonus -
      ELSEWHERE * against -
      (misspelt ? MISSPELT : 0) +
      (BY_IMPORTANCE * docs.importance[doc]!) / 255 +
      BY_NEARNESS * nearness(near, docs.lat7[doc]!, docs.lon7[doc]!);
    return { doc, text, score, number, against, isMeant, explain };
  };
}

/**
 * A thing of interest may be asked for with its street: marks what that explains, and returns it. null:
 * there is none, or another one is asked for.
 */
function createStreetCover(
  { docs }: View,
  bestName: (doc: number) => Covered,
  isWhole: (name: Covered) => boolean,
): (doc: number, cover: Float64Array) => Float64Array | null {
  return (doc, cover) => {
    const street = docs.street[doc]!;
    if (street < 0) return null;
    const name = bestName(street);
    if (!isWhole(name)) return null;
    for (let at = 0; at < cover.length; at++)
      cover[at] = Math.max(cover[at]!, name.cover[at]! * IN_CONTEXT);
    return name.cover;
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
    const [met, missing]: [number[], number[]] = [[], []];
    let besides = 0;
    const { starts, terms } = view.words;
    for (let at = starts[text]!; at < starts[text + 1]!; at++) {
      const term = terms[at]!;
      const isMet = explainWord(query, term, cover);
      (isMet ? met : missing).push(term);
      if (!isMet) besides += weightOf(term);
    }
    return { cover, besides, met, missing };
  }

  return (doc) => {
    const { starts, texts } = view.sets;
    const set = view.docs.set[doc]!;
    const none = new Float64Array(query.words.length);
    let best: Covered = { cover: none, besides: 0, met: [], missing: [] };
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

/** Reports whether all of a name that distinguishes it is in the question: `avenue` and `de` are often left out. */
function createWholeness({ terms }: View): (name: Covered) => boolean {
  const known = new Map<number, boolean>();
  const isDistinctive = (term: number): boolean => {
    let is = known.get(term);
    if (is === undefined) known.set(term, (is = isDistinctiveWord(terms.text(term))));
    return is;
  };
  return ({ met, missing }) =>
    met.length > 0 &&
    (missing.length === 0 || (!missing.some(isDistinctive) && met.some(isDistinctive)));
}

/** Letters of the longest words that join others, such as `von`. */
const JOINING_LETTERS = 3;

/** A word that is often abbreviated is often left out. */
function isDistinctiveWord(text: string): boolean {
  return /\d/.test(text) || (text.length > JOINING_LETTERS && spellingsOf(text).length === 0);
}

/** A place of which more is asked for is an answer only where nothing of it, or next to it, is. */
function isPlace({ meta, docs, postcode_kind }: View, doc: number): boolean {
  return doc < meta.places || docs.kind[doc] === postcode_kind;
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
