/**
 * Google Maps: Geocoding API v3 and Places API (New), both with the deployment's own key. Reference:
 * googlemaps/openapi-specification; googleapis/googleapis, google/maps/places/v1 (places.md 1).
 */
import { defineProvider } from "#providers/define.ts";
import type { LookupSettings } from "#providers/lookup.ts";

/** `url` is the host of `/maps/api/geocode/json`, `places_url` the one of `/v1/places:*`. */
export type GoogleSettings = LookupSettings & {
  places_url: string;
  api_key: string;
  /** Asked for as car parks; the runtime falls back to `parking` where some are not known yet. */
  parking_types: readonly string[];
  /** Leaves opening hours and parking options out, which raise the price of a call. */
  lean: boolean;
};

export default defineProvider({
  id: "google_maps",
  name: "Google Maps",
  kind: "lookup",
  operations: [
    "geocode",
    "searchPlaces",
    "reverseGeocode",
    "getServicesNearby",
    "getParkingNearby",
    "getChargingNearby",
  ],
  terms: {
    attribution: "Google Maps",
    attribution_url: "https://www.google.com/maps",
    licence: null,
    licence_url: "https://cloud.google.com/maps-platform/terms",
    // Place ids may be kept for ever, nothing else (places.md 1.6).
    store: "ids",
    // Content of Google Maps may not be shown with another map.
    map: "own",
  },
  // Twenty places with their opening hours are some 100 KiB.
  limits: { max_bytes: 2 * 1_024 * 1_024 },
  lifecycle: "active",
});
