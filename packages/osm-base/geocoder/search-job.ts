/**
 * Questions by name in another thread, over the same memory: it opens the pages and the names that it
 * is handed, keeps them, and is asked by their numbers.
 */
import { Budget, type BudgetBounds } from "#kit/budget.ts";
import { toEnd } from "#kit/steps.ts";
import { weigh } from "#kit/weigh.ts";
import type { PageCell } from "../pages/page-cell.ts";
import type { Word } from "./fold-words.ts";
import type { ForwardQuery } from "./forward.ts";
import { Names } from "./open-names.ts";
import { PageGeocoder, type PageSource } from "./page-geocoder.ts";
import { answersOf, type NameAnswers, rankGroups } from "./page-search.ts";
import { joinStatistics, type WordStatistics } from "./word-statistics.ts";

/** Data by their number; columns are in shared memory. */
type SharedPage = PageSource & { key: number };
type SharedNames = Pick<Names, "columns"> & { key: number };

export type SearchJob = {
  /** What the thread has not opened, or has let go. */
  pages: readonly SharedPage[];
  names: readonly SharedNames[];
  /** Numbers of what is no longer in use. */
  gone: readonly number[];
  words: readonly Word[];
  query: Pick<ForwardQuery, "q" | "language" | "country" | "near" | "limit" | "prefix" | "best">;
  interest: boolean;
  groups: readonly {
    pages: readonly { key: number; cell: PageCell }[];
    reading?: ForwardQuery["reading"];
  }[];
  /** Names, and pages whose words are in none of them, by which words are weighed. */
  weighing: { names: readonly number[]; pages: readonly number[] };
  budget: BudgetBounds;
  wanted: keyof NameAnswers;
};

/** What is said between questions: numbers of pages that are no longer in use. */
export type LetGo = Pick<SearchJob, "gone">;

export type SearchResult =
  | { ok: false; /** Numbers of what has to be handed over. */ missing: readonly number[] }
  | {
      ok: true;
      lists: readonly NameAnswers[keyof NameAnswers][];
      left: BudgetBounds & { isSpent: boolean };
    };

/** Of pages that are kept open between questions, for what each has of its own; their memory is that of the cache, which says when it goes. */
const MOST_OPEN_BYTES = 1024 ** 3;
/** So much at once makes the collector of a small thread run. */
const COLLECT_BYTES = 1024 ** 3;

export class SearchedPages {
  /** The one that was not used for longest first. */
  readonly #pages = new Map<number, PageGeocoder>();
  /** As large as each page: this thread has nothing else that would have them collected. */
  readonly #weights = new WeakMap<PageGeocoder, ArrayBuffer>();
  readonly #names = new Map<number, Names>();
  /** Pages have gone that are not collected yet. */
  #hasGarbage = false;
  /** It keeps the pages that it is of. */
  #weighing: { key: string; pages: readonly number[]; statistics: WordStatistics } | null = null;

  run(job: SearchJob | LetGo): SearchResult {
    this.#forget(job);
    return "words" in job ? this.#answer(job) : { ok: false, missing: [] };
  }

  #answer(job: SearchJob): SearchResult {
    const { words, query, interest, wanted } = job;
    this.#take(job);
    const missing = this.#missingOf(job);
    if (missing.length > 0) return { ok: false, missing };
    const groups = job.groups.map(({ pages, ...group }) => ({
      ...group,
      pages: pages.map(({ key, cell }) => ({ page: this.#use(key), cell })),
    }));
    const budget = new Budget(job.budget);
    const statistics = this.#statisticsOf(job.weighing);
    const question = { ...query, statistics, interest, budget };
    const ranked = toEnd(rankGroups(groups, words, question));
    const lists = ranked.map((group) => answersOf(group, query.limit)[wanted]());
    const { looksLeft: looks, keepsLeft: keeps, isSpent } = budget;
    this.#letGo();
    return { ok: true, lists, left: { looks, keeps, isSpent } };
  }

  /**
   * Has pages collected that have gone. Between two questions, when nothing of the last one is in use;
   * with the next one would be too late: there may be none.
   */
  collect(): void {
    if (this.#hasGarbage) weigh(COLLECT_BYTES);
    this.#hasGarbage = false;
  }

  #forget({ gone }: LetGo): void {
    for (const key of gone) {
      this.#hasGarbage = this.#pages.delete(key) || this.#hasGarbage;
      this.#names.delete(key);
      if (this.#weighing?.pages.includes(key)) this.#weighing = null;
    }
  }

  #take({ pages, names }: SearchJob): void {
    for (const { key, ...source } of pages) {
      const page = new PageGeocoder(source);
      this.#weights.set(page, weigh(page.bytes));
      this.#pages.set(key, page);
    }
    for (const { key, columns } of names) this.#names.set(key, new Names(columns, []));
  }

  #missingOf({ groups, weighing }: SearchJob): number[] {
    const pages = [
      ...groups.flatMap((group) => group.pages.map(({ key }) => key)),
      ...weighing.pages,
    ];
    const missing = [
      ...pages.filter((key) => !this.#pages.has(key)),
      ...weighing.names.filter((key) => !this.#names.has(key)),
    ];
    return [...new Set(missing)];
  }

  #use(key: number): PageGeocoder {
    const page = this.#pages.get(key)!;
    this.#pages.delete(key);
    this.#pages.set(key, page);
    return page;
  }

  /** The same object for the same data, by which pages remember what their words weigh. */
  #statisticsOf({ names, pages }: SearchJob["weighing"]): WordStatistics {
    const key = `${names.join()}|${pages.join()}`;
    if (this.#weighing?.key !== key) {
      const list = [
        ...names.map((each) => this.#names.get(each)!),
        ...pages.map((each) => this.#pages.get(each)!.statistics),
      ];
      this.#weighing = { key, pages, statistics: joinStatistics(list) };
    }
    return this.#weighing.statistics;
  }

  #letGo(): void {
    let bytes = 0;
    for (const page of this.#pages.values()) bytes += page.bytes;
    for (const [key, page] of this.#pages) {
      if (bytes <= MOST_OPEN_BYTES) return;
      bytes -= page.bytes;
      this.#hasGarbage = this.#pages.delete(key);
      if (this.#weighing?.pages.includes(key)) this.#weighing = null;
    }
  }
}
