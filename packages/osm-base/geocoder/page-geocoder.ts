/** The names of one page as searches over pages use them (page-search.ts). */
import type { Budget } from "#kit/budget.ts";
import type { Columns } from "#kit/pack.ts";
import { isSameCell, type PageCell } from "../pages/page-cell.ts";
import type { Choice } from "./choose-ranked.ts";
import { type ClusterBox7, pointBox } from "./clusters.ts";
import { wordsOf, type Word } from "./fold-words.ts";
import type { ForwardQuery } from "./forward.ts";
import { makeQuery } from "./geocode-query.ts";
import type { GeocoderMeta } from "./geocoder-section.ts";
import { openView, type View } from "./geocoder-view.ts";
import { listOfKinds } from "./kind-search.ts";
import { createOwnedDocs, type OwnedDocs } from "./owned-docs.ts";
import { kindsOf, listTermsOf, type NameEntry } from "./page-names.ts";
import { PageQuestion } from "./page-question.ts";
import {
  createPresenter,
  type Explanation,
  type GeocodeItem,
  type Presenter,
} from "./present-answers.ts";
import { fromReading } from "./question-reading.ts";
import { createScratch, type Scratch, statisticsOf } from "./retrieve.ts";
import { type WordStatistics, wordWeight } from "./word-statistics.ts";

/** Candidates explain at least so much of the question by default. */
const MIN_TEXT = 0.4;
const MAX_LIMIT = 100;

/** `part`: of the documents, which are places, streets, things and postcodes; postcodes go by their names. */
type Placing = { part: number; osm: number; name: string };

/** Order of two documents that are equal in all else; 0: they are of one page. */
export function comparePlacing(a: Placing, b: Placing): number {
  return a.part - b.part || a.osm - b.osm || (a.name < b.name ? -1 : a.name > b.name ? 1 : 0);
}

/** A thing of a kind. `order`: the less, the sooner; then by `osm`, its object. */
export type ListedItem = { item: GeocodeItem; order: number; osm: number };

export function compareListed(a: ListedItem, b: ListedItem): number {
  return a.order - b.order || a.osm - b.osm;
}

/** What a page was opened from: another thread may open it, too. */
export type PageSource = { columns: Columns; meta: GeocoderMeta };

export class PageGeocoder {
  readonly source: PageSource;
  /** Of the memory that it keeps from being freed: a column keeps all of its page. */
  readonly bytes: number;
  readonly least_text: number;
  /** How often words are in this page. */
  readonly statistics: WordStatistics;
  /** Read by what searches it besides. */
  readonly view: View;
  readonly #scratch: Scratch;
  readonly #countries: ReadonlyMap<string, number>;
  /** Documents that the page has of its cell, once it was asked for them. */
  #owned: { cell: PageCell; docs: OwnedDocs } | null = null;
  /** How often its words are elsewhere, plus one; 0: not looked up yet. It keeps no bases that went. */
  #counted: { of: WeakRef<WordStatistics>; counts: Uint32Array } | null = null;

  /** `least_text`: candidates explain at least so much of a question, 0 to 1. */
  constructor(source: PageSource, { least_text = MIN_TEXT }: { least_text?: number } = {}) {
    const view = openView(source.columns, source.meta);
    this.source = source;
    this.bytes = bytesOf(source.columns);
    this.least_text = least_text;
    this.statistics = statisticsOf(view);
    this.view = view;
    this.#scratch = createScratch(view);
    const codes = [...new Set(view.contexts.country)].filter((id) => id !== 0);
    this.#countries = new Map(codes.map((id) => [view.text(id), id]));
  }

