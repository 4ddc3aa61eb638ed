/** The gazetteer, opened where its columns lie: searched by name, and the settlement of a point. */
import { type Geocoder, openGeocoder, ownColumns } from "#core/base/geocoder/geocoder.ts";
import { metresOf, units, unitsEast } from "#core/base/geocoder/metres.ts";
import { createPresenter } from "#core/base/geocoder/present.ts";
import type { GeocoderMeta } from "#core/base/geocoder/section.ts";
import { PLACE_KINDS } from "#core/base/geocoder/settlements.ts";
import { openView, type View } from "#core/base/geocoder/view.ts";
import { type Columns, columnOf } from "#core/pack.ts";
import { REACH_COLUMN } from "#providers/gazetteer/build.ts";

/** An address has words that no city explains: what is found by half of a question is no answer. */
const LEAST_TEXT = 0.7;
/** From further away nothing is near. */
const FARTHEST_M = 30_000;
/** A window over the antimeridian goes on at the other side. */
const TURNS = [0, 3.6e9, -3.6e9];
const VILLAGE = PLACE_KINDS.indexOf("village");

/** `columns` and `meta` are those of `buildGazetteer`; nothing of them is copied. */
export function openGazetteer(columns: Columns, meta: GeocoderMeta): Geocoder {
  const view = openView(ownColumns(columns), meta);
  const reaches = columnOf(columns, REACH_COLUMN, Uint16Array);
  const { geocode, search } = openGeocoder(columns, meta, { least_text: LEAST_TEXT });
  const around: Geocoder["around"] = ({ lat, lon, language }) => {
    const found = nearest(view, reaches, Math.round(lat * 1e7), Math.round(lon * 1e7));
    const item =
      found &&
      createPresenter(view, language).doc(found.doc, { score: 1, distance_m: found.metres });
    return item ? [item] : [];
  };
  return { geocode, search, around, reverse: around };
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
