/**
 * Words of the bases of a deployment (docs/lab/pages.md): which of their pages a question is asked of,
 * and what words weigh in all of them together. A base of several pages has its names in its head;
 * those of many bases of one page each are merged here, in turns, and asked for one by one until then.
 */
import { detach, type NoteFault } from "#kit/guard.ts";
import { createTurn, runSteps } from "#kit/run/turn.ts";
import type { ClusterBox7 } from "#osm/geocoder/clusters.ts";
import { mergeNames } from "#osm/geocoder/merge-names.ts";
import { decodeNames, encodeNames } from "#osm/geocoder/name-lists.ts";
import { Names } from "#osm/geocoder/open-names.ts";
import { joinStatistics, type WordStatistics } from "#osm/geocoder/word-statistics.ts";
import type { PageGeocoder } from "#osm/geocoder/page-geocoder.ts";
import { toSharedColumns } from "#osm/geocoder/shared-columns.ts";
import { WHOLE } from "#osm/pages/page-cell.ts";
import type { GeocodingBase } from "#ports/geocoding-base.ts";
import { PinnedBases } from "./pinned-bases.ts";

/** Bases of one page that are all asked: more of them are merged. */
export const FEW = 8;

/** Where a page is that names know by a number; null: its base is gone. */
type Place = { base: GeocodingBase; page: number };

type Indexed = {
  names: Names;
  placeOf: (page: number) => Place | null;
  /** Absent: all of them are. */
  isThere?: (page: number) => boolean;
};

/** What is known of the words of some bases; the same object as long as they are the same. */
export class BookView {
  /** All of those that have names. */
  readonly bases: readonly GeocodingBase[];
  readonly names: readonly Names[];
  /** Bases of one page that are asked whatever words they have. */
  readonly alone: readonly GeocodingBase[];
  readonly #placeOf: readonly ((page: number) => Place | null)[];
  readonly #isThere: readonly (((page: number) => boolean) | undefined)[];
  #statistics: { alone: readonly PageGeocoder[]; of_all: WordStatistics } | null = null;

  constructor(
    bases: readonly GeocodingBase[],
    indexes: readonly Indexed[],
    alone: readonly GeocodingBase[],
  ) {
    this.bases = bases;
    this.names = indexes.map(({ names }) => names);
    this.#placeOf = indexes.map(({ placeOf }) => placeOf);
    this.#isThere = indexes.map(({ isThere }) => isThere);
    this.alone = alone;
  }

  /** Whether the base of a page is still there. */
  isThere(names: number, page: number): boolean {
    return this.#isThere[names]?.(page) ?? true;
  }

  placeOf(names: number, page: number): Place | null {
    return this.#placeOf[names]!(page);
  }

  /** Of all bases together, the same object for the same pages; `alone`: of those that are asked whatever words they have. */
  statisticsOf(alone: readonly PageGeocoder[]): WordStatistics {
    // A page that could not be read for a while is one of them again.
    if (this.#statistics === null || !isSame(alone, this.#statistics.alone)) {
      const own = alone.map(({ statistics }) => statistics);
      this.#statistics = { alone, of_all: joinStatistics([...this.names, ...own]) };
    }
    return this.#statistics.of_all;
  }
}

type Merged = { names: Names; bases: readonly GeocodingBase[] };

export class WordBook {
  readonly #onFault: NoteFault;
  #bases: readonly GeocodingBase[] = [];
  #view = new BookView([], [], []);
  #merged: Merged | null = null;
  /** Bases whose words were merged last, or could not be. */
  #tried: readonly GeocodingBase[] = [];
  #merging: Promise<void> | null = null;

  constructor(onFault: NoteFault = () => undefined) {
    this.#onFault = onFault;
  }

  /** Of the bases that are open now, in their order. */
  of(bases: readonly GeocodingBase[]): BookView {
    if (isSame(bases, this.#bases)) return this.#view;
    this.#bases = bases;
    this.#view = this.#open(bases.filter(({ hasNames }) => hasNames));
    return this.#view;
  }

  /** Resolves when no words are being merged any more. */
  async settled(): Promise<void> {
    while (this.#merging !== null) await this.#merging;
  }

  #open(bases: readonly GeocodingBase[]): BookView {
    const paged = bases.flatMap((base) =>
      base.words ? [{ names: base.words, placeOf: (page: number): Place => ({ base, page }) }] : [],
    );
    const unnamed = bases.filter(({ words }) => !words);
    const single = unnamed.filter(({ pages }) => pages.rows.length === 1);
    if (single.length <= FEW) {
      [this.#merged, this.#tried] = [null, []];
      return new BookView(bases, paged, unnamed);
    }
    const merged = this.#merged;
    if (!isSame(single, this.#tried)) this.#mergeLater(single);
    if (merged === null) return new BookView(bases, paged, unnamed);
    const own = new Set(single);
    const placeOf = (page: number): Place | null => {
      const base = merged.bases[page]!;
      return own.has(base) ? { base, page: 0 } : null;
    };
    const known = new Set(merged.bases);
    const alone = unnamed.filter((base) => !known.has(base));
    const isGone = merged.bases.some((base) => !own.has(base));
    const isThere = (page: number): boolean => own.has(merged.bases[page]!);
    const index = { names: merged.names, placeOf, ...(isGone ? { isThere } : {}) };
    return new BookView(bases, [...paged, index], alone);
  }

  #mergeLater(bases: readonly GeocodingBase[]): void {
    if (this.#merging !== null) return;
    this.#tried = bases;
    this.#merging = this.#merge(bases).finally(() => {
      this.#merging = null;
      // What is open now may be other bases.
      const now = this.#bases;
      this.#bases = [];
      this.of(now);
    });
    detach(this.#merging, (error) => this.#onFault("names of bases", error));
  }

  /** Pages are pinned one after the other: all of many bases need not fit in memory. */
  async #merge(bases: readonly GeocodingBase[]): Promise<void> {
    const turn = createTurn({});
    const lists: { base: GeocodingBase; chunks: Uint8Array[]; box: ClusterBox7 }[] = [];
    for (const base of bases) {
      await turn();
      using pinned = new PinnedBases();
      await pinned.add([{ base, pages: [0] }]);
      const page = pinned.of(base)[0]?.page;
      if (!page) continue;
      const chunks: Uint8Array[] = [];
      for (const chunk of encodeNames(page.listTerms(WHOLE))) {
        chunks.push(chunk.slice());
        await turn();
      }
      lists.push({ base, chunks, box: page.box() ?? NOWHERE });
    }
    const names = lists.map(({ chunks }, page) => ({ page, entries: decodeNames(chunks) }));
    const columns = await runSteps(mergeNames(names), turn);
    this.#merged = {
      names: new Names(
        toSharedColumns(columns),
        lists.map(({ box }) => box),
      ),
      bases: lists.map(({ base }) => base),
    };
  }
}

const NOWHERE: ClusterBox7 = [0, 0, 0, 0];

function isSame<T>(a: readonly T[], b: readonly T[]): boolean {
  return a === b || (a.length === b.length && a.every((each, i) => each === b[i]));
}
