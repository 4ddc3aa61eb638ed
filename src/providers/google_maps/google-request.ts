/** Requests to the two services (places.md 1.1, 1.4). The key is never part of url, body or headers. */
import type { LookupSettings } from "#providers/lookup.ts";
import type { BareRequest } from "#providers/source.ts";

/**
 * Settings of Google: `url` is the host of `/maps/api/geocode/json`, `places_url` the one of
 * `/v1/places:*`.
 */
export type GoogleSettings = LookupSettings & {
  places_url: string;
  api_key: string;
  /** Asked for as car parks, where not all that are known. */
  parking_types?: readonly string[];
  /** Leaves opening hours and parking options out, which raise the price of a call. */
  lean: boolean;
};

/** Makes `GET /maps/api/geocode/json`; without a language no header either, so that Google chooses. */
export function toGeocodingRequest(
  settings: GoogleSettings,
  parameters: Readonly<Record<string, string>>,
  language: string | null,
): BareRequest {
  const query = new URLSearchParams(parameters);
  if (language !== null) query.set("language", language);
  return {
    url: `${settings.url}/maps/api/geocode/json?${query.toString()}`,
    headers: { accept: "application/json", ...toLanguageHeader(language) },
    auth: { kind: "query", name: "key", value: settings.api_key },
  };
}

export type PlacesCall = {
  method: "searchText" | "searchNearby";
  body: Readonly<Record<string, unknown>>;
  /** Members of a place; the mask is mandatory and decides the price. */
  fields: readonly string[];
  language: string | null;
};

/** Makes `POST /v1/places:<method>`. */
export function toPlacesRequest(
  settings: GoogleSettings,
  { method, body, fields, language }: PlacesCall,
): BareRequest {
  return {
    url: `${settings.places_url}/v1/places:${method}`,
    method: "POST",
    headers: {
      accept: "application/json",
      "content-type": "application/json",
      "x-goog-fieldmask": fields.map((field) => `places.${field}`).join(","),
      ...toLanguageHeader(language),
    },
    body: JSON.stringify(language === null ? body : { ...body, languageCode: language }),
    auth: { kind: "headers", headers: { "X-Goog-Api-Key": settings.api_key } },
  };
}

function toLanguageHeader(language: string | null): Record<string, string> {
  return language === null ? {} : { "accept-language": language };
}
