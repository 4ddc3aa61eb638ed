/**
 * Google Maps: Geocoding API v3 and Places API (New), both with the deployment's own key. Reference:
 * googlemaps/openapi-specification; googleapis/googleapis, google/maps/places/v1 (places.md 1).
 */
import { googleCharging, googleParking, OLD_PARKING_TYPES } from "#providers/google_maps/around.ts";
import { googleGeocoder } from "#providers/google_maps/google-geocoder.ts";
import { googleInterests } from "#providers/google_maps/google-interests.ts";
import { address, flag, lookupSettings, secret } from "#providers/settings.ts";
import { defineSource } from "#providers/source.ts";

export default defineSource({
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
    "getPlacesNearby",
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
  limits: { max_bytes: 2 * 1_024 * 1_024, refusal_bytes: 16_384 },
  lifecycle: "active",
  config: lookupSettings(
    "Google Maps Platform: geocoding, parking, charging, and places by class where no base covers.",
    {
      url: address("Of the Geocoding API.", "https://maps.googleapis.com"),
      places_url: address("Of the Places API (New).", "https://places.googleapis.com"),
      api_key: secret(),
      lean: flag(false, "Leaves out opening hours and parking options, which cost the most."),
    },
  ),
  needs: ["url", "places_url", "api_key"],
  key: { variable: "GOOGLE_MAPS_API_KEY", member: "api_key" },
  role: "maps",
  paid: true,
  policy: { cache_s: 30 },
  precedence: 50,
  geocoder: googleGeocoder,
  around: [
    {
      kind: "parking",
      reader: googleParking,
      // Deployments that do not know the newer types of car parks refuse them (places.md 1.4).
      fallback: { reason: "unsupported_type", settings: { parking_types: OLD_PARKING_TYPES } },
    },
    { kind: "charging", reader: googleCharging },
  ],
  interests: googleInterests,
});
