/**
 * Which pages a question is asked of (docs/lab/pages.md): those that have most of its words, by weight,
 * the most important and the nearest of these first. What is left out is said.
 */
import type { Budget } from "#kit/budget.ts";
import type { Location } from "#kit/geo.ts";
import { MAX_BEHIND } from "./choose-ranked.ts";
import { gapOf, type ClusterBox7 } from "./clusters.ts";
import { countryNames } from "./contexts.ts";
import { wordsOf, type Word } from "./fold-words.ts";
import { type GeocodeWords, makeQuery } from "./geocode-query.ts";
import { toPoint7 } from "./metres.ts";
import type { Names } from "./open-names.ts";
import { kindWord } from "./page-names.ts";
import { type QuestionReading, toReading } from "./question-reading.ts";
import { type BestMeaning, joinMeanings, weighWords } from "./word-statistics.ts";

/** Pages that one question is asked of. */
export const MOST_PAGES = 8;

/** Where a word only says where things are it explains a little less than where they are called so. */
const AROUND = 0.96;
const BY_IMPORTANCE = 0.12;
const BY_NEARNESS = 0.2;
const NEAR_M = 5_000;
/** Less of a question is explained by no candidate. */
const MIN_TEXT = 0.4;

export type PlannedPage = {
  /** Number of the names in the list, and of the page among theirs. */
  names: number;
  page: number;
  /** As much of the question its words can explain, 0 to 1. */
  text: number;
  /** The same with importance and nearness. */
  value: number;
  /** Entries of its lists that are read for the question, at most. */
  entries: number;
};

export type QuestionPlan = {
  /** The likeliest first. */
  pages: readonly PlannedPage[];
  /** The likeliest of the pages that are left out; null: none is. */
  rest: PlannedPage | null;
  /** Some words have so many pages that not all were looked at. */
  isCut: boolean;
  best: readonly (BestMeaning | null)[];
  /** By number of the names. */
  readings: readonly QuestionReading[];
};

export type PlanOptions = {
  near: Location | null;
  country: string | null;
  /** The last word is the beginning of one. */
  prefix: boolean;
  budget: Budget;
  most?: number;
  /** Whether a page is there, by the number of its names and its own; absent: all are. */
  isThere?: (names: number, page: number) => boolean;
};

/** Plans a question over the names of several bases, of which words weigh the same. */
export function planPages(
  list: readonly Names[],
  words: readonly Word[],
  { near, country, prefix, budget, most = MOST_PAGES, isThere = () => true }: PlanOptions,
): QuestionPlan {
  const queries = list.map((names) =>
    makeQuery(words, names.terms, { prefix, budget, documentsOf: (term) => names.documentsOf(term) }),
  );
  const frequencyOf = (word: string): number =>
    list.reduce((sum, names) => sum + names.frequencyOf(word), 0);
  const meanings = queries.map(({ meanings: own }, i) =>
    own.map(([first]): BestMeaning | null => {
      if (!first) return null;
      const word = list[i]!.terms.text(first.term);
      return { word, surety: first.surety, documents: frequencyOf(word) };
    }),
  );
  const best = joinMeanings(meanings);
  const documents = list.reduce((sum, names) => sum + names.documents, 0);
  const weights = weighWords(words, best, documents);
  let isCut = false;
  const covers = list.map((names, i) => {
    const cover = new PageCover(names, words, weights);
    isCut = !cover.add(queries[i]!, budget) || isCut;
    const isOf = pagesOfCountry(names, country);
    cover.finish(near, (page) => isOf(page) && isThere(i, page));
    return cover;
  });
  const picked = pickPages(covers, weights, most);
  return {
    pages: picked,
    rest: likeliest(covers, picked),
    isCut,
    best,
    readings: queries.map((query, i) => toReading(query, list[i]!.terms)),
  };
}

/** Words for each of which the likeliest page that has it is asked, whatever else it has. */
const MOST_KEY_WORDS = 4;

/**
 * The likeliest pages, with those among them that have one of the heaviest words: a place that is named
 * is known in its own page, and binds what others find.
 */
function pickPages(
  covers: readonly PageCover[],
  weights: Float64Array,
  most: number,
): PlannedPage[] {
  const heaviest = [...weights.keys()].sort((a, b) => weights[b]! - weights[a]! || a - b);
  const picked: PlannedPage[] = [];
  for (const at of heaviest.slice(0, MOST_KEY_WORDS)) {
    const page = likeliest(covers, [], 1 << at);
    const isThere = picked.some((own) => own.names === page?.names && own.page === page.page);
    if (page && !isThere && picked.length < most) picked.push(page);
  }
  while (picked.length < most) {
    const page = likeliest(covers, picked);
    if (page === null) break;
    picked.push(page);
  }
  return picked.sort((a, b) => b.value - a.value || a.names - b.names || a.page - b.page);
}

