/**
 * What it costs a place to be found by another name than those by which it is known where it is, in
 * English, or in the language of the question: a place that has the name itself goes before one that is
 * called so elsewhere, or was once.
 */
import type { View } from "#osm/geocoder/geocoder-view.ts";

/** A name in another language: Augusta is Augsburg in Italian. */
const ELSEWHERE = 0.02;
/** An alternative name, which may be a former one. */
const OTHER = 0.03;

type CostOf = (kind: number, doc: number) => number;

/** Returns what names cost for questions in a language, which may be a tag such as `de-AT`. */
export function createNameCosts({
  meta,
  text,
  contexts,
  docs,
}: View): (tag: string | null) => CostOf {
  const kinds = meta.name_kinds;
  /** Language that is spoken in the country of a text, by the number of the text. */
  const spoken = new Map<number, string>();

  function spokenAt(doc: number): string {
    const id = contexts.country[docs.context[doc]!]!;
    let language = spoken.get(id);
    if (language === undefined) {
      const code = text(id);
      const isKnown = /^[A-Z]{2}$/.test(code);
      language = isKnown ? new Intl.Locale(`und-${code}`).maximize().language : "";
      spoken.set(id, language);
    }
    return language;
  }

  return (tag) => {
    const request = (tag ?? "en").toLowerCase().split("-")[0]!;
    return (kind, doc) => {
      const name = kinds[kind]!;
      if (name === "" || name === "en" || name === request) return 0;
      if (name.startsWith("alt")) return OTHER;
      return name === spokenAt(doc) ? 0 : ELSEWHERE;
    };
  };
}
