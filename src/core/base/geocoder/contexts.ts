/**
 * What a question may say of where a thing is: places around it, its postcodes, its region and country.
 * Things of one whereabouts share one context; regions and countries, which many contexts share, are
 * kept once.
 */
import type { Locality } from "./locality.ts";

export type Context = {
  /** Place by number; -1: none, or one that is known by its name only. */
  city: number;
  city_name: string;
  region: number;
  region_name: string;
  country: string | null;
  country_doc: number;
  /** Places by number, and further texts: postcodes, cities as addresses have them; each with its weight. */
  around: readonly (readonly [doc: number, weight: number])[];
  texts: readonly (readonly [text: string, weight: number])[];
};

export type Contexts = { list: readonly Context[]; add(context: Context): number };

export function createContexts(): Contexts {
  const ids = new Map<string, number>();
  const list: Context[] = [];
  return {
    list,
    add(context) {
      const key = JSON.stringify(Object.values(context));
      let id = ids.get(key);
      if (id === undefined) {
        ids.set(key, (id = list.length));
        list.push(context);
      }
      return id;
    },
  };
}

/** Weights of what a context mentions, of 255: the thing is in it, or some of it is, or it is near. */
export const MENTION = { full: 255, part: 235, near: 225 } as const;

export type ContextTexts = {
  city?: string;
  region?: string;
  texts: Iterable<readonly [text: string, weight: number]>;
  /** Settlements that reach it, or a part of it. */
  near: Iterable<number>;
};

export function contextOf(
  locality: Locality,
  { city = "", region = "", texts, near }: ContextTexts,
): Context {
  const around = new Map<number, number>();
  const mention = (docs: Iterable<number>, weight: number): void => {
    for (const doc of docs)
      if (!around.has(doc) && doc !== locality.city && doc !== locality.region)
        around.set(doc, weight);
  };
  mention(locality.holding, MENTION.full);
  mention(near, MENTION.near);
  return {
    city: locality.city,
    city_name: locality.city < 0 ? city : "",
    region: locality.region,
    region_name: locality.region < 0 ? region : "",
    country: locality.country,
    country_doc: locality.country_doc,
    around: [...around].sort(([a], [b]) => a - b),
    texts: [...new Map([...texts].filter(([text]) => text !== ""))].sort(([a], [b]) =>
      a < b ? -1 : a > b ? 1 : 0,
    ),
  };
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
  const known = /^[a-z]{2,3}$/.test(language) && /^[A-Z]{2}$/.test(code);
  return known ? (new Intl.DisplayNames([language], { type: "region" }).of(code) ?? code) : code;
}
