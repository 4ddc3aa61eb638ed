/**
 * The geocoder of a base, over its columns where they lie: addresses, streets, places and things of
 * interest by what they are called, and what is at a point.
 */
import type { Budget } from "#kit/budget.ts";
import type { Location } from "#kit/geo.ts";
import type { Columns } from "#kit/pack.ts";
import type { ClusterBox7 } from "./clusters.ts";
import { readQuestion, type Word } from "./fold-words.ts";
import { listOfKinds, readKinds } from "./kind-search.ts";
import { type Point7, toPoint7 } from "./metres.ts";
import { namedWordsOf } from "./named-words.ts";
import {
  createPresenter,
  type Explanation,
  type GeocodeItem,
  type Presenter,
} from "./present-answers.ts";
import { MAX_WORDS } from "./geocode-query.ts";
import { CERTAIN, createForward, createGeocodingBudget, type ForwardQuery } from "./forward.ts";
import type { Ranked } from "./rank-answers.ts";
import { placesAround, reverseAt } from "./reverse.ts";
import { isOneThing } from "./same-thing.ts";
import type { GeocoderMeta } from "./geocoder-section.ts";
import { openView } from "./geocoder-view.ts";

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
};

/** How the pack names this section's columns. */
const OWN = "geocoder.";

const MAX_LIMIT = 100;
/** A thing that is on the map twice, as a point and as an outline. */
const TWICE_DEG = 0.003;

/**
 * `columns` and `meta` are those of a base with this section; nothing of them is copied.
 * `least_text`: candidates explain at least so much of a question, 0 to 1.
 */
export function openGeocoder(
  columns: Columns,
  meta: GeocoderMeta,
  bounds: { least_text?: number } = {},
): Geocoder {
  const view = openView(ownColumns(columns), meta);
  const { rank, keepOf } = createForward(view, bounds);

  function show(present: Presenter, ranked: Ranked): GeocodeItem | null {
    const { doc, number, score } = ranked;
    const explanation = ranked.explain();
    const bounded = explanation.unexplained.length > 0 || ranked.against > 0 || ranked.isNamesake;
    const extra = { score, distance_m: null, explanation, bounded, isAside: !ranked.isMeant };
    return number?.found
      ? present.address(doc, number.found, number.key, extra)
      : present.doc(doc, extra);
  }

  function listOf(present: Presenter, ranked: readonly Ranked[], limit: number): GeocodeItem[] {
    const items: GeocodeItem[] = [];
    for (const each of ranked) {
      if (items.length >= limit) break;
      const item = show(present, each);
      if (item) addOnce(items, item);
    }
    return items;
  }

  function searchKinds(
    query: ForwardQuery,
    words: readonly Word[],
    present: Presenter,
  ): GeocodeItem[] {
    const question = readKinds(words);
    if (!question) return [];
    const { kinds, where } = question;
    const { near, country, limit, budget = createGeocodingBudget() } = query;
    const [place] = rank(where, { ...query, interest: false });
    // Words that say where, and are not known, are no reason to look elsewhere.
    if (where.length > 0 && !place) return [];
    const point = near && toPoint7(near);
    const around = place ? boxOf(place) : point && pointBox(point);
    const explanation = place && explainKind(place.explain(), where.length / words.length);
    const bounded = explanation !== undefined && explanation.unexplained.length > 0;
    const extra = explanation ? { explanation, bounded } : {};
    return listOfKinds(view, kinds, { around, limit, budget, keep: keepOf(country) }).flatMap(
      ({ doc, metres }, n) => {
        const score = 1 - n / MAX_LIMIT;
        const item = present.doc(doc, { score, distance_m: metres, ...extra });
        return item ? [{ ...item, by_kind: true as const }] : [];
      },
    );
  }

  function boxOf({ doc, number }: Ranked): ClusterBox7 {
    if (number?.found) return pointBox(number.found);
    const { boxes } = view.docs;
    return [boxes[doc * 4]!, boxes[doc * 4 + 1]!, boxes[doc * 4 + 2]!, boxes[doc * 4 + 3]!];
  }

  return {
    geocode(query) {
      const present = createPresenter(view, query.language);
      const ranked = rank(readQuestion(query.q, MAX_WORDS), { ...query, interest: false });
      return listOf(present, ranked, toLimit(query.limit));
    },
    search(input) {
      const query = { ...input, limit: toLimit(input.limit) };
      const present = createPresenter(view, query.language);
      const words = readQuestion(query.q, MAX_WORDS);
      const ranked = rank(words, { ...query, interest: true });
      const certain = ranked.filter(({ text }) => text >= CERTAIN);
      const others = ranked.filter(({ text }) => text < CERTAIN);
      const first = listOf(present, certain, query.limit);
      const ofKind = first.length < query.limit ? searchKinds(query, words, present) : [];
      const items = [...first];
      // Things of a kind in a named place are more than the place alone.
      const rest = ofKind.length > 0 ? others.filter(({ isItself }) => !isItself) : others;
      for (const item of [...ofKind, ...listOf(present, rest, query.limit)]) addOnce(items, item);
      return items.slice(0, query.limit);
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

/** Columns of this section by their names in it. */
export function ownColumns(columns: Columns): Columns {
  const own = Object.entries(columns).filter(([name]) => name.startsWith(OWN));
  return Object.fromEntries(own.map(([name, column]) => [name.slice(OWN.length), column]));
}

function toLimit(limit: number): number {
  return Math.max(1, Math.min(MAX_LIMIT, Math.floor(limit)));
}

function pointBox({ lat7, lon7 }: Point7): ClusterBox7 {
  return [lat7, lon7, lat7, lon7];
}

/** Things of a kind explain its words, and of the others what the place that they say does. */
function explainKind({ explained, ...reported }: Explanation, part: number): Explanation {
  return { ...reported, explained: 1 - part * (1 - explained) };
}

function addOnce(items: GeocodeItem[], item: GeocodeItem): void {
  const isThere = (other: GeocodeItem): boolean =>
    isOneThing(item, other) || (!item.by_kind && isTwice(item, other));
  if (!items.some(isThere)) items.push(item);
}

function isTwice(a: GeocodeItem, b: GeocodeItem): boolean {
  return (
    a.label === b.label &&
    a.type === b.type &&
    Math.abs(a.location.lat - b.location.lat) < TWICE_DEG &&
    Math.abs(a.location.lon - b.location.lon) < TWICE_DEG
  );
}
