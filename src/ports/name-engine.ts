/** What ranks the answers of pages to a question by name: on the serving thread, or off it. */
import type { Budget } from "#kit/budget.ts";
import type { Word } from "#osm/geocoder/fold-words.ts";
import type { ForwardQuery } from "#osm/geocoder/forward.ts";
import type { Geocoder } from "#osm/geocoder/geocoder.ts";
import type { Names } from "#osm/geocoder/open-names.ts";
import type { PageGeocoder } from "#osm/geocoder/page-geocoder.ts";
import type { NameAnswers } from "#osm/geocoder/page-search.ts";
import type { WordStatistics } from "#osm/geocoder/word-statistics.ts";
import type { PinnedPage } from "./base-pages.ts";

export type NameGroup = {
  pages: readonly PinnedPage<{ geocoder: Geocoder | null }>[];
  reading?: ForwardQuery["reading"];
};

export type NameRequest = {
  words: readonly Word[];
  query: Pick<ForwardQuery, "q" | "language" | "country" | "near" | "limit" | "prefix" | "best">;
  /** Things of interest a little before others. */
  interest: boolean;
  /** Pages of each base. */
  groups: readonly NameGroup[];
  /** What words weigh in all that is searched together: in these names, and in pages whose words are in none of them. */
  weighing: {
    names: readonly Names[];
    pages: readonly PageGeocoder[];
    statistics: WordStatistics;
  };
  budget: Budget;
  /** Entries of lists that will be read, about. */
  entries: number;
  signal?: AbortSignal;
};

/** Why nothing is known: too many questions wait, it took too long, or what ranked them has ended. */
export type NotRanked = { reason: "busy" | "out_of_time" | "worker_failed" };

export type Ranked<Wanted extends keyof NameAnswers> =
  | { ok: true; lists: readonly NameAnswers[Wanted][] }
  | ({ ok: false } & NotRanked);

export type NameEngine = {
  /** Never rejects but where the signal ends it. */
  rank<Wanted extends keyof NameAnswers>(
    request: NameRequest,
    wanted: Wanted,
  ): Promise<Ranked<Wanted>>;
};
