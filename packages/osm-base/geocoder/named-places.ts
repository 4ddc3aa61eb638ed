/**
 * Places, postcodes, regions and countries that a question names. What lies elsewhere contradicts
 * them, whatever number or street it has (decisions, Third edition).
 */
import { BINDS, IN_IT, WRITTEN } from "./named-bounds.ts";
import { type NamedClaim, createJudge, type Judged, type JudgedPlace } from "./named-judge.ts";
import type { GeocodeWords } from "./geocode-query.ts";
import { placeRuns, postcodeRuns } from "./named-runs.ts";
import { countryOfPrefix } from "./segments.ts";
import { isTown, isWide } from "./settlements.ts";
import type { View } from "./geocoder-view.ts";

/** Surety below which a word of a name is merely like the one of the question. */
export const AS_WRITTEN = 0.949;
const PARTS: ReadonlySet<string> = new Set(["borough", "suburb", "quarter", "neighbourhood"]);
/** Bases of one or a few countries: of others regions are known as places. */
const MAX_WIDE = 64;

/** Of a country or region no document is known. */
const WIDE = { docs: [] as number[], binds: BINDS.whole, postcode: false, settled: false };

type Name = { cover: Float64Array; besides: number };

export type NamedPlaces = {
  /** The places themselves. */
  docs: readonly number[];
  /** Words that name them. */
  words: ReadonlySet<number>;
  judge(claim: NamedClaim): Judged;
};

/** What a page knows of the places that a question names. */
export type NamedHere = JudgedPlace;

/** The same of another page: its documents are not of this one. */
export type NamedElsewhere = Omit<JudgedPlace, "docs" | "country" | "arounds"> & {
  /** Code of a country; null: its letters are of none. Absent: it is no country by its letters. */
  country_code?: string | null;
  /** What the whereabouts of each of its documents say of the words of the question. */
  arounds: readonly (readonly number[])[];
};

/** Places, postcodes, regions and countries that a question names, as far as the page knows. */
export function readNamed(
  view: View,
  query: GeocodeWords,
  {
    places,
    nameOf,
    wideOf,
  }: {
    places: readonly number[];
    nameOf(doc: number): Name;
    wideOf(id: number): Float64Array;
  },
): NamedHere[] {
  const settled = placesOf(view, query, { places, nameOf });
  const called = new Set(settled.flatMap(({ words }) => words));
  return [
    ...settled,
    ...postcodeRuns(view, query, called).map((run): JudgedPlace => ({
      ...run,
      binds: BINDS.whole,
      postcode: true,
      settled: false,
    })),
    ...countriesOf(view, query, wideOf),
    ...prefixesOf(view, query),
  ];
}

/** What the whereabouts of a document say of a word. */
type AroundOf = (doc: number, at: number) => number;

/** What a page knows, for the others. */
export function toElsewhere(
  view: View,
  named: readonly NamedHere[],
  { words, aroundOf }: { words: number; aroundOf: AroundOf },
): NamedElsewhere[] {
  return named.map(({ docs, country, ...place }) => ({
    ...place,
    ...(country === undefined ? {} : { country_code: country < 0 ? null : view.text(country) }),
    arounds: docs.map((doc) => Array.from({ length: words }, (_, at) => aroundOf(doc, at))),
  }));
}

function toHere(view: View, { country_code, ...place }: NamedElsewhere): JudgedPlace {
  if (country_code === undefined) return { ...place, docs: [] };
  const country = country_code === null ? -1 : countryNumber(view, country_code);
  return { ...place, docs: [], country };
}