  begin(
    words: readonly Word[],
    query: ForwardQuery & { interest: boolean },
    { cell, budget }: { cell: PageCell; budget: Budget },
  ): PageQuestion {
    const { q, near, country, interest, prefix = false, reading } = query;
    const { terms, postings } = this.view;
    const own = reading
      ? fromReading(words, reading, terms)
      : makeQuery(words, terms, { prefix, budget, documentsOf: (term) => postings.count(term) });
    const keep = this.keepOf(country, cell);
    return new PageQuestion(this.view, this.#scratch, {
      ...{ q, words, query: own, near, open: prefix, interest, keep },
    });
  }

  /** Weight of a word of a name, by its number here. */
  weightsBy(statistics: WordStatistics): (term: number) => number {
    const { terms, postings, docs } = this.view;
    if (statistics === this.statistics)
      return (term) => wordWeight(docs.count, postings.count(term));
    if (this.#counted?.of.deref() !== statistics)
      this.#counted = { of: new WeakRef(statistics), counts: new Uint32Array(terms.count) };
    const { counts } = this.#counted;
    return (term) => {
      if (counts[term] === 0) counts[term] = statistics.frequencyOf(terms.text(term)) + 1;
      return wordWeight(statistics.documents, counts[term]! - 1);
    };
  }

  /** Documents of a country that are the page's own; null: of all countries. */
  keepOf(country: string | null, cell: PageCell): (doc: number) => boolean {
    const { contexts, docs } = this.view;
    const { answers } = this.#ownedOf(cell);
    if (country === null) return answers;
    const wanted = this.#countries.get(country.toUpperCase());
    return (doc) => contexts.country[docs.context[doc]!] === wanted && answers(doc);
  }

  present(language: string | null): Presenter {
    return createPresenter(this.view, language);
  }

  /** null: it has no name, and no kind that has one. */
  show(present: Presenter, choice: Choice): GeocodeItem | null {
    const { doc, number, score } = choice;
    const explanation = choice.explain();
    const bounded = explanation.unexplained.length > 0 || choice.against > 0 || choice.isNamesake;
    const extra = { score, distance_m: null, explanation, bounded, isAside: !choice.isMeant };
    return number?.found
      ? present.address(doc, number.found, number.key, extra)
      : present.doc(doc, extra);
  }

  /** Where an answer lies. */
  boxOf({ doc, number }: Pick<Choice, "doc" | "number">): ClusterBox7 {
    if (number?.found) return pointBox(number.found);
    const { boxes } = this.view.docs;
    return [boxes[doc * 4]!, boxes[doc * 4 + 1]!, boxes[doc * 4 + 2]!, boxes[doc * 4 + 3]!];
  }

  /**
   * What the parts of a street in several pages have in common, and whether the page has its middle;
   * null: no other page has a part of it.
   */
  partOf(doc: number): { key: string; isOwn: boolean } | null {
    if (!kindsOf(this.view).isCut(doc)) return null;
    const { contexts, docs, sets, text } = this.view;
    const nameOf = (of: number): string => text(sets.texts[sets.starts[docs.set[of]!]!]!);
    const isOwn = this.#owned?.docs.counts(doc) ?? true;
    const name = wordsOf(nameOf(doc)).join(" ");
    const context = docs.context[doc]!;
    const city = contexts.city[context]!;
    const town = city >= 0 ? nameOf(city) : text(contexts.city_name[context]!);
    return { key: `${name}|${wordsOf(town).join(" ")}`, isOwn };
  }

  /** The place of a document among those that are equal in all else: as in one base of all pages. */
  placingOf(doc: number): Placing {
    const { docs, meta, sets, text, postcode_kind } = this.view;
    const osm = docs.osm[doc]!;
    if (doc < meta.places) return { part: 0, osm, name: "" };
    if (doc < meta.places + meta.streets) return { part: 1, osm, name: "" };
    if (docs.kind[doc] !== postcode_kind) return { part: 2, osm, name: "" };
    return { part: 3, osm, name: text(sets.texts[sets.starts[docs.set[doc]!]!]!) };
  }

  /** Things of kinds, the nearest to a place first; without one the weightiest first. */
  listKinds(
    kinds: readonly string[],
    {
      around,
      limit,
      country,
      language,
      cell,
      budget,
      explanation,
    }: {
      around: ClusterBox7 | null;
      limit: number;
      country: string | null;
      language: string | null;
      cell: PageCell;
      budget: Budget;
      explanation?: Explanation;
    },
  ): ListedItem[] {
    const present = this.present(language);
    const keep = this.keepOf(country, cell);
    const bounded = explanation !== undefined && explanation.unexplained.length > 0;
    const extra = explanation ? { explanation, bounded } : {};
    return listOfKinds(this.view, kinds, { around, limit, budget, keep }).flatMap(
      ({ doc, metres, order }, n) => {
        const item = present.doc(doc, { score: 1 - n / MAX_LIMIT, distance_m: metres, ...extra });
        const osm = this.view.docs.osm[doc]!;
        return item ? [{ item: { ...item, by_kind: true as const }, order, osm }] : [];
      },
    );
  }

  /** Its words, for the names of many pages. */
  listTerms(cell: PageCell): Generator<NameEntry, void> {
    return listTermsOf(this.view, cell);
  }

  /** The box around all of its documents; null: it has none. */
  box(): ClusterBox7 | null {
    const { lat7, lon7, count } = this.view.docs;
    if (count === 0) return null;
    let [south, west, north, east] = [Infinity, Infinity, -Infinity, -Infinity];
    for (let doc = 0; doc < count; doc++) {
      south = Math.min(south, lat7[doc]!);
      west = Math.min(west, lon7[doc]!);
      north = Math.max(north, lat7[doc]!);
      east = Math.max(east, lon7[doc]!);
    }
    return [south, west, north, east];
  }

  #ownedOf(cell: PageCell): OwnedDocs {
    if (this.#owned === null || !isSameCell(this.#owned.cell, cell)) {
      const docs = createOwnedDocs(this.view.docs, kindsOf(this.view), cell);
      this.#owned = { cell, docs };
    }
    return this.#owned.docs;
  }
}

function bytesOf(columns: Columns): number {
  const buffers = new Set(Object.values(columns).map(({ buffer }) => buffer));
  return [...buffers].reduce((sum, { byteLength }) => sum + byteLength, 0);
}
