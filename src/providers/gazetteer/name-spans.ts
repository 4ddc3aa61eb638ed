/**
 * Words of a question that are names of places. What is between commas, or behind a number, is a place
 * if all of it is called so; at the beginning or the end of a line it must be a town, a region or a
 * country, since streets are called after villages.
 */
import { readQuestion, type Word } from "#osm/geocoder/fold-words.ts";
import { MAX_WORDS } from "#osm/geocoder/geocode-query.ts";
import { countryOfPrefix, isCode, isOfStreet, segmentsOf } from "#osm/geocoder/segments.ts";
import type { View } from "#osm/geocoder/geocoder-view.ts";
import { createExactNames } from "#providers/gazetteer/exact-names.ts";
import { kindOf, type PlaceRelations, REGIONS } from "#providers/gazetteer/place-relations.ts";
import { isCapitals, MAX_SPAN } from "#providers/gazetteer/question-parts.ts";

const MIN_LETTERS = 4;
/** Names one after another have no more words. */
const MAX_TILED = 7;
/** Of a place that is named without a comma or a number before it. */
const LARGE: ReadonlySet<string> = new Set(["city", "town", "state", "county", "country"]);
/** A code at the end of a question, as addresses have it: `…, DE`. */
const CODE = /,\s*([A-Z]{2})\s*$/;

/** Words, and the documents that are called so; `leads`: other parts of the question follow. */
export type NameSpan = {
  words: readonly Word[];
  docs: readonly number[];
  apart: boolean;
  leads?: boolean;
  /** Letters of a region or a country, which may be those of a province that is not known. */
  isCode?: boolean;
  /** What it is called; absent: as the question has it. */
  text?: string;
};

export function createSpans(
  view: View,
  { toPlace, isWithin }: PlaceRelations,
): (q: string) => NameSpan[] {
  const findExact = createExactNames(view);
  const codes = readCodes(view);

  /** The whole of some words as names one after another, the longest first; null: some are none. */
  function tile(words: readonly Word[]): NameSpan[] | null {
    if (words.length === 0) return [];
    if (words.length > MAX_TILED) return null;
    for (let length = Math.min(MAX_SPAN, words.length); length > 0; length--) {
      const own_words = words.slice(0, length);
      const exact = findExact(own_words);
      const rest = exact.length > 0 ? tile(words.slice(length)) : null;
      if (rest) return [{ words: own_words, docs: exact, apart: true }, ...rest];
    }
    return null;
  }

  /** The longest names at one end of some words that are those of large places. */
  function atEnd(words: readonly Word[], isLast: boolean, all: readonly Word[]): NameSpan[] {
    for (let length = Math.min(MAX_SPAN, words.length - 1); length > 0; length--) {
      const own = isLast ? words.slice(-length) : words.slice(0, length);
      if (own.every(({ text }) => text.length < MIN_LETTERS)) continue;
      // `Rue de Paris` and `Paris Street` are streets.
      if (isOfStreet(all, all.indexOf(own[0]!), length)) continue;
      const matches = findExact(own).filter((doc) => LARGE.has(kindOf(view, doc)));
      if (matches.length === 0) continue;
      // `München Deutschland`: what is before the country.
      const rest = isLast ? atEnd(words.slice(0, -length), true, all) : [];
      return [...rest, { words: own, docs: matches, apart: false }];
    }
    return [];
  }

  /** All of some words as a place in the next one; a code at the end may be one of a region that is not known. */
  function asPlace(words: readonly Word[], q: string): NameSpan[] | null {
    const tiled = tile(words);
    // `Rue de Rivoli` is a village, a state and a town, and no place.
    if (tiled && isOnePlace(tiled)) return tiled;
    const town = withoutCode(words, q);
    const match = town === words ? null : tile(town);
    return match && isOnePlace(match) ? match : null;
  }

  /** `Milano MI`, `Buchs SG`: letters of a region behind a town. */
  function withoutCode(words: readonly Word[], q: string): readonly Word[] {
    const last = words.at(-1);
    return words.length > 1 && last && isCode(last) && isCapitals(q, last)
      ? words.slice(0, -1)
      : words;
  }

  return (q) => {
    const all = readQuestion(q, MAX_WORDS);
    const segments = segmentsOf(all).map((own) => own.map((at) => all[at]!));
    const code = codes.get(CODE.exec(q)?.[1] ?? "");
    // `Moos, Bahnhofstrasse 3`, and not `Moos, Bahnhofstrasse`, where a thing may be called so.
    const isAddress = segments.length === 1 || /\d/.test(q);
    const names = segments.flatMap((words, at): NameSpan[] => {
      const isLast = at === segments.length - 1;
      if (isLast && code !== undefined && words.length === 1 && at > 0) {
        const exact = findExact(words);
        const regions = exact.filter((doc) => REGIONS.has(kindOf(view, doc)));
        return [{ words, docs: [...regions, code], apart: true, isCode: true }];
      }
      const whole = asPlace(words, q);
      if (whole && at > 0) {
        const [word] = words;
        const isLetters = words.length === 1 && isCode(word!) && isCapitals(q, word!);
        return whole.map((each) => ({ ...each, isCode: isLetters }));
      }
      if (whole)
        return whole.map((each) => ({
          ...each,
          leads: segments.length > 1,
          docs: each.docs.filter((doc) => isAddress || LARGE.has(kindOf(view, doc))),
        }));
      const last = isLast ? atEnd(withoutCode(words, q), true, all) : [];
      return last.length > 0 || at > 0 ? last : atEnd(words, false, all);
    });
    const prefixes = all.flatMap((word, at): NameSpan[] => {
      const country = codes.get(countryOfPrefix(all, at) ?? "");
      if (country === undefined) return [];
      return [{ words: [word], docs: [country], apart: true, text: nameOf(view, country) }];
    });
    return [...names, ...prefixes];
  };

  /** Each name is that of what the one before it is in. */
  function isOnePlace(names: readonly NameSpan[]): boolean {
    const places = names.map((each) => each.docs.map(toPlace));
    return places.every((place, at) => {
      const next = places[at + 1];
      return !next || place.some((inner) => next.some((outer) => isWithin(inner, outer)));
    });
  }
}

/** The name by which a document is known. */
function nameOf({ docs, sets, text }: View, doc: number): string {
  return text(sets.texts[sets.starts[docs.set[doc]!]!]!);
}

/** Countries by their codes. */
function readCodes(view: View): ReadonlyMap<string, number> {
  const codes = new Map<string, number>();
  for (let doc = 0; doc < view.meta.places; doc++)
    if (kindOf(view, doc) === "country")
      codes.set(view.text(view.contexts.country[view.docs.context[doc]!]!), doc);
  return codes;
}
