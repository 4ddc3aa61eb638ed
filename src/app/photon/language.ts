/** The language that names are wanted in, as Photon finds it: the parameter, the header, the local one. */
import { countryName } from "#osm/geocoder/contexts.ts";

/** Names as they are where a thing is. */
export const LOCAL = "default";

const TAG = /^[a-z]{2,3}(?:-[a-z0-9]{1,8}){0,4}$/i;

export function isLanguage(text: string): boolean {
  return text === LOCAL || TAG.test(text);
}

/** Returns the language that is wanted most; what is no language counts for nothing. */
export function preferredLanguage(accepted: string | undefined): string {
  let best = { tag: LOCAL, weight: 0 };
  for (const part of (accepted ?? "").split(",")) {
    const [tag = "", ...parameters] = part.split(";").map((each) => each.trim());
    const weight = Number(parameters.find((each) => /^q=/i.test(each))?.slice(2) ?? 1);
    if (TAG.test(tag) && weight > best.weight) best = { tag, weight };
  }
  return best.tag;
}

/** Returns the name of a country in the language that is spoken there. */
export function localCountryName(code: string): string {
  // As a border on the map has it, which may be any text.
  if (!/^[A-Z]{2}$/.test(code)) return code;
  const { language } = new Intl.Locale(`und-${code}`).maximize();
  return countryName(code, language);
}
