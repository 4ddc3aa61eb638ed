/**
 * Questions by name off the serving thread: what would take more than two milliseconds is done in a
 * thread that has the same pages in shared memory, without a copy. One question at a time; whatever
 * becomes of it, the next one finds a thread.
 */
import { detach } from "#kit/guard.ts";
import { REST_MS, Thread, type ThreadLimits } from "#kit/run/thread.ts";
import type { PageGeocoder } from "#osm/geocoder/page-geocoder.ts";
import type { Names } from "#osm/geocoder/open-names.ts";
import type { NameAnswers } from "#osm/geocoder/page-search.ts";
import type { LetGo, SearchJob, SearchResult } from "#osm/geocoder/search-job.ts";
import { isShared } from "#osm/geocoder/shared-columns.ts";
import type { NameEngine, NameRequest, Ranked } from "#ports/name-engine.ts";

/** A thread has some megabytes of its own; pages are not of them. At rest it has none of either. */
const LIMITS = { max_heap_mb: 256, job_timeout_ms: 2_000, rest_ms: REST_MS } as const;
/** Questions that wait; further ones are refused. */
const MOST_WAITING = 32;

/** Of pages that have gone and that the thread still has, unless stated. */
const MOST_GONE_BYTES = 128 * 1024 ** 2;

/** What a question takes, about: a page, an entry of a list, a document that is looked at closely. */
const PAGE_MS = 0.1;
const ENTRY_MS = 20e-6;
const CANDIDATE_MS = 0.01;
const MOST_CANDIDATES = 96;
/** What takes longer is not done on the serving thread. */
const SERVING_MS = 2;

type Deps = Pick<ThreadLimits, "worker_url" | "onFault"> & {
  /** Ranks what is done at once. */
  inTurns: NameEngine;
  job_timeout_ms?: number;
  gone_bytes_max?: number;
};

export class SearchThread implements NameEngine {
  readonly #inTurns: NameEngine;
  readonly #onFault: (error: unknown) => void;
  readonly #thread: Thread<SearchJob | LetGo, SearchResult>;
  readonly #keys = new WeakMap<PageGeocoder | Names, number>();
  #next_key = 0;
  /** Numbers of pages that are no longer in use: the thread lets them go with its next question, or before it where they are many. */
  #gone: number[] = [];
  #gone_bytes = 0;
  readonly #gone_bytes_max: number;
  readonly #registry = new FinalizationRegistry<number>((key) => this.#gone.push(key));
  #waiting = 0;
  #last: Promise<unknown> = Promise.resolve();

  constructor({ inTurns, gone_bytes_max = MOST_GONE_BYTES, ...limits }: Deps) {
    this.#inTurns = inTurns;
    this.#gone_bytes_max = gone_bytes_max;
    this.#onFault = (error) => limits.onFault("search thread", error);
    this.#thread = new Thread({ ...LIMITS, ...limits });
  }

