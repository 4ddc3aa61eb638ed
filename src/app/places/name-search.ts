/**
 * One question by name to the bases of a deployment: it is planned by their words, asked of the pages
 * that may answer it, and answered with a list of each base.
 */
import type { Budget } from "#kit/budget.ts";
import type { Turn } from "#kit/run/turn.ts";
import { type ClusterBox7, pointBox } from "#osm/geocoder/clusters.ts";
import { readQuestion, type Word } from "#osm/geocoder/fold-words.ts";
import type { ForwardQuery } from "#osm/geocoder/forward.ts";
import { MAX_WORDS } from "#osm/geocoder/geocode-query.ts";
import { readKinds } from "#osm/geocoder/kind-search.ts";
import { toPoint7 } from "#osm/geocoder/metres.ts";
import { compareListed, type ListedItem, type PageGeocoder } from "#osm/geocoder/page-geocoder.ts";
import {
  explainKind,
  joinSearch,
  type NameAnswers,
  type RankedPlace,
} from "#osm/geocoder/page-search.ts";
import {
  firstOf,
  type Found,
  mayBeBetter,
  MOST_PAGES,
  needsAll,
  planKinds,
  type PlannedPage,
  planPages,
  type QuestionPlan,
} from "#osm/geocoder/plan-pages.ts";
import type { Explanation, GeocodeItem } from "#osm/geocoder/present-answers.ts";
import type { GeocodingBase } from "#ports/geocoding-base.ts";
import type { NameEngine, NameGroup, NotRanked } from "#ports/name-engine.ts";
import { EXACTLY } from "./base-coverage.ts";
import type { BaseHit } from "./base-hits.ts";
import type { PinnedBases } from "./pinned-bases.ts";
import type { BookView } from "./word-book.ts";

export type SearchQuery = Pick<
  ForwardQuery,
  "q" | "language" | "country" | "near" | "limit" | "prefix"
>;

type Deps = {
  book: BookView;
  engine: NameEngine;
  pinned: PinnedBases;
  budget: Budget;
  turn: Turn;
  signal?: AbortSignal;
};

/** Pages of a base that a question is asked of, by number. */
type Searched = { base: GeocodingBase; pages: number[]; names: number };

/** Pages of the plan that are asked, whatever number of bases is asked besides. */
const LEAST_PAGES = 4;
/** Part of the budget that the pages which are asked first have: all of the plan may have to be asked then. */
const OF_FIRST = [2, 3] as const;

export class NameSearch {
  readonly #deps: Deps;
  #plan: QuestionPlan | null = null;
  #isKindCut = false;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** A list of each base that has something, or why nothing is known. */
  async find(
    operation: "geocode" | "search",
    query: SearchQuery,
  ): Promise<BaseHit[][] | NotRanked> {
    const words = readQuestion(query.q, MAX_WORDS);
    if (operation === "geocode") {
      const ranked = await this.#rank(words, query, "items");
      if ("reason" in ranked) return ranked;
      const lists = ranked.searched.map(({ base }, i) => toHits(ranked.lists[i]!, base));
      if ((bestOf("items", ranked.lists)?.explained ?? 0) >= EXACTLY) return lists;
      const in_place = await this.#findKinds(words, query, true);
      if ("reason" in in_place) return in_place;
      return [...lists, ...[...in_place].map(([base, items]) => toHits(items, base))];
    }
    const ranked = await this.#rank(words, query, "parts");
    if ("reason" in ranked) return ranked;
    const { searched, lists } = ranked;
    const isOpen = lists.length === 0 || lists.some(({ certain }) => certain.length < query.limit);
    const of_kind = isOpen ? await this.#findKinds(words, query) : NONE;
    if ("reason" in of_kind) return of_kind;
    const bases = new Set([...searched.map(({ base }) => base), ...of_kind.keys()]);
    return [...bases].map((base) => {
      const parts = lists[searched.findIndex((each) => each.base === base)] ?? NO_PARTS;
      const kinds = parts.certain.length < query.limit ? (of_kind.get(base) ?? []) : [];
      return toHits(joinSearch(parts, kinds, query.limit), base);
    });
  }

  /** Whether pages that were not asked may have better answers than the best; null: nothing was found. */
  isCut(best: GeocodeItem | null): boolean {
    return this.#isKindCut || (this.#plan !== null && mayBeBetter(this.#plan, best));
  }

