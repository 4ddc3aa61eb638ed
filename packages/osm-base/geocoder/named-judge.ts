/** Whether a candidate of a question is in the places that are named (decisions, Named places bind). */
import { wordsOf } from "./fold-words.ts";
import { ADJACENT, BINDS, IN_IT, NAMED } from "./named-bounds.ts";
import type { HouseMatch } from "./number-match.ts";
import type { GeocodeWords } from "./geocode-query.ts";
import type { View } from "./geocoder-view.ts";

/**
 * What words name; `docs`: the places that are called so, none of a country that has none. `apart`: a
 * part of the question of its own, so that a name of something else which has the words is not meant.
 */
export type JudgedPlace = {
  words: readonly number[];
  docs: number[];
  binds: number;
  apart: boolean;
  postcode: boolean;
  /** It is a settlement, and no region or country. */
  settled: boolean;
  /** Number of the text of a country's code, by its sign before a postcode; -1: none of the base. */
  country?: number;
  /** Of the same places in other pages: what the whereabouts of each say of the question's words. */
  arounds?: readonly (readonly number[])[];
};

const REACHED = 0.4;
/** Surety of what a place merely reaches, at most. */
const NEAR = 0.9;
/** Letters of a town's name from which a street's name may be made of it: `Chur` is the least. */
const MIN_TOWN = 4;

/** What a candidate says of the words of a question. */
export type NamedClaim = {
  doc: number;
  /** Surety of each word by its name, and by its whereabouts. */
  named: Float64Array;
  around(at: number): number;
  /** Words of its number or of its postcode. */
  numbered: readonly number[];
  /** The house of the number that was asked for; null: none was found. */
  house: HouseMatch | null;
};

export type Judged = {
  /** How much of what is named it lies outside of. */
  against: number;
  /** Words of these places. */
  words: readonly number[];
  /** Words of places that reach it, and of postcodes of which it is only known to be in their town. */
  granted: readonly number[];
  /** It is of another municipality than the one that is named. */
  isAtEdge: boolean;
  /** The house has another postcode than the one that is named: whether a row has that; null: it is its own. */
  otherPostcode: ((row: number) => boolean) | null;
};

/** Of a question that names no place. */
const NOTHING: Judged = {
  against: 0,
  words: [],
  granted: [],
  isAtEdge: false,
  otherPostcode: null,
};

export function createJudge(
  view: View,
  query: GeocodeWords,
  list: readonly JudgedPlace[],
): (claim: NamedClaim) => Judged {
  const hasPostcode = createPostcodes(view, query);

  /** Nothing is known of its postcode, and it is in the municipality of the one that is named. */
  function isGranted({ doc, house }: NamedClaim, { postcode, docs }: JudgedPlace): boolean {
    if (!postcode || view.docs.postcode[doc] !== 0) return false;
    if (house !== null && house.row >= 0 && view.numbers.postcode[house.row] !== 0) return false;
    const cityOf = (each: number): number => view.contexts.city[view.docs.context[each]!]!;
    return cityOf(doc) >= 0 && docs.some((each) => cityOf(each) === cityOf(doc));
  }

  function isAtEdge({ doc }: NamedClaim, { docs, settled }: JudgedPlace): boolean {
    const isStreet = doc >= view.meta.places && doc < view.meta.places + view.meta.streets;
    if (!isStreet || !settled || !docs.some((each) => view.drawn.has(each))) return false;
    const context = view.docs.context[doc]!;
    const city = view.contexts.city[context]!;
    if (city >= 0) return !docs.includes(city);
    const name = view.contexts.city_name[context]!;
    return name !== 0 && !docs.some((each) => isCalled(view, each, name));
  }

  /** Words of the base that begin as a town does, but for its last letter. */
  const begun = new Map(
    list.map((place) => {
      const town = query.words[place.words[0]!]!.text;
      const isLong = town.length >= MIN_TOWN && !/\d/.test(town);
      return [place, isLong ? view.terms.range(town.slice(0, -1)) : ([0, 0] as const)];
    }),
  );

  /** Whether a street has its name of the place to which it leads: `Schaanerstrasse`. */
  function isCalledAfter(doc: number, place: JudgedPlace): boolean {
    if (doc < view.meta.places) return false;
    const name = view.sets.texts[view.sets.starts[view.docs.set[doc]!]!]!;
    const at = view.words.starts[name]!;
    const [from, to] = begun.get(place)!;
    const first = view.words.terms[at]!;
    return at < view.words.starts[name + 1]! && first >= from && first < to;
  }

  /** 0: it is in the place; 1: it is not; in between: the place reaches it. */
  function outsideOf(claim: NamedClaim, place: JudgedPlace): number {
    const { doc, named, around, numbered, house } = claim;
    const { words, docs, binds, apart, settled } = place;
    const isPlace = doc < view.meta.places;
    if (docs.includes(doc)) return 0;
    if (place.country !== undefined)
      return view.contexts.country[view.docs.context[doc]!] === place.country ? 0 : 1;
    const byName = words.every((at) => named[at]! >= NAMED);
    const mayBeNamed = isPlace || !apart;
    const least = words.reduce(
      (min, at) =>
        Math.min(
          min,
          numbered.includes(at) ? 1 : Math.max(around(at), mayBeNamed ? named[at]! : 0),
        ),
      1,
    );
    if (least < REACHED) return isGranted(claim, place) ? 0 : 1;
    if (least < IN_IT) return isCalledAfter(doc, place) ? 1 : ADJACENT;
    const isCalledSo = mayBeNamed && byName;
    // Of a place of another page no more is known than what says that it is in it.
    if (binds !== BINDS.whole || isCalledSo || !settled || docs.length === 0) return 0;
    const at = house ?? { lat7: view.docs.lat7[doc]!, lon7: view.docs.lon7[doc]! };
    const isElsewhere =
      (house !== null && isOutside(view, house, docs)) ||
      // What says itself that it is in a place is, wherever its border is drawn.
      (least <= NEAR && (isAbroad(view, doc, docs) || isBeyond(view, at, docs)));
    return isElsewhere ? (isCalledAfter(doc, place) ? 1 : ADJACENT) : 0;
  }

  if (list.length === 0) return () => NOTHING;
  return (claim) => {
    let against = 0;
    const words: number[] = [];
    const granted: number[] = [];
    let otherPostcode: Judged["otherPostcode"] = null;
    let isEdge = false;
    for (const place of list) {
      const outside = outsideOf(claim, place);
      if (outside > 0) words.push(...place.words);
      // Only where its area is known is it certain that it is next to it.
      if (outside === ADJACENT && place.docs.some((doc) => view.drawn.has(doc)))
        granted.push(...place.words);
      against += outside * place.binds;
      if (outside > 0) continue;
      const { doc, house } = claim;
      if (place.postcode && house && !hasPostcode(doc, house.row, place))
        otherPostcode = (row) => hasPostcode(doc, row, place);
      isEdge ||= isAtEdge(claim, place);
      if (isGranted(claim, place)) granted.push(...place.words);
    }
    return { against, words, granted, otherPostcode, isAtEdge: isEdge };
  };
}

