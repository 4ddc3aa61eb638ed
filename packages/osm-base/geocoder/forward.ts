/** Candidates of a question, ranked: the best first. */
import { Budget } from "#kit/budget.ts";
import type { Location } from "#kit/geo.ts";
import type { Word } from "./fold-words.ts";
import { toPoint7 } from "./metres.ts";
import { makeQuery } from "./geocode-query.ts";
import { createRanking, type Ranked } from "./rank-answers.ts";
import { createScratch, retrieve, weightsOf } from "./retrieve.ts";
import type { View } from "./geocoder-view.ts";

export type ForwardQuery = {
  q: string;
  /** A tag such as `de-AT`; null is English. */
  language: string | null;
  /** Only of this country, ISO 3166-1 alpha-2; null: of any, or none. */
  country: string | null;
  /** Orders and never filters. */
  near: Location | null;
  limit: number;
  /** The last word is the beginning of one. */
  prefix?: boolean;
  /** What the question may still cost, over all bases; absent: as much as one question may. */
  budget?: Budget;
};

/**
 * What one question may cost over all bases: entries of lists, 20 nanoseconds each, and documents that
 * are looked at closely, ten microseconds each. Ordinary questions take a tenth of it of one base.
 */
const QUESTION = { looks: 100_000, keeps: 288 } as const;

export function createGeocodingBudget(): Budget {
  return new Budget(QUESTION);
}

/** Candidates explain at least so much of the question by default, and not much less than the best. */
const MIN_TEXT = 0.4;
const MAX_BEHIND = 0.35;
/** From here on a name is what was asked for, whatever kind its words are. */
export const CERTAIN = 0.95;
const BY_SPELLING = 0.002;
/** Places that are named are looked at beyond the candidates, as many as these. */
const MAX_NAMED = 8;

export type Forward = {
  /** `interest`: things of interest a little before others. */
  rank(words: readonly Word[], query: ForwardQuery & { interest: boolean }): Ranked[];
  /** Documents of a country; null: all of them. */
  keepOf(country: string | null): (doc: number) => boolean;
};

/** `least_text`: candidates explain at least so much of a question, 0 to 1. */
export function createForward(view: View, { least_text = MIN_TEXT } = {}): Forward {
  const scratch = createScratch(view);
  const countries = new Map(
    [...new Set(view.contexts.country)].filter((id) => id !== 0).map((id) => [view.text(id), id]),
  );

  function keepOf(country: string | null): (doc: number) => boolean {
    if (country === null) return () => true;
    const wanted = countries.get(country.toUpperCase());
    const { contexts, docs } = view;
    return (doc) => contexts.country[docs.context[doc]!] === wanted;
  }

  function rank(
    words: readonly Word[],
    {
      q,
      prefix,
      near,
      country,
      interest,
      budget = createGeocodingBudget(),
    }: ForwardQuery & { interest: boolean },
  ): Ranked[] {
    if (words.length === 0) return [];
    const query = makeQuery(words, view.terms, { prefix: prefix === true, budget });
    const weights = weightsOf(view, query);
    const near7 = near && toPoint7(near);
    const keep = keepOf(country);
    const match = retrieve(view, query, scratch, { near: near7, weights, budget, keep });
    const options = { near: near7, weights, interest, open: prefix === true };
    const ranking = createRanking(view, query, { ...options, places: match.places });
    const names = ranking.named.filter(keep).slice(0, MAX_NAMED);
    const ranked = [...new Set([...match.docs, ...names])]
      .map(ranking.rank)
      .map((each) => addSpelling(each, q));
    const least_against = ranked.reduce((least, { against }) => Math.min(least, against), Infinity);
    const fitting = ranked.filter(({ against }) => against === least_against);
    const best = fitting.reduce((most, { text }) => Math.max(most, text), 0);
    const least = Math.max(least_text, best - MAX_BEHIND);
    const isAnswered = fitting.some(
      ({ against, text, isItself, isNamesake }) =>
        against < 1 && !isItself && !isNamesake && text >= least,
    );
    // Where nothing is in the place that is named, the place itself is what is known; while a word is
    // being written that may turn out so.
    const isShown = ({ doc, text }: Ranked): boolean =>
      text >= least || ((!isAnswered || prefix === true) && names.includes(doc));
    return ranked
      .filter(isShown)
      .sort(
        (a, b) =>
          b.score - a.score ||
          housesOf(b.doc) - housesOf(a.doc) ||
          view.docs.osm[a.doc]! - view.docs.osm[b.doc]! ||
          a.doc - b.doc,
      );
  }

  /** Of two streets of one name the one with more houses is the likelier. */
  function housesOf(doc: number): number {
    return view.numbers.starts[doc + 1]! - view.numbers.starts[doc]!;
  }

  /** Of things that differ in case and signs only, the one that is written as the question is. */
  function addSpelling(ranked: Ranked, q: string): Ranked {
    const { starts, texts } = view.sets;
    const set = view.docs.set[ranked.doc]!;
    const isNamed = ranked.text >= CERTAIN && starts[set]! < starts[set + 1]!;
    const same = isNamed && view.text(texts[starts[set]!]!) === q.trim();
    return same ? { ...ranked, score: ranked.score + BY_SPELLING } : ranked;
  }

  return { rank, keepOf };
}
