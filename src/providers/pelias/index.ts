/**
 * Pelias: what is asked, and what the answer means. Reference: places.md 2.3;
 * github.com/pelias/documentation, search.md, reverse.md, response.md.
 */
import type { Candidate } from "#osm/geocoder/candidate.ts";
import type { TrailRecorder } from "#kit/trail.ts";
import { toList, toRow } from "#kit/coerce.ts";
import type { GeocodeQuery, LookupSettings, ReadAnswer, WireAnswer } from "#providers/lookup.ts";
import {
  openAnswer,
  UPSTREAM_ERROR,
  WRONG_SHAPE,
} from "#providers/open-geocoding/geocoding-answers.ts";
import {
  biasOf,
  geocodeKey,
  languageOf,
  MAX_CANDIDATES,
  OPEN_GEOCODER,
  pointOf,
  reverseKey,
  toRequest,
} from "#providers/open-geocoding/geocoding-asking.ts";
import { featuresOf, gather } from "#providers/open-geocoding/geocoding-candidates.ts";
import { peliasDraft } from "#providers/pelias/pelias-feature.ts";
import { address, lookupSettings } from "#providers/settings.ts";
import { defineSource, type GeocodingSource, type Reader } from "#providers/source.ts";

/** Geocoding by Pelias. It has one search for addresses and venues alike. */
export const peliasGeocoder: GeocodingSource<LookupSettings> = {
  geocode: forwardReader("geocode"),
  search: forwardReader("search"),
  reverse: {
    operation: "reverse",
    keyOf: reverseKey,
    request(query, settings) {
      const language = languageOf(query.language);
      const { lat, lon } = pointOf(query);
      const params = { "point.lat": lat, "point.lon": lon, size: MAX_CANDIDATES, lang: language };
      return toRequest(settings, { path: "/v1/reverse", params, language });
    },
    read,
  },
};

export default defineSource({
  id: "pelias",
  name: "Pelias",
  ...OPEN_GEOCODER,
  config: lookupSettings("Pelias, a geocoder of open data.", {
    url: address("Base address, before /v1/search."),
  }),
  geocoder: peliasGeocoder,
});

function forwardReader(operation: string): Reader<GeocodeQuery, LookupSettings, Candidate[]> {
  return {
    operation,
    keyOf: geocodeKey,
    request({ q, country, near, ...query }, settings) {
      const language = languageOf(query.language);
      const bias = biasOf(near);
      const params = {
        text: q,
        size: MAX_CANDIDATES,
        "boundary.country": country,
        "focus.point.lat": bias && bias.lat,
        "focus.point.lon": bias && bias.lon,
        lang: language,
      };
      return toRequest(settings, { path: "/v1/search", params, language });
    },
    read,
  };
}

function read(
  wire: WireAnswer,
  _query: unknown,
  { trail }: { trail: TrailRecorder },
): ReadAnswer<Candidate[]> {
  const opened = openAnswer(wire, {});
  if (!opened.ok) return opened;
  const features = featuresOf(opened.json);
  if (!features) return { ok: false, ...WRONG_SHAPE };
  // Nothing found because something broke is not nothing found.
  const { errors } = toRow(toRow(opened.json)?.["geocoding"]) ?? {};
  if (features.length === 0 && toList(errors).length > 0) return { ok: false, ...UPSTREAM_ERROR };
  return gather(features, peliasDraft, trail);
}