/** Of the pages that are not yet picked, and have one of these words as a name; null: there is none. */
function likeliest(
  covers: readonly PageCover[],
  picked: readonly PlannedPage[],
  called = 0xffff,
): PlannedPage | null {
  let best = { names: -1, page: -1, value: 0 };
  for (const [names, cover] of covers.entries()) {
    const page = cover.likeliest(called, (own) =>
      picked.some((each) => each.names === names && each.page === own),
    );
    const value = page < 0 ? 0 : cover.valueOf(page);
    if (value > best.value) best = { names, page, value };
  }
  return best.page < 0 ? null : { ...best, ...covers[best.names]!.factsOf(best.page) };
}

/** Other bases are asked first only where they explain about as much: what is called so leads. */
const CLOSE = 0.1;

/** Whether two pages are of one base, whose answers are one list. */
type AreOfOne = (a: PlannedPage, b: PlannedPage) => boolean;

/** Pages that are asked first: no other one has more to say, if the best of these is as good as its words are. */
export function firstOf({ pages }: QuestionPlan, areOfOne: AreOfOne): PlannedPage[] {
  const top = pages.reduce<PlannedPage | null>(
    (best, page) => (best === null || page.text > best.text ? page : best),
    null,
  );
  return pages.filter(
    (page) => top !== null && page.text >= top.text - (areOfOne(page, top) ? MAX_BEHIND : CLOSE),
  );
}

/** Whether other pages of the plan have to be asked, too, by what was found in the first. */
export function needsAll(
  { pages }: QuestionPlan,
  first: readonly PlannedPage[],
  best: Found | null,
): boolean {
  if (first.length === pages.length || (best !== null && isDone(best))) return false;
  const least = best === null ? MIN_TEXT - MAX_BEHIND : best.explained - CLOSE;
  return pages.some((page) => !first.includes(page) && page.text >= least);
}

/** What is asked for is in the place that is named: other pages have it in others. */
function isDone({ unexplained, in_named_place }: Found): boolean {
  return unexplained.length === 0 && in_named_place;
}

/** Parts of a question that are as large, but for what rounding makes of it. */
const EQUAL = 0.001;

/** What is known of a candidate that was found. */
export type Found = { explained: number; unexplained: readonly string[]; in_named_place: boolean };

/** Whether pages that were not asked may have better candidates than the best that was found; null: none was. */
export function mayBeBetter({ rest, isCut }: QuestionPlan, best: Found | null): boolean {
  if (isCut) return true;
  if (rest === null) return false;
  if (best === null) return rest.text >= MIN_TEXT;
  if (isDone(best)) return false;
  return rest.text >= best.explained - EQUAL;
}

/** What the words of pages explain of one question. */
class PageCover {
  readonly #names: Names;
  readonly #words: readonly Word[];
  readonly #weights: Float64Array;
  /** By page and word: how surely the page has it, by itself and by its parts. */
  readonly #whole: Float32Array;
  readonly #parts: Float32Array;
  /** By page: weight of the heaviest word that things are called by, and their importance. */
  readonly #called: Float32Array;
  readonly #importance: Uint8Array;
  readonly #words_called: Uint16Array;
  readonly #entries: Uint32Array;
  readonly #texts: Float64Array;
  readonly #values: Float64Array;

  constructor(names: Names, words: readonly Word[], weights: Float64Array) {
    const pages = names.boxes.length;
    this.#names = names;
    this.#words = words;
    this.#weights = weights;
    this.#whole = new Float32Array(pages * words.length);
    this.#parts = new Float32Array(pages * words.length);
    this.#called = new Float32Array(pages);
    this.#importance = new Uint8Array(pages);
    this.#words_called = new Uint16Array(pages);
    this.#entries = new Uint32Array(pages);
    this.#texts = new Float64Array(pages);
    this.#values = new Float64Array(pages);
  }

