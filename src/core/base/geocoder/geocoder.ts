/**
 * The geocoder of a base, over its columns where they lie: addresses, streets, places and things of
 * interest by what they are called, and what is at a point.
 */
import type { Location } from "../../entities.ts";
import type { Columns } from "../../pack.ts";
import type { Box7 } from "./clusters.ts";
import { readWords, type Word } from "./fold.ts";
import { listOfKinds, readKinds } from "./kind-search.ts";
import type { Point7 } from "./metres.ts";
import { createPresenter, type GeocodeItem, type Presenter } from "./present.ts";
import { makeQuery, MAX_WORDS } from "./query.ts";
import { createRanking, type Ranked } from "./rank.ts";
import { createScratch, retrieve, weightsOf } from "./retrieve.ts";
import { placesAround, reverseAt } from "./reverse.ts";
import type { GeocoderMeta } from "./section.ts";
import { openView } from "./view.ts";

export type ForwardQuery = {
  q: string;
  /** A tag such as `de-AT`; null is English. */
  language: string | null;
  /** Only of this country, ISO 3166-1 alpha-2; null: of any, or none. */
  country: string | null;
  /** Orders and never filters. */
  near: Location | null;
  limit: number;
  /** The last word is the beginning of one. */
  prefix?: boolean;
};
export type ReverseQuery = Location & { language: string | null; limit: number };

export type Geocoder = {
  /** Addresses, streets, places and things of interest, the best first. */
  geocode(query: ForwardQuery): GeocodeItem[];
  /** The same with things of interest before others, and by kind: "toilets near Rue X". */
  search(query: ForwardQuery): GeocodeItem[];
  /** The nearest address, its street, and the places that the point is in. */
  reverse(query: ReverseQuery): GeocodeItem[];
  /** Places that the point is in or near to, municipalities and districts alike. */
  around(query: Omit<ReverseQuery, "limit">): GeocodeItem[];
};

/** How the pack names this section's columns. */
const OWN = "geocoder.";

/** Candidates explain at least so much of the question, and not much less than the best does. */
const MIN_TEXT = 0.4;
const MAX_BEHIND = 0.35;
/** From here on a name is what was asked for, whatever kind its words are. */
const CERTAIN = 0.95;
const MAX_LIMIT = 100;
/** A thing that is on the map twice, as a point and as an outline. */
const TWICE_DEG = 0.003;

