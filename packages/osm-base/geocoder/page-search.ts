/**
 * Questions by name over pages (docs/lab/pages.md). Groups of pages are bases: within one pages answer
 * as if they were one, and over all of them words weigh the same. Each group keeps a list of its own.
 */
import type { Budget } from "#kit/budget.ts";
import { toEnd } from "#kit/steps.ts";
import { type PageCell, WHOLE } from "../pages/page-cell.ts";
import { type Choice, chooseRanked } from "./choose-ranked.ts";
import { type ClusterBox7, gapOf } from "./clusters.ts";
import type { Word } from "./fold-words.ts";
import { createGeocodingBudget, type ForwardQuery } from "./forward.ts";
import { compareListed, comparePlacing, type PageGeocoder } from "./page-geocoder.ts";
import { CERTAIN, type PageQuestion, type SharedWeights } from "./page-question.ts";
import type { Explanation, GeocodeItem, Presenter } from "./present-answers.ts";
import { MAX_CANDIDATES } from "./retrieve.ts";
import { isOneThing } from "./same-thing.ts";
import {
  type BestMeaning,
  joinMeanings,
  joinStatistics,
  weighWords,
  type WordStatistics,
} from "./word-statistics.ts";

export type SearchedPage = { page: PageGeocoder; cell: PageCell };

/** Pages of one base, and what its words may mean; absent: each page reads them by itself. */
export type SearchedGroup = {
  pages: readonly SearchedPage[];
  reading?: ForwardQuery["reading"];
};

export type NameQuestion = ForwardQuery & {
  /** Things of interest a little before others. */
  interest: boolean;
};

/** A base that is one page. */
export function alone(page: PageGeocoder): SearchedGroup[] {
  return [{ pages: [{ page, cell: WHOLE }] }];
}

/** Ranks what one base has, without any other. */
export function createRank(
  page: PageGeocoder,
): (words: readonly Word[], query: NameQuestion) => readonly Choice[] {
  const groups = alone(page);
  return (words, query) => toEnd(rankGroups(groups, words, query))[0]!.choices;
}

type PageChoice = Choice & { from: SearchedPage };

const MAX_LIMIT = 100;
/** A thing that is on the map twice, as a point and as an outline. */
const TWICE_DEG = 0.003;

/** Ranked answers of each group; in steps, one a group. */
export function* rankGroups(
  groups: readonly SearchedGroup[],
  words: readonly Word[],
  query: NameQuestion,
): Generator<void, RankedGroup[]> {
  const { budget = createGeocodingBudget() } = query;
  if (words.length === 0) return groups.map(() => new RankedGroup([], query));
  const begun: PageQuestion[][] = [];
  // What it takes to read words in many bases leaves as much for what they mean.
  const for_words = groups.length > 1 ? budget.splitOff(1, 2) : budget;
  for (const [i, { pages, reading }] of groups.entries()) {
    const own = reading ? { ...query, reading } : query;
    begun.push(
      for_words.share(groups.length - i, (part) =>
        shareOut(part, pages, ({ page, cell }, each) =>
          page.begin(words, own, { cell, budget: each }),
        ),
      ),
    );
    yield;
  }
  if (for_words !== budget) budget.settle(for_words);
  const all = groups.flatMap(({ pages }) => pages.map(({ page }) => page.statistics));
  const statistics = query.statistics ?? joinStatistics(all);
  const best = bestOf(groups, begun, { known: query.best, statistics });
  const shared = { best, weights: weighWords(words, best, statistics.documents) };
  const ranked: RankedGroup[] = [];
  for (const [i, { pages }] of groups.entries()) {
    const choices = budget.share(groups.length - i, (part) =>
      rankPages(pages, begun[i]!, { ...query, shared, statistics, budget: part }),
    );
    ranked.push(new RankedGroup(choices, query));
    yield;
  }
  return ranked;
}

