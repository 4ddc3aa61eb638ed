/** The maps provider of a deployment (decisions, Identifiers): one adapter, its name, its lookups. */
import type { GeocodingDeps } from "#app/places/geocoding.ts";
import type { PlaceQuestion } from "#app/places/finder.ts";
import type { Config } from "#config/load.ts";
import type { Place } from "#core/places/place.ts";
import { googleCharging, googleParking } from "#providers/google_maps/around.ts";
import { googleGeocoder } from "#providers/google_maps/geocoder.ts";
import googleMaps, { type GoogleSettings } from "#providers/google_maps/index.ts";
import { PARKING_TYPES } from "#providers/google_maps/parking.ts";
import type { AroundQuery, Geocoder, LookupSettings } from "#providers/lookup.ts";
import { nominatimGeocoder } from "#providers/nominatim/geocoder.ts";
import nominatim from "#providers/nominatim/index.ts";
import { peliasGeocoder } from "#providers/pelias/geocoder.ts";
import pelias from "#providers/pelias/index.ts";
import { photonGeocoder } from "#providers/photon/geocoder.ts";
import photon from "#providers/photon/index.ts";
import type { Ask, AskDeps, Source } from "#upstream/lookup/ask.ts";
import { askOf, notConfigured, type Places, treat } from "./parts.ts";
import { toBase } from "./settings.ts";

type GeocodingAsks = NonNullable<GeocodingDeps["ask"]>;
type AskAround = Ask<AroundQuery, Place[]>;

/** Decisions, Identifiers: in the sandbox only id and name are replaced. */
export function nameMaps(config: Config): { id: string; name: string } {
  if (config.mode === "sandbox") return { id: "sandbox_maps", name: "Sandbox Maps" };
  return config.sources.maps.adapter === "google_maps"
    ? { id: "google_maps", name: "Google Maps" }
    : { id: "openstreetmap", name: "OpenStreetMap" };
}

/** How a place of the maps provider is published, whoever it came from (§2.3, §4.7). */
export function publishedBy(maps: { id: string }): (place: Place) => Place {
  return (place) => ({ ...place, source_id: maps.id, source_type: "partner_api" });
}

const DAY_S = 86_400;

/** null: Google is not what this deployment asks. */
export function openGoogle(
  places: Places,
  deps: AskDeps,
): { geocoding: GeocodingAsks; parking: AskAround; charging: AskAround } {
  const { google_maps: stated } = places;
  const { url, places_url, api_key, timeout_ms, lean } = stated;
  if (url === null || places_url === null || api_key === null)
    return { geocoding: UNCONFIGURED, parking: notConfigured(), charging: notConfigured() };
  const settings: GoogleSettings = {
    ...{ url: toBase(url), places_url: toBase(places_url), api_key, timeout_ms, lean },
    parking_types: PARKING_TYPES,
  };
  const source = { settings, policy: treat(googleMaps, stated, { cache_s: 30 }) };
  return {
    geocoding: geocodingOf(googleGeocoder, source, deps),
    parking: withFallback(source, deps),
    charging: askOf(googleCharging, source, deps),
  };
}

/**
 * Deployments that do not know the newer types of car parks refuse them; those are asked for the
 * older one from then on (places.md 1.4).
 */
function withFallback(source: Source<GoogleSettings>, deps: AskDeps): AskAround {
  const newer = askOf(googleParking, source, deps);
  const settings = { ...source.settings, parking_types: ["parking"] };
  const older = askOf(googleParking, { ...source, settings }, deps);
  let ask = newer;
  return async (query, options) => {
    const reply = await ask(query, options);
    if (reply.status === "ok" || reply.reason !== "unsupported_type") return reply;
    ask = older;
    return await older(query, options);
  };
}

const UNCONFIGURED: GeocodingAsks = {
  geocode: notConfigured(),
  search: notConfigured(),
  reverse: notConfigured(),
};

/** The geocoder that the open adapter asks; null: it is switched off. */
export function openGeocoding(
  which: "photon" | "nominatim" | "pelias",
  places: Places,
  deps: AskDeps,
): GeocodingAsks | null {
  const stated = places[which];
  if (!stated.enabled) return null;
  if (stated.url === null) return UNCONFIGURED;
  const base = { url: toBase(stated.url), timeout_ms: stated.timeout_ms };
  const usual = { cache_s: DAY_S };
  switch (which) {
    case "photon": {
      const { languages, countrycode } = places.photon;
      const policy = treat(photon, stated, usual);
      return geocodingOf(
        photonGeocoder,
        { settings: { ...base, languages, countrycode }, policy },
        deps,
      );
    }
    case "nominatim": {
      const { per_second } = places.nominatim;
      const policy = treat(nominatim, stated, { ...usual, per_second });
      return geocodingOf(nominatimGeocoder, { settings: base, policy }, deps);
    }
    case "pelias":
      return geocodingOf(
        peliasGeocoder,
        { settings: base, policy: treat(pelias, stated, usual) },
        deps,
      );
  }
}

/** A geocoder whose search is its geocode has one cache and one breaker for both. */
function geocodingOf<S extends LookupSettings>(
  geocoder: Geocoder<S>,
  source: Source<S>,
  deps: AskDeps,
): GeocodingAsks {
  const geocode = askOf(geocoder.geocode, source, deps);
  const same = geocoder.search.id === geocoder.geocode.id;
  return {
    geocode,
    search: same ? geocode : askOf(geocoder.search, source, deps),
    reverse: askOf(geocoder.reverse, source, deps),
  };
}

/** As far as the circle reaches, at the very point: no two questions share it by chance. */
export function exactly({ circle, language, country, maps_limit }: PlaceQuestion): AroundQuery {
  const { lat, lon, radius_m } = circle;
  return { lat, lon, radius_m, limit: maps_limit, language, country };
}