/** Of places that are drawn, none holds the house; an address that names one of them is in it. */
function isOutside(view: View, { row, lat7, lon7 }: HouseMatch, of: readonly number[]): boolean {
  const { areas, meta, numbers, drawn } = view;
  if (!of.some((doc) => drawn.has(doc))) return false;
  const stored = areas.at(lat7, lon7).map((area) => meta.areas[area]!);
  if (stored.some(({ doc }) => of.includes(doc)) || !stored.some(({ town }) => town)) return false;
  const city = row < 0 ? 0 : numbers.city[row]!;
  return !of.some((doc) => city !== 0 && isCalled(view, doc, city));
}

/** Whether a document has a name, given by the number of its text. */
function isCalled({ docs, sets }: View, doc: number, text: number): boolean {
  const set = docs.set[doc]!;
  return sets.texts.subarray(sets.starts[set], sets.starts[set + 1]).includes(text);
}

/** Whether all of the places are in other countries than a document, which some reach over a border. */
function isAbroad({ contexts, docs }: View, doc: number, of: readonly number[]): boolean {
  const countryOf = (each: number): number => contexts.country[docs.context[each]!]!;
  const country = countryOf(doc);
  return country !== 0 && of.every((each) => countryOf(each) !== 0 && countryOf(each) !== country);
}

/** Whether a point is in a municipality that is drawn, and all of the places are in none. */
function isBeyond(
  { areas, meta, docs, drawn }: View,
  { lat7, lon7 }: { lat7: number; lon7: number },
  of: readonly number[],
): boolean {
  const isInTown = (lat: number, lon: number): boolean =>
    areas.at(lat, lon).some((area) => meta.areas[area]!.town);
  return (
    of.every((doc) => !drawn.has(doc) && !isInTown(docs.lat7[doc]!, docs.lon7[doc]!)) &&
    isInTown(lat7, lon7)
  );
}

/** Whether a row of the house numbers of a document may have a postcode that is named. */
function createPostcodes(
  view: View,
  query: GeocodeWords,
): (doc: number, row: number, place: JudgedPlace) => boolean {
  const postcodes = new Map<number, string>();
  const postcodeOf = (text: number): string => {
    let known_postcode = postcodes.get(text);
    if (known_postcode === undefined)
      postcodes.set(text, (known_postcode = wordsOf(view.text(text)).join(" ")));
    return known_postcode;
  };

  return (doc, row, { words }) => {
    // A point between two houses is shown with the postcode of its street.
    const postcode = postcodeOf(
      (row < 0 ? 0 : view.numbers.postcode[row]!) || view.docs.postcode[doc]!,
    );
    return postcode === "" || postcode === words.map((at) => query.words[at]!.text).join(" ");
  };
}