  async #rank<Wanted extends keyof NameAnswers>(
    words: readonly Word[],
    query: SearchQuery,
    wanted: Wanted,
  ): Promise<{ searched: Searched[]; lists: readonly NameAnswers[Wanted][] } | NotRanked> {
    const { book, turn, budget } = this.#deps;
    if (words.length === 0) return { searched: [], lists: [] };
    await turn();
    const plan = book.names.length > 0 ? this.#planOf(words, query) : null;
    if (wanted !== "place") this.#plan = plan;
    const baseOf = ({ names, page }: PlannedPage) => book.placeOf(names, page)?.base;
    const areOfOne = (a: PlannedPage, b: PlannedPage): boolean => baseOf(a) === baseOf(b);
    const first = plan ? firstOf(plan, areOfOne) : [];
    if (plan === null || first.length === plan.pages.length)
      return await this.#rankIn(words, query, { wanted, plan, pages: first, budget });
    const part = budget.splitOff(...OF_FIRST);
    const ranked = await this.#rankIn(words, query, { wanted, plan, pages: first, budget: part });
    budget.settle(part);
    if ("reason" in ranked) return ranked;
    if (!needsAll(plan, first, bestOf(wanted, ranked.lists), areOfOne)) return ranked;
    return await this.#rankIn(words, query, { wanted, plan, pages: plan.pages, budget });
  }

  async #rankIn<Wanted extends keyof NameAnswers>(
    words: readonly Word[],
    query: SearchQuery,
    {
      wanted,
      plan,
      pages,
      budget,
    }: {
      wanted: Wanted;
      plan: QuestionPlan | null;
      pages: readonly PlannedPage[];
      budget: Budget;
    },
  ): Promise<{ searched: Searched[]; lists: readonly NameAnswers[Wanted][] } | NotRanked> {
    const { book, pinned, engine, signal } = this.#deps;
    const searched = [...this.#toSearched(pages), ...book.alone.map(toAlone)];
    await pinned.add(searched, signal);
    const groups = searched.map(({ base, pages: own, names }): NameGroup => {
      const reading = plan?.readings[names];
      return { pages: pinned.pagesOf(base, own), ...(reading ? { reading } : {}) };
    });
    const alone = book.alone.flatMap((base) => pinned.of(base).flatMap(({ page }) => page ?? []));
    const statistics = book.statisticsOf(alone);
    const weighing = { names: book.names, pages: alone, statistics };
    const best = plan ? { best: plan.best } : {};
    const request = {
      ...{ words, query: { ...query, ...best }, interest: wanted === "parts", groups, weighing },
      ...{ budget, entries: entriesOf(pages, alone, words), ...(signal ? { signal } : {}) },
    };
    const ranked = await engine.rank(request, wanted);
    return ranked.ok ? { searched, lists: ranked.lists } : { reason: ranked.reason };
  }

  #planOf(words: readonly Word[], { near, country, prefix = false }: SearchQuery): QuestionPlan {
    const { book, budget } = this.#deps;
    const most = Math.max(LEAST_PAGES, MOST_PAGES - book.alone.length);
    const isThere = (names: number, page: number): boolean => book.isThere(names, page);
    return planPages(book.names, words, { near, country, prefix, budget, most, isThere });
  }

  /** Pages of the plan by base, the likeliest first. */
  #toSearched(pages: readonly PlannedPage[]): Searched[] {
    const searched = new Map<GeocodingBase, Searched>();
    for (const { names, page } of pages) {
      const place = this.#deps.book.placeOf(names, page)!;
      const own = searched.get(place.base) ?? { base: place.base, pages: [], names };
      own.pages.push(place.page);
      searched.set(place.base, own);
    }
    return [...searched.values()];
  }

  /**
   * Things of the kinds that words are, around the place that the others name, or near. `isNamed`: only
   * around a place of which all is known, which is no address.
   */
  async #findKinds(
    words: readonly Word[],
    query: SearchQuery,
    isNamed = false,
  ): Promise<ReadonlyMap<GeocodingBase, GeocodeItem[]> | NotRanked> {
    const question = readKinds(words);
    if (!question) return NONE;
    const { kinds, where } = question;
    if (isNamed && (where.length === 0 || /\d/.test(query.q))) return NONE;
    const near = query.near && pointBox(toPoint7(query.near));
    if (where.length === 0)
      return this.#listKinds(kinds, query, { around: near, place: null, of: null });
    const ranked = await this.#rank(where, query, "place");
    if ("reason" in ranked) return ranked;
    const { searched, lists } = ranked;
    const all = new Map<GeocodingBase, GeocodeItem[]>();
    for (const [i, { base }] of searched.entries()) {
      const place: RankedPlace | null = lists[i]!;
      // Words that say where, and are not known, are no reason to look elsewhere.
      if (place === null || (isNamed && place.explanation.unexplained.length > 0)) continue;
      const explanation = explainKind(place.explanation, where.length / words.length);
      const options = { around: place.box, place: explanation, of: base };
      for (const [each, items] of await this.#listKinds(kinds, query, options))
        all.set(each, items);
    }
    return all;
  }

  /** Pages are asked one after the other, as long as they may have something nearer. */
  async #listKinds(
    kinds: readonly string[],
    query: SearchQuery,
    {
      around,
      place,
      of,
    }: { around: ClusterBox7 | null; place: Explanation | null; of: GeocodingBase | null },
  ): Promise<Map<GeocodingBase, GeocodeItem[]>> {
    const { book, pinned, budget, signal, turn } = this.#deps;
    const pages = [
      ...book.alone
        .map(toAlone)
        .flatMap(({ base, pages: own }) => own.map((page) => ({ base, page, order: -Infinity }))),
      ...planKinds(book.names, kinds, { around, country: query.country }).flatMap((each) => {
        const own = book.placeOf(each.names, each.page);
        return own ? [{ ...own, order: each.order }] : [];
      }),
    ].filter(({ base }) => of === null || base === of);
    const matches = new Map<GeocodingBase, ListedItem[]>();
    const orders: number[] = [];
    const most = MOST_PAGES + book.alone.length;
    for (const [i, { base, page, order }] of pages.entries()) {
      orders.sort((a, b) => a - b);
      // What is as near may go before by its object.
      if ((orders[query.limit - 1] ?? Infinity) < order) break;
      if (i >= most) {
        this.#isKindCut = true;
        break;
      }
      await turn();
      await pinned.add([{ base, pages: [page] }], signal);
      for (const { cell, page: own } of pinned.pagesOf(base, [page])) {
        const options = { ...query, around, cell, ...(place ? { explanation: place } : {}) };
        const list = budget.share(Math.max(1, Math.min(most, pages.length) - i), (part) =>
          own.geocoder?.page?.listKinds(kinds, { ...options, budget: part }),
        );
        matches.set(base, [...(matches.get(base) ?? []), ...(list ?? [])]);
        orders.push(...(list ?? []).map((each) => each.order));
      }
    }
    return new Map([...matches].map(([base, list]) => [base, nearestOf(list, query.limit)]));
  }
}

