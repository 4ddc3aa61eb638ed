/** Features in pages, as an import makes them of an extract. */
import { toEnd } from "#kit/steps.ts";
import { createGeocoderSection } from "../../geocoder/geocoder-section.ts";
import { openGeocoder } from "../../geocoder/geocoder.ts";
import { mergeNames } from "../../geocoder/merge-names.ts";
import { openNames, type Names } from "../../geocoder/open-names.ts";
import { listTerms } from "../../geocoder/page-names.ts";
import type { SearchedPage } from "../../geocoder/page-search.ts";
import { fromLines, shareFacts, toLines } from "../../geocoder/share-facts.ts";
import type { PageCell } from "../../pages/page-cell.ts";
import { feed, type Feature, packOf } from "../../../../test/support/geocoder.ts";
import { featuresOf } from "./made-region.ts";

export type MadePages = { pages: readonly SearchedPage[]; names: Names };

export function pagesOf(features: readonly Feature[], cells: readonly PageCell[]): MadePages {
  const sections = cells.map((cell) => {
    const section = createGeocoderSection({ cell });
    feed(section, featuresOf(features, cell));
    return section;
  });
  const lists = sections.map((section, page) => ({
    page,
    lines: toLines(section.listAddressFacts()),
  }));
  const shared = [...shareFacts(lists)];
  const packs = sections.map((section, page) => {
    const own = shared.filter(({ pages }) => pages.includes(page));
    section.share(fromLines(own.map(({ line }) => line)));
    return { cell: cells[page]!, ...packOf(section) };
  });
  const pages = packs.map(({ columns, meta, cell }) => ({
    page: openGeocoder(columns, meta).page!,
    cell,
  }));
  const entries = packs.map(({ columns, meta, cell }, page) => ({
    page,
    entries: listTerms(columns, meta, cell),
  }));
  return { pages, names: openNames(toEnd(mergeNames(entries)), cells) };
}
