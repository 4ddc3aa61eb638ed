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
import { makeQuery } from "./geocode-query.ts";
import type { Names } from "./open-names.ts";
import { PageCover } from "./page-cover.ts";
import { kindWord } from "./page-names.ts";
import { type QuestionReading, toReading } from "./question-reading.ts";
import { type BestMeaning, joinMeanings, weighWords } from "./word-statistics.ts";

/** Pages that one question is asked of. */
export const MOST_PAGES = 8;

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
  /** Words of the question for each of which it is the likeliest page that has something called so. */
  keys: readonly string[];
};

export type QuestionPlan = {
  /** The likeliest first. */
  pages: readonly PlannedPage[];
  /** As much of the question the pages that are left out can explain, 0 to 1; 0: none is. */
  rest: number;
  /** Some words have more pages than were looked at. */
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
  const queries = ofHalf(budget, list, (names, own) =>
    makeQuery(words, names.terms, {
      prefix,
      budget: own,
      documentsOf: (term) => names.documentsOf(term),
    }),
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
  const covers = ofHalf(budget, list, (names, own, i) => {
    const cover = new PageCover(names, words, weights);
    isCut = !cover.add(queries[i]!, own) || isCut;
    const isOf = pagesOfCountry(names, country);
    cover.finish(near, (page) => isOf(page) && isThere(i, page));
    return cover;
  });
  const picked = pickPages(covers, words, { weights, most });
  const left = covers.map((cover, i) => Math.max(cover.leftOut, cover.most(isAmong(picked, i))));
  return {
    pages: picked,
    rest: Math.max(0, ...left),
    isCut,
    best,
    readings: queries.map((query, i) => toReading(query, list[i]!.terms)),
  };
}

/** Of several names each has a share of a half of what is left, so that the other half is for what follows. */
function ofHalf<T>(
  budget: Budget,
  list: readonly Names[],
  run: (names: Names, budget: Budget, i: number) => T,
): T[] {
  if (list.length === 1) return list.map((names, i) => run(names, budget, i));
  const half = budget.splitOff(1, 2);
  const results = list.map((names, i) => half.share(list.length - i, (own) => run(names, own, i)));
  budget.settle(half);
  return results;
}

/** Words for each of which the likeliest page that has it is asked, whatever else it has. */
const MOST_KEY_WORDS = 4;

/**
 * The likeliest pages, with those among them that have one of the heaviest words: a place that is named
 * is known in its own page, and binds what others find.
 */
function pickPages(
  covers: readonly PageCover[],
  words: readonly Word[],
  { weights, most }: { weights: Float64Array; most: number },
): PlannedPage[] {
  const heaviest = [...weights.keys()].sort((a, b) => weights[b]! - weights[a]! || a - b);
  const picked: PlannedPage[] = [];
  for (const at of heaviest.slice(0, MOST_KEY_WORDS)) {
    const page = likeliest(covers, [], 1 << at);
    if (page === null) continue;
    const keys = [words[at]!.text];
    const before = picked.findIndex((own) => own.names === page.names && own.page === page.page);
    if (before >= 0) picked[before] = { ...page, keys: [...picked[before]!.keys, ...keys] };
    else if (picked.length < most) picked.push({ ...page, keys });
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
  let best: PlannedPage | null = null;
  for (const [names, cover] of covers.entries()) {
    const row = cover.likeliest(called, isAmong(picked, names));
    if (row === null || (best !== null && row.value <= best.value)) continue;
    const { page, text, value, entries } = row;
    best = { names, page, text, value, entries, keys: [] };
  }
  return best;
}

function isAmong(picked: readonly PlannedPage[], names: number): (page: number) => boolean {
  return (page) => picked.some((each) => each.names === names && each.page === page);
}

/** Other bases are asked first only where they explain about as much: what is called so leads. */
const CLOSE = 0.02;

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

/**
 * Whether other pages of the plan have to be asked, too, by what was found in the first. In pages of one
 * base what is that much behind the best is an answer, too, and a place that is named there binds; a name
 * that has more words than the question is not as good as its words are.
 */
export function needsAll(
  { pages }: QuestionPlan,
  first: readonly PlannedPage[],
  best: Found | null,
  areOfOne: AreOfOne,
): boolean {
  if (first.length === pages.length) return false;
  const isLeast = best !== null && best.score < best.explained;
  if (best !== null && isDone(best) && !isLeast) return false;
  const least = best === null ? MIN_TEXT - MAX_BEHIND : best.explained - CLOSE;
  const least_of_one = best === null ? least : Math.min(best.explained, best.score) - MAX_BEHIND;
  return pages.some((page) => {
    if (first.includes(page)) return false;
    if (best?.unexplained.some((word) => page.keys.includes(word))) return true;
    const isOfOne = first.some((each) => areOfOne(page, each));
    return page.text >= Math.min(least, isOfOne ? least_of_one : least);
  });
}

/** What is asked for is in the place that is named: other pages have it in others. */
function isDone({
  unexplained,
  in_named_place,
}: Pick<Found, "unexplained" | "in_named_place">): boolean {
  return unexplained.length === 0 && in_named_place;
}

/** Parts of a question that are as large, but for what rounding makes of it. */
const EQUAL = 0.001;

/** What is known of a candidate that was found. */
export type Found = {
  explained: number;
  unexplained: readonly string[];
  in_named_place: boolean;
  /** Less than what it explains where its name has more words, or it lies elsewhere. */
  score: number;
};

/** Whether pages that were not asked may have better candidates than the best that was found; null: none was. */
export function mayBeBetter({ rest, isCut }: QuestionPlan, best: Found | null): boolean {
  if (isCut) return true;
  if (rest === 0) return false;
  if (best === null) return rest >= MIN_TEXT;
  const { explained, score } = best;
  if (isDone(best) && score >= explained) return false;
  return rest >= Math.max(MIN_TEXT, Math.min(explained, score)) - EQUAL;
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
