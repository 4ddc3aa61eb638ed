/**
 * Places, postcodes, regions and countries that a question names. What lies elsewhere contradicts
 * them, whatever number or street it has (decisions, Third edition).
 */
import type { Found } from "./number-match.ts";
import type { Query } from "./query.ts";
import { isTown, isWide } from "./settlements.ts";
import type { View } from "./view.ts";

/** What words name; `docs`: the places that are called so, none of a postcode or a country. */
type NamedPlace = { words: readonly number[]; docs: number[]; binds: number };

/** Surety from which a word is the one that is written. */
export const WRITTEN = 0.97;
/** Surety below which a word of a name is merely like the one of the question. */
export const AS_WRITTEN = 0.949;
/** Surety from which a word of the whereabouts counts as named. */
export const NAMED = 0.7;
/** Part of being elsewhere that it is to be in the next municipality, which the place reaches. */
export const ADJACENT = 0.5;
const REACHED = 0.4;
/** Surety of what lies in a place or is reached by it; of a name that is like it there is less. */
const IN_IT = 0.85;
/** A named town binds more than a part of one, of which towns have others of the same name. */
const BINDS = { whole: 1, part: 0.25 } as const;
const PARTS: ReadonlySet<string> = new Set(["borough", "suburb", "quarter", "neighbourhood"]);
/** Postcodes have digits, and more of them than most house numbers; or letters, too. */
const POSTCODE = /^(?:\d{4,}|(?=.*\d)(?=.*[a-z])[a-z0-9]{3,})$/;
/** Bases of one or a few countries: of others regions are known as places. */
const MAX_WIDE = 64;

type Name = { cover: Float64Array; besides: number };

export type NamedPlaces = {
  list: readonly NamedPlace[];
  /** How much of what is named a candidate lies outside of; `says`: surety of each word there. */
  against(says: (word: number) => number): number;
  /**
   * Whether a house lies in another municipality than the one that is named; `named`: coverage by the
   * name of its street, which may be called like a town.
   */
  isElsewhere(house: Found, named: Float64Array): boolean;
};

export function namedPlacesOf(
  view: View,
  query: Query,
  {
    places,
    nameOf,
    wideOf,
  }: {
    places: readonly number[];
    nameOf(doc: number): Name;
    wideOf(id: number): Float64Array;
  },
): NamedPlaces {
  const all = [
    ...placesOf(view, places, nameOf),
    ...postcodesOf(view, query),
    ...countriesOf(view, query, wideOf),
  ];
  const list = joinSame(all).filter(
    ({ words }, _, others) =>
      !others.some((other) => other.words.length > words.length && isPart(words, other.words)),
  );
  return {
    list,
    against: (says) =>
      list.reduce((sum, { words, binds }) => {
        const least = words.reduce((min, at) => Math.min(min, says(at)), 1);
        return sum + (least >= IN_IT ? 0 : least >= REACHED ? binds * ADJACENT : binds);
      }, 0),
    isElsewhere: (house, named) =>
      list.some(
        ({ words, docs, binds }) =>
          binds === BINDS.whole &&
          docs.length > 0 &&
          !words.every((at) => named[at]! >= NAMED) &&
          isOutside(view, house, docs),
      ),
  };
}

function placesOf(
  view: View,
  places: readonly number[],
  nameOf: (doc: number) => Name,
): NamedPlace[] {
  return places.flatMap((doc): NamedPlace[] => {
    const place = view.text(view.docs.kind[doc]!).slice("place=".length);
    const binds =
      isTown(place) || isWide(place) ? BINDS.whole : PARTS.has(place) ? BINDS.part : null;
    if (binds === null) return [];
    const { cover, besides } = nameOf(doc);
    const words = [...cover.keys()].filter((at) => cover[at]! > 0);
    const isWritten = besides === 0 && words.every((at) => cover[at]! >= WRITTEN);
    return isWritten && words.length > 0 ? [{ words, docs: [doc], binds }] : [];
  });
}

function postcodesOf({ context_postings }: View, { words, meanings }: Query): NamedPlace[] {
  return words.flatMap(({ text, ordinal }, at): NamedPlace[] => {
    if (ordinal || !POSTCODE.test(text)) return [];
    const [best] = meanings[at]!;
    const isKnown =
      best !== undefined && best.surety >= WRITTEN && context_postings.count(best.term) > 0;
    return isKnown ? [{ words: [at], docs: [], binds: BINDS.whole }] : [];
  });
}

/** Countries and regions that things of the base say they are in; codes of two letters may be words. */
function countriesOf(
  { wide }: View,
  { words }: Query,
  wideOf: (id: number) => Float64Array,
): NamedPlace[] {
  const count = wide.starts.length - 1;
  if (count > MAX_WIDE) return [];
  return words.flatMap(({ text }, at): NamedPlace[] => {
    if (text.length < 3 || /\d/.test(text)) return [];
    for (let id = 0; id < count; id++)
      if (wideOf(id)[at]! >= WRITTEN) return [{ words: [at], docs: [], binds: BINDS.whole }];
    return [];
  });
}

function joinSame(all: readonly NamedPlace[]): NamedPlace[] {
  const joined = new Map<string, NamedPlace>();
  for (const { words, docs, binds } of all) {
    const known = joined.get(words.join());
    if (!known) joined.set(words.join(), { words, docs: [...docs], binds });
    else {
      known.docs.push(...docs);
      known.binds = Math.max(known.binds, binds);
    }
  }
  return [...joined.values()];
}

function isPart(words: readonly number[], of: readonly number[]): boolean {
  return words.every((word) => of.includes(word));
}

/** Of places that are drawn, none holds the house; an address that names one of them is in it. */
function isOutside(
  { areas, meta, numbers, docs, sets, drawn }: View,
  { row, lat7, lon7 }: Found,
  of: readonly number[],
): boolean {
  if (!of.some((doc) => drawn.has(doc))) return false;
  const held = areas.at(lat7, lon7).map((area) => meta.areas[area]!);
  if (held.some(({ doc }) => of.includes(doc)) || !held.some(({ town }) => town)) return false;
  const city = row < 0 ? 0 : numbers.city[row]!;
  return !of.some((doc) => {
    const set = docs.set[doc]!;
    return city !== 0 && sets.texts.subarray(sets.starts[set], sets.starts[set + 1]).includes(city);
  });
}
