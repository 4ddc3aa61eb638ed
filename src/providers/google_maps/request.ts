/** How the two services are asked (places.md 1.1, 1.4). The key is never part of url, body or headers. */
import descriptor, { type GoogleSettings } from "#providers/google_maps/index.ts";
import type { SourceRequest } from "#providers/provider.ts";

/** Enough for an error body of either service. */
const REFUSAL_BYTES = 16_384;

/** `GET /maps/api/geocode/json`; without a language no header either, so that Google chooses. */
export function toGeocodingRequest(
  settings: GoogleSettings,
  parameters: Readonly<Record<string, string>>,
  language: string | null,
): SourceRequest {
  const query = new URLSearchParams(parameters);
  if (language !== null) query.set("language", language);
  return {
    ...common(settings),
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

/** `POST /v1/places:<method>`. */
export function toPlacesRequest(
  settings: GoogleSettings,
  { method, body, fields, language }: PlacesCall,
): SourceRequest {
  return {
    ...common(settings),
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

function common(settings: GoogleSettings): Omit<SourceRequest, "url"> {
  return {
    max_bytes: descriptor.limits.max_bytes,
    refusal_bytes: REFUSAL_BYTES,
    timeout_ms: settings.timeout_ms,
  };
}

function toLanguageHeader(language: string | null): Record<string, string> {
  return language === null ? {} : { "accept-language": language };
}
