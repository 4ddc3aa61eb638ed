/**
 * Places that a question names, by the exact names that the gazetteer has, in any language. What stands
 * between commas, or behind a number, is a place if all of it is called so; at the beginning or the end
 * of a line it must be a town, a region or a country, since streets are called after villages.
 */
import { collapseUmlauts, readQuestion, type Word, wordsOf } from "#core/base/geocoder/fold.ts";
import { MAX_WORDS } from "#core/base/geocoder/query.ts";
import { spellingsOf } from "#core/base/geocoder/spellings.ts";
import type { View } from "#core/base/geocoder/view.ts";
import type { Location } from "#core/entities.ts";
import type { NamedPlace, NamedSpan, PlaceNames } from "#core/places/named-place.ts";

/** Words of a name, and documents with its rarest word that are looked at. */
const MAX_SPAN = 5;
const MAX_DOCS = 16_384;
const MIN_LETTERS = 4;
/** Of a place that is named without a comma or a number before it. */
const LARGE: ReadonlySet<string> = new Set(["city", "town", "state", "county", "country"]);
const REGIONS: ReadonlySet<string> = new Set(["state", "county"]);

/** `nearestTo`: document of the settlement that a point belongs to; null: none is near. */
export function createPlaceNames(
  view: View,
  nearestTo: (at: Location) => number | null,
): PlaceNames {
  const { postings, docs, sets, words: named } = view;
  const codes = readCodes(view);

  /** Documents of which a name has these words and no others. */
  function findExact(words: readonly Word[]): number[] {
    const meant = words.map((word) => termsOf(view, word, words.length > 1));
    if (meant.some((own) => own.length === 0)) return [];
    const countOf = (own: readonly number[]): number =>
      own.reduce((sum, term) => sum + postings.count(term), 0);
    const rarest = meant.reduce((a, b) => (countOf(b) < countOf(a) ? b : a));
    const found = new Set<number>();
    for (const term of rarest)
      postings.each(term, MAX_DOCS, (doc) => {
        if (hasName(doc, meant)) found.add(doc);
      });
    return [...found].sort((a, b) => a - b);
  }

  function hasName(doc: number, meant: readonly (readonly number[])[]): boolean {
    const set = docs.set[doc]!;
    for (let at = sets.starts[set]!; at < sets.starts[set + 1]!; at++) {
      const text = sets.texts[at]!;
      const from = named.starts[text]!;
      if (named.starts[text + 1]! - from !== meant.length) continue;
      if (meant.every((own, i) => own.includes(named.terms[from + i]!))) return true;
    }
    return false;
  }

  function toPlace(doc: number): NamedPlace {
    const kind = kindOf(view, doc);
    return {
      doc,
      kind: kind === "country" ? "country" : REGIONS.has(kind) ? "region" : "settlement",
      country: view.text(view.contexts.country[docs.context[doc]!]!) || null,
      lat: docs.lat7[doc]! / 1e7,
      lon: docs.lon7[doc]! / 1e7,
    };
  }

  type Found = { words: readonly Word[]; docs: readonly number[]; apart: boolean };

  /** The whole of some words as names one after another, the longest first; null: some are none. */
  function tile(words: readonly Word[]): Found[] | null {
    if (words.length === 0) return [];
    for (let length = Math.min(MAX_SPAN, words.length); length > 0; length--) {
      const own = words.slice(0, length);
      const found = findExact(own);
      const rest = found.length > 0 ? tile(words.slice(length)) : null;
      if (rest) return [{ words: own, docs: found, apart: true }, ...rest];
    }
    return null;
  }

  /** The longest names at one end of some words that are those of large places. */
  function atEnd(words: readonly Word[], isLast: boolean): Found[] {
    for (let length = Math.min(MAX_SPAN, words.length - 1); length > 0; length--) {
      const own = isLast ? words.slice(-length) : words.slice(0, length);
      if (own.every(({ text }) => text.length < MIN_LETTERS)) continue;
      const found = findExact(own).filter((doc) => LARGE.has(kindOf(view, doc)));
      if (found.length === 0) continue;
      // `München Deutschland`: what stands before the country.
      const rest = isLast ? atEnd(words.slice(0, -length), true) : [];
      return [...rest, { words: own, docs: found, apart: false }];
    }
    return [];
  }

  function findSpans(q: string): Found[] {
    const segments = toSegments(readQuestion(q, MAX_WORDS));
    const code = codes.get(CODE.exec(q)?.[1] ?? "");
    return segments.flatMap((words, at): Found[] => {
      const isLast = at === segments.length - 1;
      if (isLast && code !== undefined && words.length === 1 && at > 0) {
        const known = findExact(words);
        const regions = known.filter((doc) => REGIONS.has(kindOf(view, doc)));
        return [{ words, docs: [...regions, code], apart: true }];
      }
      const whole = tile(words);
      if (whole && at > 0) return whole;
      if (whole)
        return whole.map((each) => ({
          ...each,
          docs: each.docs.filter((doc) => LARGE.has(kindOf(view, doc)) || segments.length === 1),
        }));
      const last = isLast ? atEnd(words, true) : [];
      return last.length > 0 || at > 0 ? last : atEnd(words, false);
    });
  }

  function isWithin(inner: NamedPlace, outer: NamedPlace): boolean {
    if (outer.kind === "country") return inner.country === outer.country;
    return outer.kind === "region" && view.contexts.region[docs.context[inner.doc]!] === outer.doc;
  }

  return {
    read(q) {
      const spans = findSpans(q)
        .filter((each) => each.docs.length > 0)
        .map(({ words, docs: found, apart }) => ({
          words: words.map(({ text }) => text),
          text: asWritten(q, words),
          places: found.map(toPlace),
          apart,
        }));
      return spans.map((span): NamedSpan => {
        const others = spans.filter((other) => other !== span);
        const agreeing = span.places.filter((place) =>
          others.every((other) =>
            other.places.some((each) => isWithin(place, each) || isWithin(each, place)),
          ),
        );
        return agreeing.length > 0 ? { ...span, places: agreeing } : span;
      });
    },
    holds(place, { country, ...at }) {
      if (country !== null && place.country !== null && country !== place.country) return false;
      if (place.kind === "country") return country !== null;
      const nearest = nearestTo(at);
      if (nearest === null) return false;
      if (place.kind === "settlement") return nearest === place.doc;
      return view.contexts.region[docs.context[nearest]!] === place.doc;
    },
  };
}