/** `columns` and `meta` are those of a base with this section; nothing of them is copied. */
export function openGeocoder(columns: Columns, meta: GeocoderMeta): Geocoder {
  const view = openView(ownColumns(columns), meta);
  const scratch = createScratch(view);
  const countries = new Map(
    [...new Set(view.contexts.country)].filter((id) => id !== 0).map((id) => [view.text(id), id]),
  );

  function keepOf(country: string | null): (doc: number) => boolean {
    if (country === null) return () => true;
    const wanted = countries.get(country.toUpperCase());
    const { contexts, docs } = view;
    return (doc) => contexts.country[docs.context[doc]!] === wanted;
  }

  type Forward = ForwardQuery & { interest: boolean };
  function rank(words: readonly Word[], { prefix, near, country, interest }: Forward): Ranked[] {
    if (words.length === 0) return [];
    const query = makeQuery(words, view.terms, prefix === true);
    const weights = weightsOf(view, query);
    const near7 = near && toPoint7(near);
    const found = retrieve(view, query, scratch, { near: near7, weights, keep: keepOf(country) });
    const rankDoc = createRanking(view, query, { near: near7, weights, interest });
    const ranked = found.map(rankDoc);
    const best = ranked.reduce((most, { text }) => Math.max(most, text), 0);
    const least = Math.max(MIN_TEXT, best - MAX_BEHIND);
    return ranked
      .filter(({ text }) => text >= least)
      .sort(
        (a, b) =>
          b.score - a.score || view.docs.osm[a.doc]! - view.docs.osm[b.doc]! || a.doc - b.doc,
      );
  }

  function show(present: Presenter, ranked: Ranked): GeocodeItem | null {
    const extra = { score: ranked.score, distance_m: null };
    const { doc, number } = ranked;
    return number?.found
      ? present.address(doc, number.found, number.key, extra)
      : present.doc(doc, extra);
  }

  function listOf(present: Presenter, ranked: readonly Ranked[], limit: number): GeocodeItem[] {
    const items: GeocodeItem[] = [];
    for (const each of ranked) {
      if (items.length >= limit) break;
      const item = show(present, each);
      if (item && !items.some((other) => isTwice(item, other))) items.push(item);
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
    const { near, country, limit } = query;
    const [place] = rank(where, { ...query, interest: false });
    // Words that say where, and are not known, are no reason to look elsewhere.
    if (where.length > 0 && !place) return [];
    const point = near && toPoint7(near);
    const around = place ? boxOf(place) : point && pointBox(point);
    return listOfKinds(view, kinds, { around, limit, keep: keepOf(country) }).flatMap(
      ({ doc, metres }, n) =>
        present.doc(doc, { score: 1 - n / MAX_LIMIT, distance_m: metres }) ?? [],
    );
  }

  function boxOf({ doc, number }: Ranked): Box7 {
    if (number?.found) return pointBox(number.found);
    const { boxes } = view.docs;
    return [boxes[doc * 4]!, boxes[doc * 4 + 1]!, boxes[doc * 4 + 2]!, boxes[doc * 4 + 3]!];
  }

  return {
    geocode(query) {
      const present = createPresenter(view, query.language);
      const ranked = rank(readWords(query.q, MAX_WORDS), { ...query, interest: false });
      return listOf(present, ranked, toLimit(query.limit));
    },
    search(given) {
      const query = { ...given, limit: toLimit(given.limit) };
      const present = createPresenter(view, query.language);
      const words = readWords(query.q, MAX_WORDS);
      const ranked = rank(words, { ...query, interest: true });
      const certain = ranked.filter(({ text }) => text >= CERTAIN);
      const others = ranked.filter(({ text }) => text < CERTAIN);
      const first = listOf(present, certain, query.limit);
      const ofKind = first.length < query.limit ? searchKinds(query, words, present) : [];
      const items = [...first];
      const isIn = (item: GeocodeItem): boolean =>
        items.some(({ source_place_id: id }) => id !== null && id === item.source_place_id);
      for (const item of [...ofKind, ...listOf(present, others, query.limit)])
        if (!isIn(item)) items.push(item);
      return items.slice(0, query.limit);
    },
    reverse({ lat, lon, language, limit }) {
      const present = createPresenter(view, language);
      return reverseAt(view, present, { ...toPoint7({ lat, lon }), limit: toLimit(limit) });
    },
    around({ lat, lon, language }) {
      const present = createPresenter(view, language);
      const { lat7, lon7 } = toPoint7({ lat, lon });
      const extra = { score: 0, distance_m: null };
      return placesAround(view, lat7, lon7).flatMap((doc) => present.doc(doc, extra) ?? []);
    },
  };
}

function ownColumns(columns: Columns): Columns {
  const own = Object.entries(columns).filter(([name]) => name.startsWith(OWN));
  return Object.fromEntries(own.map(([name, column]) => [name.slice(OWN.length), column]));
}

function toLimit(limit: number): number {
  return Math.max(1, Math.min(MAX_LIMIT, Math.floor(limit)));
}

function toPoint7({ lat, lon }: Location): Point7 {
  return { lat7: Math.round(lat * 1e7), lon7: Math.round(lon * 1e7) };
}

function pointBox({ lat7, lon7 }: Point7): Box7 {
  return [lat7, lon7, lat7, lon7];
}

function isTwice(a: GeocodeItem, b: GeocodeItem): boolean {
  if (a.source_place_id !== null && a.source_place_id === b.source_place_id && a.label === b.label)
    return true;
  return (
    a.label === b.label &&
    a.type === b.type &&
    Math.abs(a.location.lat - b.location.lat) < TWICE_DEG &&
    Math.abs(a.location.lon - b.location.lon) < TWICE_DEG
  );
}