const NONE: ReadonlyMap<GeocodingBase, GeocodeItem[]> = new Map();
const NO_PARTS: NameAnswers["parts"] = { certain: [], others: [], apart: [] };

/** What explains most of what was found in all bases; null: nothing was. */
function bestOf<Wanted extends keyof NameAnswers>(
  wanted: Wanted,
  lists: readonly NameAnswers[Wanted][],
): Found | null {
  const first = lists.flatMap((list) => BEST[wanted](list) ?? []);
  return first.reduce<Found | null>(
    (best, each) => (best === null || each.explained > best.explained ? each : best),
    null,
  );
}

const BEST: { [Wanted in keyof NameAnswers]: (answer: NameAnswers[Wanted]) => Found | undefined } =
  {
    items: (items) => items[0],
    parts: ({ certain, others }) => certain[0] ?? others[0],
    place: (place) =>
      place ? { ...place.explanation, score: place.explanation.explained } : undefined,
  };

function toAlone(base: GeocodingBase): Searched {
  const ground = base.pages.rows.flatMap(({ level }, page) => (level === "ground" ? [page] : []));
  return { base, pages: ground.slice(0, MOST_PAGES), names: -1 };
}

function toHits(items: readonly GeocodeItem[], base: GeocodingBase): BaseHit[] {
  return items.map((item) => ({ item, base }));
}

function nearestOf(list: ListedItem[], limit: number): GeocodeItem[] {
  return list
    .sort(compareListed)
    .slice(0, limit)
    .map(({ item }) => item);
}

/** Entries of lists that are read, about: those of words as they are written. */
function entriesOf(
  pages: readonly PlannedPage[],
  alone: readonly PageGeocoder[],
  words: readonly Word[],
): number {
  const planned = pages.reduce((sum, { entries }) => sum + entries, 0);
  return alone.reduce(
    (sum, { statistics }) =>
      sum + words.reduce((own, { text }) => own + statistics.frequencyOf(text), 0),
    planned,
  );
}
