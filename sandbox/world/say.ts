// Which tongue a geocoder answers in: English, or what is said on the spot.
import type { IncomingMessage } from "node:http";
import type { Spot } from "./gazetteer.ts";
import type { Name } from "./towns.ts";

export type Tongue = "english" | "local";

export const say = (name: Name | null | undefined, tongue: Tongue): string => name?.[tongue] ?? "";

/** The languages of an Accept-Language header, most wanted first, without regions; `*` is none. */
export function acceptedLanguages(headers: IncomingMessage["headers"]): string[] {
  const ranges = (headers["accept-language"] ?? "").split(",");
  const weighed = ranges.map((range) => {
    const [tag = "", ...params] = range.trim().split(";");
    const q = params.find((each) => each.trim().startsWith("q="));
    return { language: languageOf(tag), q: q === undefined ? 1 : Number(q.trim().slice(2)) };
  });
  return weighed
    .filter(({ language, q }) => /^[a-z]{2,3}$/.test(language) && q > 0)
    .toSorted((a, b) => b.q - a.q)
    .map(({ language }) => language);
}

/** Returns the language of a tag: `pt-BR` is `pt`. */
export const languageOf = (tag: string): string => tag.trim().toLowerCase().split("-")[0] ?? "";

/** Writes `number street` or `street number`, as it is written there. */
export function addressLine({ street, number, country }: Spot, tongue: Tongue): string {
  const name = say(street, tongue);
  if (number === "" || name === "") return name;
  return NUMBER_FIRST.has(country.code) ? `${number} ${name}` : `${name} ${number}`;
}

const NUMBER_FIRST = new Set(["FR", "GB", "US", "AU", "ZA", "FJ"]);

/** The tongue for a requested language; null: none was requested. */
export function tongueFor(spot: Spot, language: string | null, otherwise: Tongue): Tongue {
  if (language === "en") return "english";
  return language !== null && spot.country.languages.includes(language) ? "local" : otherwise;
}
