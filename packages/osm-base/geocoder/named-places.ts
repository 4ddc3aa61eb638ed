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

export function namedPlacesOf(
  view: View,
  query: GeocodeWords,
  {
    places,
    nameOf,
    wideOf,
    aroundOf,
  }: {
    places: readonly number[];
    nameOf(doc: number): Name;
    wideOf(id: number): Float64Array;
    /** What the whereabouts of a document say of a word. */
    aroundOf(doc: number, at: number): number;
  },
): NamedPlaces {
  const settled = placesOf(view, query, { places, nameOf });
  const called = new Set(settled.flatMap(({ words }) => words));
  const all = [
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
  const longest = joinSame(all).filter(
    ({ words }, _, others) =>
      !others.some((other) => other.words.length > words.length && isPart(words, other.words)),
  );
  const isWithin = (inner: JudgedPlace, outer: JudgedPlace): boolean =>
    inner.docs.some((doc) => outer.words.every((at) => aroundOf(doc, at) >= IN_IT));
  // A street is called after a hamlet where what is named apart is elsewhere.
  const intended = longest.filter(
    (place, _, others) =>
      place.apart ||
      place.docs.length === 0 ||
      others.every((other) => !other.apart || isWithin(place, other) || isWithin(other, place)),
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
    const country = [...new Set(view.contexts.country)].find((text) => view.text(text) === code);
    return [{ ...WIDE, words: [at], apart: true, country: country ?? -1 }];
  });
}

function joinSame(all: readonly JudgedPlace[]): JudgedPlace[] {
  const joined = new Map<string, JudgedPlace>();
  for (const place of all) {
    const key = place.words.join();
    const entry = joined.get(key);
    if (!entry) joined.set(key, { ...place, docs: [...place.docs] });
    else {
      entry.docs.push(...place.docs);
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
