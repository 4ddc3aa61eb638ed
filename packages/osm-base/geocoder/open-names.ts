/**
 * Names of a base, over the columns where they lie (merge-names.ts): how many documents of all pages
 * have a word, and which pages may answer a question.
 */
import { type Columns, columnOf } from "#kit/pack.ts";
import type { PageCell } from "../pages/page-cell.ts";
import { NAMES } from "./merge-names.ts";
import { openTerms, type TermIndex } from "./term-index.ts";
import type { WordStatistics } from "./word-statistics.ts";

/** Pages of a word: `documents` of the cell; `importance` as in `NameEntry`. */
type PageVisit = (page: number, documents: number, importance: number) => void;

export type Names = WordStatistics & {
  terms: TermIndex;
  /** Documents of a word, by its number among the terms. */
  documentsOf(term: number): number;
  /** Calls with each page that has a word, ascending. */
  eachPage(term: number, visit: PageVisit): void;
  /** Cells of all pages, by number. */
  cellOf(page: number): PageCell;
  /** Documents of a page. */
  totalOf(page: number): number;
};

/** `columns`: of a head; `cells`: of its pages, by number. */
export function openNames(columns: Columns, cells: readonly PageCell[]): Names {
  const own = Object.fromEntries(
    Object.entries(columns).flatMap(([name, column]) =>
      name.startsWith(NAMES) ? [[name.slice(NAMES.length), column]] : [],
    ),
  );
  const terms = openTerms(own);
  const documents = columnOf(own, "documents", Uint32Array);
  const starts = columnOf(own, "starts", Uint32Array);
  const bytes = columnOf(own, "bytes", Uint8Array);
  const totals = columnOf(own, "totals", Uint32Array);

  function eachPage(term: number, visit: PageVisit): void {
    let at = starts[term]!;
    const take = (): number => {
      let [value, unit] = [0, 1];
      for (;;) {
        const byte = bytes[at++]!;
        value += (byte & 0x7f) * unit;
        if (byte < 0x80) return value;
        unit *= 0x80;
      }
    };
    for (let page = -1; at < starts[term + 1]!; ) {
      page += take() + 1;
      const own_documents = take();
      visit(page, own_documents, bytes[at++]!);
    }
  }

  return {
    terms,
    documents: totals.reduce((sum, each) => sum + each, 0),
    documentsOf: (term) => documents[term]!,
    frequencyOf(word) {
      const term = terms.find(word);
      return term < 0 ? 0 : documents[term]!;
    },
    eachPage,
    cellOf: (page) => cells[page]!,
    totalOf: (page) => totals[page] ?? 0,
  };
}
