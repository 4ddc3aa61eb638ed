/**
 * How well a document answers a question: which of its words the best of its names explains, which
 * its whereabouts do, whether it has the house number, and what its name has besides.
 */
import { MENTION } from "./contexts.ts";
import type { Point7 } from "./metres.ts";
import {
  type Covered,
  costOf,
  createAround,
  createNames,
  createWholeness,
  dot,
} from "./name-cover.ts";
import { WRITTEN } from "./named-bounds.ts";
import type { NamedClaim, Judged } from "./named-judge.ts";
import {
  AS_WRITTEN,
  bindNamed,
  type NamedElsewhere,
  type NamedPlaces,
  readNamed,
  toElsewhere,
} from "./named-places.ts";
import { type HouseMatch, findNumber } from "./number-match.ts";
import { createNumberSearch, type Numbered } from "./ask-number.ts";
import type { GeocodeWords } from "./geocode-query.ts";
import { createExplaining, POSTCODE_DIGITS } from "./unexplained.ts";
import { isStreetKind, isStreetWord } from "./segments.ts";
import type { Explanation } from "./present-answers.ts";
import { nearness } from "./retrieve.ts";
import type { View } from "./geocoder-view.ts";
import type { BestMeaning } from "./word-statistics.ts";

/** What a context explains counts less than what a name does, the larger the place the less. */
const IN_CONTEXT = 0.96;
const IN_WIDE = 0.9;
/** Surety of a word that names a part of where a thing is, such as the city of some of its addresses. */
const PART = MENTION.part / 255;
/** A word of the name in the place of one of the question: it is the name of another thing. */
const OTHER_WORD = 1.2;
/**
 * Outside a place that is named it is behind all that are in it and behind that place itself, whatever
 * else it has; the place itself is behind what is in it, or in a next town that it reaches.
 */
const ELSEWHERE = { itself: 1, namesake: 1.5, whole: 2, part: 1 } as const;
/** With a word like one of the question, where another name has that one itself, number or not. */
const MISSPELT = 0.5;
/** What a postcode explains that nothing of a thing in its town denies, and a town that reaches it. */
const GRANTED = 0.85;
/** A street of the next town that reaches into the one that is named, behind those of it. */
const AT_EDGE = 0.05;
/** Below this a word is not said. */
const REPORTED = 0.5;
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
  /** A place that is named, of which more is asked for. */
  isItself: boolean;
  /** Nothing of it is asked for but where it is. */
  isNamesake: boolean;
  /** Words of the question are of its name, or its number is: not only those of its street. */
  isMeant: boolean;
  /** How much of the question it explains, which only what is shown is looked at for. */
  explain(): Explanation;
};

export type RankOptions = {
  near: Point7 | null;
  weights: Float64Array;
  /** Of a word of a name, by its number. */
  weightOf(term: number): number;
  /** What each word means at best, in all that is searched together. */
  best: readonly (BestMeaning | null)[];
  /** Things of interest a little before streets. */
  interest: boolean;
  /** The last word is the beginning of one. */
  open: boolean;
  /** Places that the question may name. */
  places: readonly number[];
};

export type Ranking = {
  /** Places that the question names, as far as is known here, for other pages. */
  named(): NamedElsewhere[];
  /** Goes on with what is known elsewhere of the places that the question names. */
  bind(others: readonly NamedElsewhere[]): {
    rank(doc: number): Ranked;
    /** Places that the question names. */
    named: readonly number[];
  };
};

/** Ranks documents for one question; what contexts explain is looked at once for each. */
export function createRanking(
  view: View,
  query: GeocodeWords,
  options: RankOptions,
): Ranking {
  const { places } = options;
  const contexts = createAround(view, query);
  const bestName = createNames(view, query, options);
  const aroundOf = (doc: number, at: number): number =>
    contexts.of(view.docs.context[doc]!).of(at);
  const named = readNamed(view, query, { places, nameOf: bestName, wideOf: contexts.wideOf });
  return {
    named: () => toElsewhere(view, named, { words: query.words.length, aroundOf }),
    bind(others) {
      const named_places = bindNamed(view, query, { own: named, others, aroundOf });
      const parts = { contexts, bestName, named_places };
      return { rank: createRank(view, query, { ...options, ...parts }), named: named_places.docs };
    },
  };
}

type RankParts = RankOptions & {
  contexts: ReturnType<typeof createAround>;
  bestName(doc: number): Covered;
  named_places: NamedPlaces;
};