  async rank<Wanted extends keyof NameAnswers>(
    request: NameRequest,
    wanted: Wanted,
  ): Promise<Ranked<Wanted>> {
    if (!takesLong(request) || !canShare(request)) return await this.#inTurns.rank(request, wanted);
    if (this.#waiting >= MOST_WAITING) return { ok: false, reason: "busy" };
    this.#waiting += 1;
    try {
      return await this.#inOrder(async () => {
        request.signal?.throwIfAborted();
        return await this.#ask(request, wanted);
      });
    } finally {
      this.#waiting -= 1;
    }
  }

  /** The memory of a page is wanted for others: the thread must not keep it. */
  letGo(page: PageGeocoder): void {
    const key = this.#keys.get(page);
    if (key === undefined) return;
    this.#gone.push(key);
    this.#gone_bytes += page.bytes;
    if (this.#gone_bytes <= this.#gone_bytes_max) return;
    if (this.#thread.isRunning) {
      this.#gone_bytes = 0;
      detach(
        this.#inOrder(() => this.#reportGone()),
        (error) => this.#onFault(error),
      );
    } else this.#takeGone();
  }

  /** Resolves when the thread has ended. */
  close(): Promise<void> {
    return this.#thread.close();
  }

  async #inOrder<T>(run: () => Promise<T>): Promise<T> {
    const before = this.#last;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#last = promise;
    try {
      await before;
      return await run();
    } finally {
      resolve();
    }
  }

  /** A thread that was started again, or has taken it with a question, has nothing to let go. */
  async #reportGone(): Promise<void> {
    const gone = this.#takeGone();
    if (gone.length > 0 && this.#thread.isRunning) await this.#thread.run({ gone });
  }

  #takeGone(): number[] {
    const gone = this.#gone;
    this.#gone = [];
    this.#gone_bytes = 0;
    return gone;
  }

  async #ask<Wanted extends keyof NameAnswers>(
    request: NameRequest,
    wanted: Wanted,
  ): Promise<Ranked<Wanted>> {
    const job = this.#toJob(request, wanted);
    let done = await this.#thread.attempt(job);
    // A thread that was started again has nothing.
    if (done.ok && !done.value.ok)
      done = await this.#thread.attempt({ ...job, ...this.#dataOf(request, done.value.missing) });
    if (!done.ok)
      return { ok: false, reason: done.reason === "too_slow" ? "out_of_time" : "worker_failed" };
    if (!done.value.ok) return { ok: false, reason: "worker_failed" };
    request.budget.leave(done.value.left);
    return { ok: true, lists: done.value.lists as readonly NameAnswers[Wanted][] };
  }

  #toJob(request: NameRequest, wanted: keyof NameAnswers): SearchJob {
    const { words, query, interest, groups, weighing, budget } = request;
    const gone = this.#takeGone();
    return {
      ...{ words, query, interest, wanted, gone, pages: [], names: [] },
      groups: groups.map(({ pages, ...group }) => ({
        ...group,
        pages: pages.flatMap(({ cell, page: { geocoder } }) =>
          geocoder?.page ? [{ key: this.#keyOf(geocoder.page), cell }] : [],
        ),
      })),
      weighing: {
        names: weighing.names.map((each) => this.#keyOf(each)),
        pages: weighing.pages.map((each) => this.#keyOf(each)),
      },
      budget: { looks: budget.looksLeft, keeps: budget.keepsLeft },
    };
  }

  #dataOf(request: NameRequest, missing: readonly number[]): Pick<SearchJob, "pages" | "names"> {
    const isMissing = (each: PageGeocoder | Names): boolean => missing.includes(this.#keyOf(each));
    return {
      pages: [...new Set(pagesOf(request))]
        .filter(isMissing)
        .map((page) => ({ key: this.#keyOf(page), ...page.source })),
      names: request.weighing.names
        .filter(isMissing)
        .map((each) => ({ key: this.#keyOf(each), columns: each.columns })),
    };
  }

  #keyOf(data: PageGeocoder | Names): number {
    const known_key = this.#keys.get(data);
    if (known_key !== undefined) return known_key;
    const key = this.#next_key++;
    this.#keys.set(data, key);
    this.#registry.register(data, key);
    return key;
  }
}

function pagesOf({ groups, weighing }: NameRequest): PageGeocoder[] {
  const searched = groups.flatMap(({ pages }) =>
    pages.flatMap(({ page: { geocoder } }) => geocoder?.page ?? []),
  );
  return [...searched, ...weighing.pages];
}

/** Whether it may have the serving thread for longer than others should wait. */
function takesLong({ groups, entries, budget }: NameRequest): boolean {
  const pages = groups.reduce((sum, group) => sum + group.pages.length, 0);
  const read = Math.min(entries, budget.looksLeft);
  const candidates = Math.min(MOST_CANDIDATES * groups.length, budget.keepsLeft, read);
  return PAGE_MS * pages + ENTRY_MS * read + CANDIDATE_MS * candidates > SERVING_MS;
}

function canShare(request: NameRequest): boolean {
  return (
    pagesOf(request).every(({ source }) => isShared(source.columns)) &&
    request.weighing.names.every(({ columns }) => isShared(columns))
  );
}