  /** Adds what a question's words mean; false: not all of it. */
  add({ units, hits }: GeocodeWords, budget: Budget): boolean {
    const of_unit: { term: number; surety: number }[][] = units.map(() => []);
    for (const [term, list] of hits)
      for (const { unit, surety } of list) of_unit[unit]!.push({ term, surety });
    const sureties = new Float32Array(this.#names.boxes.length);
    for (const [i, { at, span, share }] of units.entries()) {
      const touched: number[] = [];
      const weight = this.#weights[at]! * share + (span === 2 ? this.#weights[at + 1]! : 0);
      for (const { term, surety } of of_unit[i]!.sort((a, b) => b.surety - a.surety)) {
        if (!budget.look(this.#names.pagesOf(term))) return false;
        this.#names.eachPage(term, (page, documents, importance, around) => {
          this.#entries[page]! += documents;
          const own = importance > 0 ? surety : (surety * AROUND * around) / 255;
          if (sureties[page] === 0) touched.push(page);
          if (own > sureties[page]!) sureties[page] = own;
          if (importance > 0) this.#words_called[page]! |= 1 << at;
          const called = importance > 0 ? weight * surety : 0;
          if (called < this.#called[page]! || called === 0) return;
          if (called > this.#called[page]!) this.#importance[page] = 0;
          this.#called[page] = called;
          this.#importance[page] = Math.max(this.#importance[page]!, importance);
        });
      }
      for (const page of touched) {
        const into = share < 1 ? this.#parts : this.#whole;
        for (let word = at; word < at + span; word++) {
          const slot = page * this.#words.length + word;
          const value = share < 1 ? into[slot]! + sureties[page]! * share : sureties[page]!;
          into[slot] = Math.max(into[slot]!, value);
        }
        sureties[page] = 0;
      }
    }
    return true;
  }

  /** Weighs pages in which something is called by a word of the question. */
  finish(near: Location | null, isAsked: (page: number) => boolean): void {
    const total = this.#weights.reduce((sum, weight) => sum + weight, 0);
    const point = near && toPoint7(near);
    const at: ClusterBox7 | null = point && [point.lat7, point.lon7, point.lat7, point.lon7];
    for (const [page, called] of this.#called.entries()) {
      if (called === 0 || total === 0 || !isAsked(page)) continue;
      const text = this.#textOf(page) / total;
      const nearness = at ? NEAR_M / (NEAR_M + gapOf(at, this.#names.boxes[page]!)) : 0;
      const importance = (BY_IMPORTANCE * this.#importance[page]!) / 255;
      this.#texts[page] = text;
      this.#values[page] = text + importance + BY_NEARNESS * nearness;
    }
  }

  /** The page with the greatest value that is called by one of these words; -1: there is none. */
  likeliest(called: number, isPicked: (page: number) => boolean): number {
    let [best, value] = [-1, 0];
    for (let page = 0; page < this.#values.length; page++)
      if (
        this.#values[page]! > value &&
        (this.#words_called[page]! & called) !== 0 &&
        !isPicked(page)
      ) {
        best = page;
        value = this.#values[page]!;
      }
    return best;
  }

  valueOf(page: number): number {
    return this.#values[page]!;
  }

  factsOf(page: number): Pick<PlannedPage, "text" | "entries"> {
    return { text: this.#texts[page]!, entries: this.#entries[page]! };
  }

  #textOf(page: number): number {
    let sum = 0;
    for (const [at, { text }] of this.#words.entries()) {
      const slot = page * this.#words.length + at;
      const own = Math.min(1, Math.max(this.#whole[slot]!, this.#parts[slot]!));
      // Any page may have a house of the number.
      sum += this.#weights[at]! * (isHouseNumber(text) ? 1 : own);
    }
    return sum;
  }
}

/** Fewer digits than postcodes have. */
function isHouseNumber(text: string): boolean {
  return /^\d{1,3}[a-z]{0,2}$/.test(text);
}

/** Pages that say that they are in a country; where no word for it is known all are. */
function pagesOfCountry(names: Names, country: string | null): (page: number) => boolean {
  const [called = ""] = country === null ? [] : countryNames(country.toUpperCase());
  const terms = wordsOf(called).map((word) => names.terms.find(word));
  if (terms.length === 0 || terms.some((term) => term < 0)) return () => true;
  const sets = terms.map((term) => {
    const pages = new Set<number>();
    names.eachPage(term, (page) => pages.add(page));
    return pages;
  });
  return (page) => sets.every((pages) => pages.has(page));
}

export type PlannedKinds = {
  names: number;
  page: number;
  /** Nothing of the kinds in it is nearer; without a place the less, the weightier. */
  order: number;
};

/** Pages that have things of kinds, in the order in which they are to be asked. */
export function planKinds(
  list: readonly Names[],
  kinds: readonly string[],
  { around, country }: { around: ClusterBox7 | null; country: string | null },
): PlannedKinds[] {
  const planned = list.flatMap((names, i) => {
    const orders = new Map<number, number>();
    const isOf = pagesOfCountry(names, country);
    for (const kind of kinds) {
      const term = names.terms.find(kindWord(kind));
      if (term < 0) continue;
      names.eachPage(term, (page, documents, importance) => {
        if (documents === 0 || !isOf(page)) return;
        const order = around ? gapOf(around, names.boxes[page]!) : -importance;
        orders.set(page, Math.min(order, orders.get(page) ?? Infinity));
      });
    }
    return [...orders].map(([page, order]) => ({ names: i, page, order }));
  });
  return planned.sort((a, b) => a.order - b.order || a.names - b.names || a.page - b.page);
}