/** What was read beforehand of all pages of some bases, and what the other pages have. */
function bestOf(
  groups: readonly SearchedGroup[],
  begun: readonly (readonly PageQuestion[])[],
  { known, statistics }: { known: NameQuestion["best"]; statistics: WordStatistics },
): (BestMeaning | null)[] {
  const counted = known?.map(
    (meaning) => meaning && { ...meaning, documents: statistics.frequencyOf(meaning.word) },
  );
  const open = begun.flatMap((questions, i) => (known && groups[i]!.reading ? [] : questions));
  return joinMeanings([
    ...(counted ? [counted] : []),
    ...open.map((question) => question.bestMeanings(statistics)),
  ]);
}

function shareOut<P, T>(
  budget: Budget,
  list: readonly P[],
  run: (each: P, part: Budget) => T,
): T[] {
  return list.map((each, i) => budget.share(list.length - i, (part) => run(each, part)));
}

type Shared = { shared: SharedWeights; statistics: WordStatistics; budget: Budget };

function rankPages(
  pages: readonly SearchedPage[],
  questions: readonly PageQuestion[],
  { shared, statistics, budget, prefix = false }: NameQuestion & Shared,
): PageChoice[] {
  const found = shareOut(budget, questions, (question, part) => question.retrieve(shared, part));
  const most = Math.min(MAX_CANDIDATES, budget.keepsLeft);
  // Which page has it is no reason.
  const placing = (a: { at: number; doc: number }, b: { at: number; doc: number }): number =>
    a.at === b.at
      ? 0
      : comparePlacing(pages[a.at]!.page.placingOf(a.doc), pages[b.at]!.page.placingOf(b.doc));
  const candidates = found
    .flatMap((list, at) => list.map((each) => ({ ...each, at })))
    .sort((a, b) => b.value - a.value || placing(a, b) || a.at - b.at || a.doc - b.doc)
    .slice(0, most);
  budget.keep(candidates.length);
  const named = questions.map((question, at) =>
    question.readPlaces(shared, pages[at]!.page.weightsBy(statistics)),
  );
  // One page knows all that is known.
  const lists = pages.length === 1 ? [[]] : named.map((list) => list());
  const ranked = questions.flatMap((question, at) => {
    const docs = candidates.flatMap((each) => (each.at === at ? [each.doc] : []));
    const others = lists.flatMap((list, other) => (other === at ? [] : list));
    return question.rank(docs, others).map((choice) => ({ ...choice, from: pages[at]! }));
  });
  const least_text = pages[0]?.page.least_text ?? 0;
  const chosen = chooseRanked(ranked, { least_text, open: prefix });
  return pages.length === 1 ? chosen : joinParts(chosen);
}

/** Parts of one street in two pages lie as near to one another. */
const PART_M = 200;

/** Of a street that cells cut, the part that answers best: the number is there, or more houses are. */
function joinParts(choices: readonly PageChoice[]): PageChoice[] {
  const joined: PageChoice[] = [];
  const parts = new Map<string, { at: number; box: ClusterBox7; isOwn: boolean }[]>();
  for (const choice of choices) {
    const part = choice.from.page.partOf(choice.doc);
    if (part === null) {
      joined.push(choice);
      continue;
    }
    const { key, isOwn } = part;
    const box = choice.from.page.boxOf({ doc: choice.doc, number: null });
    const list = parts.get(key) ?? [];
    const other = list.find(
      (each) => joined[each.at]!.from !== choice.from && gapOf(each.box, box) <= PART_M,
    );
    if (other === undefined) {
      parts.set(key, [...list, { at: joined.length, box, isOwn }]);
      joined.push(choice);
    } else if (
      isOwn &&
      !other.isOwn &&
      choice.houses >= joined[other.at]!.houses &&
      choice.score >= joined[other.at]!.score
    ) {
      joined[other.at] = choice;
      other.isOwn = true;
    }
  }
  return joined;
}

/** A place that a question names, to look around it. */
export type RankedPlace = { box: ClusterBox7; explanation: Explanation };

export class RankedGroup {
  readonly choices: readonly PageChoice[];
  readonly #language: string | null;
  readonly #presenters = new Map<PageGeocoder, Presenter>();

  constructor(choices: readonly PageChoice[], { language }: Pick<ForwardQuery, "language">) {
    this.choices = choices;
    this.#language = language;
  }