function createRank(
  view: View,
  query: GeocodeWords,
  { near, weights, best, interest, open, contexts, bestName, named_places }: RankParts,
): (doc: number) => Ranked {
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const { docs } = view;
  const isWhole = createWholeness(view);
  const coverStreet = createStreetCover(view, bestName, isWhole);
  const first_thing = view.meta.places + view.meta.streets;
  const askNumber = createNumberSearch(view, query, weights);
  const explainDoc = createExplaining(view, query, weights);

  const isNamesakeOf = createNamesakes(query, { weights, named: named_places.words });
  /** Words that are of names themselves, and not merely like ones. */
  const written = best.map(
    (meaning, at) =>
      meaning !== null &&
      meaning.surety >= WRITTEN &&
      meaning.documents > 0 &&
      !(open && at === query.words.length - 1),
  );

  /** A missing number of five digits or more is a postcode rather than a house. */
  const isLong = (at: number): boolean => query.words[at]!.text.length >= POSTCODE_DIGITS;

  /** Words within the name of a street, which where it is does not say: `Avenue de Monaco`. */
  const of_street = query.words.map((_, at) => query.of_street(at, 1));

  const judge = createHouseJudge(view, named_places);

  return (doc) => {
    const isPlace = isPlaceOf(view, doc);
    const name = bestName(doc);
    const { cover, besides } = name;
    const named = cover.slice();
    const street = coverStreet(doc, cover);
    const whole = doc >= first_thing && isWhole(name);
    const { own, far, of: around } = contexts.of(docs.context[doc]!);
    for (let at = 0; at < cover.length; at++)
      if (isPlace || !of_street[at])
        cover[at] = Math.max(cover[at]!, own[at]! * IN_CONTEXT, far[at]! * IN_WIDE);
    const request = askNumber(doc, cover, { named, whole, onStreet: street !== null });
    const { house, judged } = judge(doc, request, { named, around });
    for (const at of judged.granted) cover[at] = Math.max(cover[at]!, GRANTED);
    const number = request.number && { key: request.number.key, found: house };
    const { words } = request;
    const { against } = judged;
    const isOwn = (at: number): boolean => named[at]! > 0 && (whole || !street || street[at] === 0);
    const isMeant = words.length > 0 || query.words.some((_, at) => isOwn(at));
    const explain = (): Explanation =>
      explainDoc(doc, cover, {
        ...{ named, around, outside: judged.words },
        numbered: number && !number.found ? words.filter((at) => !isLong(at)) : words,
        isMerelyLike: besides > 0 && named.every((surety) => surety < AS_WRITTEN),
      });
    const isOfPart = (at: number): boolean => named[at] === 0 && own[at] === PART && far[at] === 0;
    const isItself =
      isPlace &&
      (explain().unexplained.length > 0 ||
        (isPostcode(view, doc) && cover.some((_, at) => isOfPart(at))));
    const isNamesake = !isPlace && isNamesakeOf(name);
    const isAnother = (at: number): boolean =>
      named[at]! > 0 && named[at]! < AS_WRITTEN * best[at]!.surety;
    const misspelt = written.some((is, at) => is && isAnother(at));
    const explained = dot(cover, weights);
    const other = OTHER_WORD * Math.min(besides, total - explained);
    const text = total === 0 ? 0 : (explained - costOf(besides) - other) / total;
    const behind = isItself ? ELSEWHERE.itself : isNamesake ? ELSEWHERE.namesake : 0;
    const elsewhere = against >= 1 ? ELSEWHERE.whole + against : behind + ELSEWHERE.part * against;
    const bonus = interest && doc >= first_thing ? OF_INTEREST : 0;
    const score =
      text +
      bonus -
      elsewhere -
      (judged.isAtEdge ? AT_EDGE : 0) -
      (misspelt ? MISSPELT : 0) +
      (BY_IMPORTANCE * docs.importance[doc]!) / 255 +
      BY_NEARNESS * nearness(near, docs.lat7[doc]!, docs.lon7[doc]!);
    return { doc, text, score, number, against, isItself, isNamesake, isMeant, explain };
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

/** A place of which more is asked for is an answer only where nothing of it, or next to it, is. */
function isPlaceOf(view: View, doc: number): boolean {
  return doc < view.meta.places || isPostcode(view, doc);
}

function isPostcode({ docs, postcode_kind }: View, doc: number): boolean {
  return docs.kind[doc] === postcode_kind;
}

/** Whether nothing of a thing but its name, or its kind, is in the question besides the places that are named. */
function createNamesakes(
  query: GeocodeWords,
  { weights, named }: { weights: Float64Array; named: ReadonlySet<number> },
): (covered: Covered) => boolean {
  /** Words of what is asked for in the places that are named. */
  const called = new Set([...named].map((at) => query.words[at]!.text));
  const others = [...query.words.keys()].filter((at) => {
    const word = query.words[at]!;
    return (
      !called.has(word.text) && weights[at]! > 0 && !/^\d/.test(word.text) && !isStreetWord(word)
    );
  });
  /** `avenue`: what is asked for is of that kind. */
  const kinds = [...query.words.keys()].filter((at) => isStreetKind(query.words[at]!));
  const isNumbered = query.words.some(({ text }) => /^\d/.test(text));
  return ({ cover, besides }) => {
    if (named.size === 0) return false;
    if (others.length > 0) return others.every((at) => cover[at]! < REPORTED);
    return isNumbered && (besides > 0 || kinds.some((at) => cover[at]! < REPORTED));
  };
}

/** The house with the postcode that is named, where there are several; otherwise the street is left. */
function createHouseJudge(view: View, places: Pick<NamedPlaces, "judge">) {
  return (
    doc: number,
    { number, words }: Numbered,
    claim: Pick<NamedClaim, "named" | "around">,
  ): { house: HouseMatch | null; judged: Judged } => {
    const judgeWith = (house: HouseMatch | null): Judged =>
      places.judge({ doc, house, ...claim, numbered: house ? words : [] });
    const house = number?.found ?? null;
    const judged = judgeWith(house);
    const postcode = judged.otherPostcode;
    if (postcode === null || number === null) return { house, judged };
    const other = findNumber(view, doc, number.key, (row) => postcode(row));
    return { house: other, judged: judgeWith(other) };
  };
}
