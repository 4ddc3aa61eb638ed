/**
 * The geocoder of a base, over its columns where they lie: addresses, streets, places and things of
 * interest by what they are called, and what is at a point.
 */
import type { Budget } from "#kit/budget.ts";
import type { Location } from "#kit/geo.ts";
import type { Columns } from "#kit/pack.ts";
import { toEnd } from "#kit/steps.ts";
import { pointBox } from "./clusters.ts";
import { readQuestion, type Word } from "./fold-words.ts";
import { createGeocodingBudget, type ForwardQuery } from "./forward.ts";
import { MAX_WORDS } from "./geocode-query.ts";
import type { GeocoderMeta } from "./geocoder-section.ts";
import { readKinds } from "./kind-search.ts";
import { toPoint7 } from "./metres.ts";
import { namedWordsOf } from "./named-words.ts";
import { PageGeocoder } from "./page-geocoder.ts";
import {
  alone,
  explainKind,
  joinSearch,
  listKinds,
  type NameQuestion,
  type RankedGroup,
  rankGroups,
} from "./page-search.ts";
import { ownColumns } from "./own-columns.ts";
import { createPresenter, type GeocodeItem } from "./present-answers.ts";
import { placesAround, reverseAt } from "./reverse.ts";

type ReverseQuery = Location & { language: string | null; limit: number };

export type Geocoder = {
  /** Addresses, streets, places and things of interest, the best first. */
  geocode(query: ForwardQuery): GeocodeItem[];
  /** The same with things of interest before others, and by kind: "toilets near Rue X". */
  search(query: ForwardQuery): GeocodeItem[];
  /** The nearest address, its street, and the places that the point is in. */
  reverse(query: ReverseQuery): GeocodeItem[];
  /**
   * Words of places and postcodes that a question names apart from all else, as far as the budget goes;
   * absent: it is not known.
   */
  namedWords?(q: string, budget: Budget): string[][];
  /** Places that the point is in or near to, municipalities and districts alike. */
  around(query: Omit<ReverseQuery, "limit">): GeocodeItem[];
  /** For searches over several pages; absent: it is searched by itself. */
  page?: PageGeocoder;
};

const MAX_LIMIT = 100;

/**
 * `columns` and `meta` are those of a base with this section; nothing of them is copied.
 * `least_text`: candidates explain at least so much of a question, 0 to 1.
 */
export function openGeocoder(
  columns: Columns,
  meta: GeocoderMeta,
  bounds: { least_text?: number } = {},
): Geocoder {
  const page = new PageGeocoder({ columns: ownColumns(columns), meta }, bounds);
  const { view } = page;
  const groups = alone(page);
  const rank = (words: readonly Word[], query: NameQuestion): RankedGroup =>
    toEnd(rankGroups(groups, words, query))[0]!;

  function searchKinds(query: ForwardQuery, words: readonly Word[]): GeocodeItem[] {
    const question = readKinds(words);
    if (!question) return [];
    const { kinds, where } = question;
    const { budget = createGeocodingBudget() } = query;
    const place = rank(where, { ...query, interest: false }).place();
    // Words that say where, and are not known, are no reason to look elsewhere.
    if (where.length > 0 && !place) return [];
    const explanation = place && explainKind(place.explanation, where.length / words.length);
    const around = place?.box ?? (query.near && pointBox(toPoint7(query.near)));
    return listKinds(groups[0]!.pages, kinds, { ...query, around, place: explanation, budget });
  }

  return {
    page,
    geocode: (query) =>
      rank(readQuestion(query.q, MAX_WORDS), { ...query, interest: false }).items(
        toLimit(query.limit),
      ),
    search(input) {
      const query = { ...input, limit: toLimit(input.limit) };
      const words = readQuestion(query.q, MAX_WORDS);
      const parts = rank(words, { ...query, interest: true }).parts(query.limit);
      const isOpen = parts.certain.length < query.limit;
      return joinSearch(parts, isOpen ? searchKinds(query, words) : [], query.limit);
    },
    reverse({ lat, lon, language, limit }) {
      const present = createPresenter(view, language);
      return reverseAt(view, present, { ...toPoint7({ lat, lon }), limit: toLimit(limit) });
    },
    namedWords: (q, budget) => namedWordsOf(view, q, budget),
    around({ lat, lon, language }) {
      const present = createPresenter(view, language);
      const { lat7, lon7 } = toPoint7({ lat, lon });
      const extra = { score: 0, distance_m: null };
      return placesAround(view, lat7, lon7).flatMap((doc) => present.doc(doc, extra) ?? []);
    },
  };
}

function toLimit(limit: number): number {
  return Math.max(1, Math.min(MAX_LIMIT, Math.floor(limit)));
}
