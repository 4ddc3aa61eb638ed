/**
 * What a question may say of where a thing is: places around it, its postcodes, its region and country.
 * Things of one whereabouts share one context; regions and countries, which many contexts share, are
 * kept once.
 */
import { Lists } from "./number-lists.ts";
import type { Locality } from "./locality.ts";
import type { Texts } from "./name-texts.ts";

type Context = {
  /** Place by number; -1: none, or one that is known by its name only. */
  city: number;
  city_name: number;
  region: number;
  region_name: number;
  /** Code of the country. Texts are by number; 0: none. */
  country: number;
  country_doc: number;
  /** Places by number, and further texts: postcodes, cities as addresses have them; each with its weight. */
  around: readonly Weighed[];
  texts: readonly Weighed[];
};

export type Weighed = readonly [number: number, weight: number];

/** Weights of what a context mentions, of 255: the thing is in it, or some of it is, or it is near; or it is in another municipality. */
export const MENTION = { full: 255, part: 235, near: 225, adjacent: 120 } as const;

/** What a context adds to a locality. Texts are by number; 0: none. */
type Mentions = {
  city?: number;
  region?: number;
  /** Further texts with their weights. */
  texts: ReadonlyMap<number, number>;
  /** Settlements that reach it, one array for all things there. */
  near: readonly number[];
  /** Places around it that are of it alone; the locality too may be its own then. */
  further?: Iterable<number>;
};

/** Contexts by number, from 0; of equal ones there is one. */
export type Contexts = {
  add(locality: Locality, mentions: Mentions): number;
  get(id: number): Context;
  readonly count: number;
};

/** Numbers of a context before those of its texts. */
const HEAD = 7;

/** `municipalityOf`: that of a place, by its number; -1: none is drawn. */
export function createContexts(
  texts: Texts,
  municipalityOf: (place: number) => number = () => -1,
): Contexts {
  const lists = new Lists();
  const surroundings = createSurroundings(municipalityOf);
  return {
    add(locality, { city = 0, region = 0, texts: reported_texts, near, further }) {
      const list = [
        ...[locality.city, locality.city < 0 ? city : 0],
        ...[locality.region, locality.region < 0 ? region : 0],
        ...[texts.add(locality.country ?? ""), locality.country_doc],
        further ? surroundings.add(locality, near, further) : surroundings.share(locality, near),
      ];
      const sorted = [...reported_texts.keys()].filter((text) => text !== 0).sort(texts.compare);
      for (const text of sorted) list.push(text, reported_texts.get(text)!);
      return lists.add(list) - 1;
    },
    get(id) {
      const list = lists.get(id + 1);
      return {
        city: list[0]!,
        city_name: list[1]!,
        region: list[2]!,
        region_name: list[3]!,
        country: list[4]!,
        country_doc: list[5]!,
        around: pairsOf(surroundings.get(list[6]!)),
        texts: pairsOf(list.subarray(HEAD)),
      };
    },
    get count() {
      return lists.count - 1;
    },
  };
}

/** Places with their weights, which the many contexts of a neighbourhood share. */
function createSurroundings(municipalityOf: (place: number) => number): {
  add(locality: Locality, near: readonly number[], further?: Iterable<number>): number;
  /** The same of objects that come again. */
  share(locality: Locality, near: readonly number[]): number;
  get(id: number): Int32Array;
} {
  const lists = new Lists();
  const cache = new Map<Locality, Map<readonly number[], number>>();
  const add = (
    locality: Locality,
    near: readonly number[],
    further: Iterable<number> = [],
  ): number => lists.add(weigh(locality, { near, further: new Set(further), municipalityOf }));
  return {
    add,
    share(locality, near) {
      let of_locality = cache.get(locality);
      if (!of_locality) cache.set(locality, (of_locality = new Map()));
      let id = of_locality.get(near);
      if (id === undefined) of_locality.set(near, (id = add(locality, near)));
      return id;
    },
    get: (id) => lists.get(id),
  };
}

/** Places around and their weights in turn, but for the city and the region. */
function weigh(
  { city, region, holding }: Locality,
  {
    near,
    further,
    municipalityOf,
  }: {
    near: readonly number[];
    further: ReadonlySet<number>;
    municipalityOf(place: number): number;
  },
): number[] {
  const around = new Set([...holding, ...near, ...further]);
  // An address in a village that it names itself is in the municipality that is drawn there, too.
  const own = city >= 0 ? city : (holding.find((doc) => municipalityOf(doc) === doc) ?? -1);
  const weightOf = (doc: number): number => {
    if (holding.includes(doc)) return MENTION.full;
    const its = municipalityOf(doc);
    const isAdjacent = own >= 0 && its >= 0 && its !== own && !further.has(doc);
    return isAdjacent ? MENTION.adjacent : MENTION.near;
  };
  around.delete(city);
  around.delete(region);
  return [...around].sort((a, b) => a - b).flatMap((doc) => [doc, weightOf(doc)]);
}

function pairsOf(numbers: Int32Array): Weighed[] {
  return Array.from({ length: numbers.length / 2 }, (_, i) => [
    numbers[i * 2]!,
    numbers[i * 2 + 1]!,
  ]);
}

/** Languages in which a country may be named in a question. */
const LANGUAGES = [
  ...[
    "en",
    "fr",
    "de",
    "es",
    "it",
    "pt",
    "nl",
    "pl",
    "sv",
    "da",
    "nb",
    "fi",
    "cs",
    "hu",
    "ro",
    "tr",
    "el",
  ],
  ...["ru", "uk", "ca", "hr", "sl", "ja", "zh", "ko", "ar"],
];

/** Names of a country in many languages, and its code. */
export function countryNames(code: string): string[] {
  const names = LANGUAGES.map((language) => countryName(code, language));
  return [...new Set([code, ...names])];
}

/** Name of a country in a language (two or three letters); the code where there is none. */
export function countryName(code: string, language: string): string {
  const isKnown = /^[a-z]{2,3}$/.test(language) && /^[A-Z]{2}$/.test(code);
  return isKnown ? (new Intl.DisplayNames([language], { type: "region" }).of(code) ?? code) : code;
}