  /** The best, one thing once. */
  items(limit: number): GeocodeItem[] {
    return this.#list(this.choices, limit);
  }

  /** Those that are what was asked for, the others, and of these what is no place of which more is asked for. */
  parts(limit: number): { certain: GeocodeItem[]; others: GeocodeItem[]; apart: GeocodeItem[] } {
    const others = this.choices.filter(({ text }) => text < CERTAIN);
    return {
      certain: this.#list(
        this.choices.filter(({ text }) => text >= CERTAIN),
        limit,
      ),
      others: this.#list(others, limit),
      apart: this.#list(
        others.filter(({ isItself }) => !isItself),
        limit,
      ),
    };
  }

  /** The best; null: nothing is called so. */
  place(): RankedPlace | null {
    const [best] = this.choices;
    return best ? { box: best.from.page.boxOf(best), explanation: best.explain() } : null;
  }

  #list(choices: readonly PageChoice[], limit: number): GeocodeItem[] {
    const items: GeocodeItem[] = [];
    for (const choice of choices) {
      if (items.length >= limit) break;
      const { page } = choice.from;
      const present = this.#presenters.get(page) ?? page.present(this.#language);
      this.#presenters.set(page, present);
      const item = page.show(present, choice);
      if (item) addItem(items, item);
    }
    return items;
  }
}

/** What is made of the ranked answers of a base, as it is wanted. */
export type NameAnswers = {
  items: readonly GeocodeItem[];
  parts: ReturnType<RankedGroup["parts"]>;
  place: RankedPlace | null;
};

export function answersOf(
  group: RankedGroup,
  limit: number,
): { [Wanted in keyof NameAnswers]: () => NameAnswers[Wanted] } {
  return {
    items: () => group.items(limit),
    parts: () => group.parts(limit),
    place: () => group.place(),
  };
}

/** Things of kinds in pages, the nearest first. `place`: around it; null: around `near`, or the weightiest. */
export function listKinds(
  pages: readonly SearchedPage[],
  kinds: readonly string[],
  {
    place,
    around,
    budget,
    ...query
  }: Pick<ForwardQuery, "country" | "language" | "limit"> & {
    around: ClusterBox7 | null;
    place: Explanation | null;
    budget: Budget;
  },
): GeocodeItem[] {
  const options = { ...query, around, ...(place ? { explanation: place } : {}) };
  const lists = shareOut(budget, pages, ({ page, cell }, part) =>
    page.listKinds(kinds, { ...options, cell, budget: part }),
  );
  const [only] = lists;
  if (only && lists.length === 1) return only.map(({ item }) => item);
  return lists
    .flat()
    .sort(compareListed)
    .slice(0, query.limit)
    .map(({ item }, n) => ({ ...item, score: 1 - n / MAX_LIMIT }));
}

/** Joins what a search by name and one by kind have found. */
export function joinSearch(
  { certain, others, apart }: ReturnType<RankedGroup["parts"]>,
  of_kind: readonly GeocodeItem[],
  limit: number,
): GeocodeItem[] {
  const items = [...certain];
  // Things of a kind in a named place are more than the place alone.
  for (const item of [...of_kind, ...(of_kind.length > 0 ? apart : others)]) addItem(items, item);
  return items.slice(0, limit);
}

/** Things of a kind explain its words, and of the others what the place that they say does. */
export function explainKind({ explained, ...reported }: Explanation, part: number): Explanation {
  return { ...reported, explained: 1 - part * (1 - explained) };
}

function addItem(items: GeocodeItem[], item: GeocodeItem): void {
  const isThere = (other: GeocodeItem): boolean =>
    isOneThing(item, other) || (!item.by_kind && isTwice(item, other));
  if (!items.some(isThere)) items.push(item);
}

function isTwice(a: GeocodeItem, b: GeocodeItem): boolean {
  return (
    a.label === b.label &&
    a.type === b.type &&
    Math.abs(a.location.lat - b.location.lat) < TWICE_DEG &&
    Math.abs(a.location.lon - b.location.lon) < TWICE_DEG
  );
}
