/** The gazetteer, opened where its columns lie: searched by name, and the settlement of a point. */
import type { ForwardQuery } from "#osm/geocoder/forward.ts";
import { PageGeocoder } from "#osm/geocoder/page-geocoder.ts";
import { createRank } from "#osm/geocoder/page-search.ts";
import type { Geocoder } from "#osm/geocoder/geocoder.ts";
import { ownColumns } from "#osm/geocoder/own-columns.ts";
import { readQuestion, type Word } from "#osm/geocoder/fold-words.ts";
import { metresOf, units, unitsEast } from "#osm/geocoder/metres.ts";
import { createPresenter, type GeocodeItem } from "#osm/geocoder/present-answers.ts";
import { MAX_WORDS } from "#osm/geocoder/geocode-query.ts";
import type { Location } from "#kit/geo.ts";
import type { GeocoderMeta } from "#osm/geocoder/geocoder-section.ts";
import { SETTLEMENT_KINDS } from "#osm/geocoder/settlements.ts";
import type { View } from "#osm/geocoder/geocoder-view.ts";
import { type Columns, columnOf } from "#kit/pack.ts";
import { byNearness } from "#core/places/nearness.ts";
import type { PlaceNames } from "#core/places/named-place.ts";
import { townOfAirport } from "#providers/gazetteer/airports.ts";
import { REACH_COLUMN } from "#providers/gazetteer/build-gazetteer.ts";
import { createCloseness } from "#providers/gazetteer/closeness.ts";
import { createExactNames } from "#providers/gazetteer/exact-names.ts";
import { createNameCosts } from "#providers/gazetteer/name-costs.ts";
import { createGazetteerNames } from "#providers/gazetteer/place-names.ts";

/** An address has words that no city explains: what is found by half of a question is no answer. */
const LEAST_TEXT = 0.7;
/** From further away nothing is near. */
const FARTHEST_M = 30_000;
/** A window over the antimeridian goes on at the other side. */
const TURNS = [0, 3.6e9, -3.6e9];
const VILLAGE = SETTLEMENT_KINDS.indexOf("village");

export type Gazetteer = Geocoder & { names: PlaceNames };

/** `columns` and `meta` are those of `buildGazetteer`; nothing of them is copied. */
export function openGazetteer(columns: Columns, meta: GeocoderMeta): Gazetteer {
  const page = new PageGeocoder({ columns: ownColumns(columns), meta }, { least_text: LEAST_TEXT });
  const { view } = page;
  const reaches = columnOf(columns, REACH_COLUMN, Uint16Array);
  const rank = createRank(page);
  const costsIn = createNameCosts(view);
  const findExact = createExactNames(view);
  const nearestTo = ({ lat, lon }: Location): ReturnType<typeof nearest> =>
    nearest(view, reaches, Math.round(lat * 1e7), Math.round(lon * 1e7));

  /** The best first; those with a typing error only where nothing is called so. */
  function find(query: ForwardQuery): GeocodeItem[] {
    const words = readQuestion(query.q, MAX_WORDS);
    const result = findWords(query, words);
    const town = result.length > 0 ? null : townOfAirport(words);
    if (town === null) return result;
    // All of the town's name, and no error in it: nothing else is guessed.
    const called = new Set(findExact(town).filter((doc) => doc < view.meta.places));
    return findWords(query, town, (doc) => called.has(doc)).map((item) => ({
      ...item,
      match_quality: "approximate",
      misspelt: true,
    }));
  }

  function findWords(
    query: ForwardQuery,
    words: readonly Word[],
    isMeant: (doc: number) => boolean = () => true,
  ): GeocodeItem[] {
    const { language, near, limit, prefix = false } = query;
    const present = createPresenter(view, language);
    const closeTo = createCloseness(view, words, { prefix, costOf: costsIn(language) });
    const close = rank(words, { ...query, near: null, interest: false }).flatMap((each) => {
      const own = isMeant(each.doc) ? closeTo(each.doc) : null;
      if (own === null) return [];
      const [lat, lon] = [view.docs.lat7[each.doc]! / 1e7, view.docs.lon7[each.doc]! / 1e7];
      const value = each.score - own.cost + byNearness(near, { lat, lon });
      return [{ ...each, value, errors: own.errors }];
    });
    const exact = close.filter(({ errors }) => errors === 0);
    return (exact.length > 0 ? exact : close)
      .toSorted((a, b) => b.value - a.value || a.doc - b.doc)
      .slice(0, Math.max(1, limit))
      .flatMap(({ doc, score, explain, errors }) => {
        const item = present.doc(doc, { score, distance_m: null, explanation: explain() });
        return item === null ? [] : [{ ...item, ...(errors > 0 ? { misspelt: true } : {}) }];
      });
  }

  const around: Geocoder["around"] = ({ language, ...at }) => {
    const match = nearestTo(at);
    const item =
      match &&
      createPresenter(view, language).doc(match.doc, { score: 1, distance_m: match.metres });
    return item ? [item] : [];
  };
  const names = createGazetteerNames(view, (at) => nearestTo(at)?.doc ?? null);
  return { geocode: find, search: find, around, reverse: around, names };
}

/** The settlement that is nearest as a part of its reach; of villages only one that reaches so far. */
function nearest(
  { settlements, meta }: View,
  reaches: Uint16Array,
  lat7: number,
  lon7: number,
): { doc: number; metres: number } | null {
  const [dlat, dlon] = [units(FARTHEST_M), unitsEast(FARTHEST_M, lat7)];
  const docs = TURNS.flatMap((turn) => {
    const [west, east] = [lon7 + turn - dlon, lon7 + turn + dlon];
    return settlements.tree?.search(west, lat7 - dlat, east, lat7 + dlat) ?? [];
  });
  let best: { doc: number; metres: number; ratio: number } | null = null;
  for (const doc of docs.sort((a, b) => a - b)) {
    const reach = doc < meta.places ? reaches[doc]! : 0;
    if (reach === 0) continue;
    const metres = metresOf(settlements.lat7[doc]! - lat7, settlements.lon7[doc]! - lon7, lat7);
    const ratio = metres / reach;
    if (metres > FARTHEST_M || (settlements.kinds[doc] === VILLAGE && ratio > 1)) continue;
    if (best === null || ratio < best.ratio) best = { doc, metres, ratio };
  }
  return best;
}