/** A code at the end of a question, as addresses have it: `…, DE`. */
const CODE = /,\s*([A-Z]{2})\s*$/;

/** Countries by their codes. */
function readCodes(view: View): ReadonlyMap<string, number> {
  const codes = new Map<string, number>();
  for (let doc = 0; doc < view.meta.places; doc++)
    if (kindOf(view, doc) === "country")
      codes.set(view.text(view.contexts.country[view.docs.context[doc]!]!), doc);
  return codes;
}

function kindOf(view: View, doc: number): string {
  return view.text(view.docs.kind[doc]!).slice("place=".length);
}

/** Words of the gazetteer that a word is; `spelled`: in any of its spellings, as within a name. */
function termsOf({ terms }: View, { text, expanded }: Word, spelled: boolean): number[] {
  const forms = [text, collapseUmlauts(text), expanded ?? text];
  const all = new Set([...forms, ...(spelled ? forms.flatMap(spellingsOf) : [])]);
  return [...all].map((form) => terms.find(form)).filter((term) => term >= 0);
}

/** Runs of words between commas and numbers. A country's letter before a postcode is a part of that. */
function toSegments(words: readonly Word[]): Word[][] {
  const segments: Word[][] = [[]];
  for (const [at, word] of words.entries()) {
    if (at > 0 && /[,;\n]/.test(word.between)) segments.push([]);
    const next = words[at + 1];
    const isPrefix = word.text.length <= 3 && next?.between === "-" && /^\d/.test(next.text);
    if (/\d/.test(word.text)) segments.push([]);
    else if (!isPrefix) segments.at(-1)!.push(word);
  }
  return segments.filter((segment) => segment.length > 0);
}

function asWritten(q: string, words: readonly Word[]): string {
  const wanted = words.map(({ text }) => text).join(" ");
  const tokens = q.split(/[\s,;]+/).filter((token) => token !== "");
  for (let from = 0; from < tokens.length; from++)
    for (let to = from + 1; to <= Math.min(tokens.length, from + MAX_SPAN); to++) {
      const text = tokens.slice(from, to).join(" ");
      if (wordsOf(text).join(" ") === wanted) return text;
    }
  return wanted;
}
