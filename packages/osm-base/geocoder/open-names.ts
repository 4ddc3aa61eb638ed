/**
 * Names of a base, over the columns where they lie (merge-names.ts): how many documents of all pages
 * have a word, and which pages have it.
 */
import { type Columns, columnOf } from "#kit/pack.ts";
import { boxOfCell, type PageCell } from "../pages/page-cell.ts";
import { toLat, toLon } from "../tiles/grid.ts";
import { takeNumber } from "./byte-numbers.ts";
import type { ClusterBox7 } from "./clusters.ts";
import { NAMES } from "./merge-names.ts";
import { openTerms, type TermIndex } from "./term-index.ts";
import type { WordStatistics } from "./word-statistics.ts";

/** What a page has of a word, as `NameEntry` says it. */
type PageVisit = (page: number, documents: number, importance: number, around: number) => void;

/** The column by which a head is known to have names. */
export const NAMED_COLUMN = `${NAMES}totals`;
/** What a page of a word takes, about. */
const POSTING_BYTES = 4;

export class Names implements WordStatistics {
  readonly terms: TermIndex;
  readonly documents: number;
  /** Places of all pages, by number. */
  readonly boxes: readonly ClusterBox7[];
  /** Memory of one question, by page, kept from one to the next: it is left as zeros. */
  readonly slots: Uint32Array;
  /** Of the head; another thread may open them, too. */
  readonly columns: Columns;
  readonly #documents: Uint32Array;
  readonly #starts: Uint32Array;
  readonly #bytes: Uint8Array;

  /** `columns`: of a head; `boxes`: where its pages are, by number. */
  constructor(columns: Columns, boxes: readonly ClusterBox7[]) {
    const own = Object.fromEntries(
      Object.entries(columns).flatMap(([name, column]) =>
        name.startsWith(NAMES) ? [[name.slice(NAMES.length), column]] : [],
      ),
    );
    this.terms = openTerms(own);
    this.boxes = boxes;
    this.slots = new Uint32Array(boxes.length);
    this.columns = Object.fromEntries(
      Object.entries(columns).filter(([name]) => name.startsWith(NAMES)),
    );
    this.#documents = columnOf(own, "documents", Uint32Array);
    this.#starts = columnOf(own, "starts", Uint32Array);
    this.#bytes = columnOf(own, "bytes", Uint8Array);
    const totals = columnOf(own, "totals", Uint32Array);
    this.documents = totals.reduce((sum, each) => sum + each, 0);
  }

  frequencyOf(word: string): number {
    const term = this.terms.find(word);
    return term < 0 ? 0 : this.#documents[term]!;
  }

  /** Documents of a word, by its number. */
  documentsOf(term: number): number {
    return this.#documents[term]!;
  }

  /** About as many pages have a word, by its number. */
  pagesOf(term: number): number {
    return Math.ceil((this.#starts[term + 1]! - this.#starts[term]!) / POSTING_BYTES);
  }

  /** Calls with each page that has a word, ascending. */
  eachPage(term: number, visit: PageVisit): void {
    const bytes = this.#bytes;
    let at = this.#starts[term]!;
    const next = (): number => bytes[at++]!;
    for (let page = -1; at < this.#starts[term + 1]!;) {
      page += takeNumber(next) + 1;
      visit(page, takeNumber(next), next(), next());
    }
  }
}

/** Names of a base; `cells`: of its pages, by number. */
export function openNames(columns: Columns, cells: readonly PageCell[]): Names {
  return new Names(columns, cells.map(toBox7));
}

/** South, west, north, east of a cell in ten-millionths of a degree. */
export function toBox7(cell: PageCell): ClusterBox7 {
  const { west, north, east, south } = boxOfCell(cell);
  const toUnits = (degrees: number): number => Math.round(degrees * 1e7);
  return [toUnits(toLat(south)), toUnits(toLon(west)), toUnits(toLat(north)), toUnits(toLon(east))];
}
