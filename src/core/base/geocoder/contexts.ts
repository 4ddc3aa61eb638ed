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
  /** Numbers of places, and further texts: postcodes, cities as addresses have them. */
  around: readonly number[];
  texts: readonly string[];
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

export type ContextTexts = { city?: string; region?: string; texts: Iterable<string> };

export function contextOf(
  locality: Locality,
  { city = "", region = "", texts }: ContextTexts,
): Context {
  return {
    city: locality.city,
    city_name: locality.city < 0 ? city : "",
    region: locality.region,
    region_name: locality.region < 0 ? region : "",
    country: locality.country,
    country_doc: locality.country_doc,
    around: locality.around,
    texts: [...new Set(texts)].filter((text) => text !== "").sort(),
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