/** What is named of all that this page and others know, and which of the documents here are in it. */
export function bindNamed(
  view: View,
  query: GeocodeWords,
  {
    own,
    others,
    aroundOf,
  }: { own: readonly NamedHere[]; others: readonly NamedElsewhere[]; aroundOf: AroundOf },
): NamedPlaces {
  const all = [...own, ...others.map((other) => toHere(view, other))];
  const longest = joinSame(all).filter(
    ({ words }, _, list) =>
      !list.some((other) => other.words.length > words.length && isPart(words, other.words)),
  );
  const isWithin = (inner: JudgedPlace, outer: JudgedPlace): boolean =>
    inner.docs.some((doc) => outer.words.every((at) => aroundOf(doc, at) >= IN_IT)) ||
    inner.arounds?.some((around) => outer.words.every((at) => around[at]! >= IN_IT)) === true;
  const isKnown = ({ docs, arounds = [] }: JudgedPlace): boolean =>
    docs.length > 0 || arounds.length > 0;
  // A street is called after a hamlet where what is named apart is elsewhere.
  const intended = longest.filter(
    (place, _, list) =>
      place.apart ||
      !isKnown(place) ||
      list.every((other) => !other.apart || isWithin(place, other) || isWithin(other, place)),
  );
  // A part of a town, or a village's field, is what binds where nothing larger is named.
  const isAlone = intended.every(({ binds }) => binds !== BINDS.whole);
  const list = intended.map((place) =>
    isAlone && place.apart ? { ...place, binds: BINDS.whole } : place,
  );
  return {
    docs: [...new Set(list.flatMap(({ docs, binds }) => (binds === BINDS.whole ? docs : [])))],
    words: new Set(list.flatMap(({ words }) => words)),
    judge: createJudge(view, query, list),
  };
}

function placesOf(
  view: View,
  query: GeocodeWords,
  { places, nameOf }: { places: readonly number[]; nameOf(doc: number): Name },
): JudgedPlace[] {
  return places.flatMap((doc): JudgedPlace[] => {
    const place = view.text(view.docs.kind[doc]!).slice("place=".length);
    const isWhole = isTown(place) || isWide(place);
    const { cover, besides } = nameOf(doc);
    const words = [...cover.keys()].filter((at) => cover[at]! > 0);
    const isWritten =
      besides === 0 && words.length > 0 && words.every((at) => cover[at]! >= WRITTEN);
    if (!isWritten) return [];
    const match = { docs: [doc], postcode: false, settled: !isWide(place) };
    const runs = placeRuns(view, query, doc);
    // Of words in another order nothing is known but that they are there.
    if (runs === null)
      return isWhole && words.length > 1
        ? [{ words, apart: false, binds: BINDS.whole, ...match }]
        : [];
    return runs.flatMap((run): JudgedPlace[] => {
      const binds = isWhole ? BINDS.whole : PARTS.has(place) || run.apart ? BINDS.part : null;
      return binds === null ? [] : [{ ...run, binds, ...match }];
    });
  });
}

/** Countries and regions that things of the base say they are in; codes of two letters may be words. */
function countriesOf(
  { wide }: View,
  query: GeocodeWords,
  wideOf: (id: number) => Float64Array,
): JudgedPlace[] {
  const count = wide.starts.length - 1;
  if (count > MAX_WIDE) return [];
  return query.words.flatMap(({ text }, at): JudgedPlace[] => {
    if (text.length < 3 || /\d/.test(text) || query.of_street(at, 1)) return [];
    const match = { ...WIDE, words: [at], apart: false };
    for (let id = 0; id < count; id++) if (wideOf(id)[at]! >= WRITTEN) return [match];
    return [];
  });
}

/** Countries by their signs before a postcode: `D-80331`, `FL-9490`. */
function prefixesOf(view: View, { words }: GeocodeWords): JudgedPlace[] {
  return words.flatMap((_, at): JudgedPlace[] => {
    const code = countryOfPrefix(words, at);
    if (code === null) return [];
    return [{ ...WIDE, words: [at], apart: true, country: countryNumber(view, code) }];
  });
}

/** Number of the text of a country's code; -1: nothing here is in that country. */
function countryNumber({ contexts, text }: View, code: string): number {
  return [...new Set(contexts.country)].find((own) => text(own) === code) ?? -1;
}

function joinSame(all: readonly JudgedPlace[]): JudgedPlace[] {
  const joined = new Map<string, JudgedPlace>();
  for (const place of all) {
    const key = place.words.join();
    const entry = joined.get(key);
    if (!entry) joined.set(key, { ...place, docs: [...place.docs] });
    else {
      entry.docs.push(...place.docs);
      if (place.arounds) entry.arounds = [...(entry.arounds ?? []), ...place.arounds];
      entry.binds = Math.max(entry.binds, place.binds);
      entry.apart ||= place.apart;
      entry.settled &&= place.settled;
    }
  }
  return [...joined.values()];
}

function isPart(words: readonly number[], of: readonly number[]): boolean {
  return words.every((word) => of.includes(word));
}
