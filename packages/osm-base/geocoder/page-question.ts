/**
 * One question to one page, step by step: what its words mean here, which documents it may mean, which
 * places it names, and how well each document answers it. Between the steps pages that are searched
 * together exchange what they know (page-search.ts).
 */
import type { Budget } from "#kit/budget.ts";
import type { Location } from "#kit/geo.ts";
import { type Choice } from "./choose-ranked.ts";
import type { Word } from "./fold-words.ts";
import type { GeocodeWords } from "./geocode-query.ts";
import type { View } from "./geocoder-view.ts";
import { toPoint7, type Point7 } from "./metres.ts";
import type { NamedElsewhere } from "./named-places.ts";
import { createRanking, type Ranking } from "./rank-answers.ts";
import { bestMeanings, type Candidate, retrieve, type Scratch } from "./retrieve.ts";
import type { BestMeaning, WordStatistics } from "./word-statistics.ts";

/** From here on a name is what was asked for, whatever kind its words are. */
export const CERTAIN = 0.95;
const BY_SPELLING = 0.002;
/** Places that are named are looked at beyond the candidates, as many as these. */
const MAX_NAMED = 8;

export type PageQuery = {
  q: string;
  words: readonly Word[];
  /** The same as numbers of the page's words. */
  query: GeocodeWords;
  near: Location | null;
  /** The last word is the beginning of one. */
  open: boolean;
  /** Things of interest a little before others. */
  interest: boolean;
  /** Documents that may be answers. */
  keep(doc: number): boolean;
};

/** What is the same for all pages that are searched together. */
export type SharedWeights = {
  weights: Float64Array;
  best: readonly (BestMeaning | null)[];
};

export class PageQuestion {
  readonly #view: View;
  readonly #scratch: Scratch;
  readonly #query: PageQuery;
  readonly #near: Point7 | null;
  #places: readonly number[] = [];
  #ranking: Ranking | null = null;

  constructor(view: View, scratch: Scratch, query: PageQuery) {
    this.#view = view;
    this.#scratch = scratch;
    this.#query = query;
    this.#near = query.near && toPoint7(query.near);
  }

  /** What each word means at best here. */
  bestMeanings(statistics: WordStatistics): (BestMeaning | null)[] {
    return bestMeanings(this.#view, this.#query.query, statistics);
  }

  /** Documents that the question may mean, in no order. */
  retrieve({ weights }: SharedWeights, budget: Budget): Candidate[] {
    const { query, keep } = this.#query;
    const options = { near: this.#near, weights, budget, keep };
    const match = retrieve(this.#view, query, this.#scratch, options);
    this.#places = match.places;
    return match.candidates;
  }

  /** Reads which places the question names here; `weightOf`: of a word of a name, by its number. */
  readPlaces(shared: SharedWeights, weightOf: (term: number) => number): () => NamedElsewhere[] {
    const { interest, open, query } = this.#query;
    const options = { near: this.#near, ...shared, weightOf, interest, open };
    this.#ranking = createRanking(this.#view, query, { ...options, places: this.#places });
    return this.#ranking.named;
  }

  /** Ranks these documents, and the places that the question names. `others`: what other pages know of those. */
  rank(docs: readonly number[], others: readonly NamedElsewhere[]): Choice[] {
    const { rank, named } = this.#ranking!.bind(others);
    const names = named.filter(this.#query.keep).slice(0, MAX_NAMED);
    return [...new Set([...docs, ...names])].map((doc) => this.#toChoice(rank(doc), names));
  }

  /** Of things that differ in case and signs only, the one that is written as the question is leads. */
  #toChoice(
    ranked: ReturnType<ReturnType<Ranking["bind"]>["rank"]>,
    names: readonly number[],
  ): Choice {
    const { docs, numbers, sets, text } = this.#view;
    const { doc } = ranked;
    const set = docs.set[doc]!;
    const [from, to] = [sets.starts[set]!, sets.starts[set + 1]!];
    const isNamed = ranked.text >= CERTAIN && from < to;
    const isSame = isNamed && text(sets.texts[from]!) === this.#query.q.trim();
    return {
      ...ranked,
      score: ranked.score + (isSame ? BY_SPELLING : 0),
      isNamed: names.includes(doc),
      houses: numbers.starts[doc + 1]! - numbers.starts[doc]!,
      osm: docs.osm[doc]!,
      name: docs.osm[doc] === 0 && from < to ? text(sets.texts[from]!) : "",
    };
  }
}
