/** Common parts of the questions to the geocoders of open maps (places.md 2.1 to 2.3). */
import { OPEN_MAP_TERMS } from "#osm/terms.ts";
import type { Location } from "#kit/geo.ts";
import type { GeocodeQuery, ReverseQuery } from "#providers/lookup.ts";
import type { BareRequest } from "#providers/source.ts";

/** §4.3: at most five candidates. */
export const MAX_CANDIDATES = 5;

/** Facts that they share: all of them answer with what is in the open map (places.md 11.4). */
export const OPEN_GEOCODER = {
  kind: "lookup",
  operations: ["geocode", "searchPlaces", "reverseGeocode"],
  terms: OPEN_MAP_TERMS,
  /**
   * Five candidates with all their outlines left out are some kilobytes. A page of a web server that
   * refuses us may be long; one that is longer would count as too large.
   */
  limits: { max_bytes: 4 * 1_024 * 1_024, refusal_bytes: 65_536 },
  lifecycle: "active",
  role: "geocoder",
  policy: { cache_s: 86_400 },
} as const;

/** A tenth of a metre for what is asked about; a hundred metres for where the asker may be. */
const DIGITS = { point: 6, bias: 3 } as const;

/**
 * Never left to chance: without one, what comes would be in the language of the server's
 * last caller, or of our runtime's `*` (places.md 0.3).
 */
const DEFAULT_LANGUAGE = "en";
const LANGUAGE = /^[a-z]{1,8}(?:-[a-z0-9]{1,8})*$/i;

/** The language to ask for; a tag that is none cannot become part of a header. */
export function languageOf(language: string | null): string {
  return language !== null && LANGUAGE.test(language) ? language : DEFAULT_LANGUAGE;
}

/** Returns the point that is asked about, rounded so that the text of no coordinate has an exponent. */
export function pointOf(point: Location): Location {
  return round(point, DIGITS.point);
}

/** Returns where to look first, rounded so that neighbours ask the same question; null: anywhere. */
export function biasOf(near: Location | null): Location | null {
  return near && round(near, DIGITS.bias);
}

function round({ lat, lon }: Location, digits: number): Location {
  // "+ 0" makes 0 of -0.
  return { lat: Number(lat.toFixed(digits)) + 0, lon: Number(lon.toFixed(digits)) + 0 };
}

export function geocodeKey({ q, language, country, near }: GeocodeQuery): string {
  const bias = biasOf(near);
  return JSON.stringify([q, languageOf(language), country, bias && [bias.lat, bias.lon]]);
}

export function reverseKey(query: ReverseQuery): string {
  const { lat, lon } = pointOf(query);
  return JSON.stringify([lat, lon, languageOf(query.language)]);
}

/** Members that are null are not asked for. */
export type Params = Readonly<Record<string, string | number | null>>;

/** A question as a request. */
export function toRequest(
  { url }: { url: string },
  { path, params, language }: { path: string; params: Params; language: string },
): BareRequest {
  return {
    url: `${url}${path}?${toQueryString(params)}`,
    headers: { "accept-language": language },
  };
}

function toQueryString(params: Params): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(params))
    if (value !== null) search.append(name, String(value));
  // A plus is a space in forms only; no server mistakes this.
  return search.toString().replaceAll("+", "%20");
}
