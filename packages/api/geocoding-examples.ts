/** One realistic example for every documented success of geocoding; the tests validate each. */
import { MAPS_PROVIDER_ID } from "./deployment.ts";
import type { GeocodeBodyValue } from "./geocoding.ts";

type Item = GeocodeBodyValue["results"][number];

/** A text search reports no precision. */
const ADDRESS_WITHOUT_QUALITY: Omit<Item, "match_quality"> = {
  svc_id: null,
  name: "12 Rue des Tilleuls",
  label: "12 Rue des Tilleuls, 75004 Paris, France",
  type: "address",
  location: { lat: 48.8571, lon: 2.3535 },
  address: {
    formatted: "12 Rue des Tilleuls, 75004 Paris, France",
    street: "Rue des Tilleuls",
    street_number: "12",
    city: "Paris",
    postal_code: "75004",
    region: "Île-de-France",
    country: "France",
  },
  source_id: MAPS_PROVIDER_ID,
  source_place_id: "ChIJexample0000000000012",
};
const ADDRESS: Item = { ...ADDRESS_WITHOUT_QUALITY, match_quality: "rooftop" };

export const GEOCODE_EXAMPLE: GeocodeBodyValue = {
  results: [ADDRESS],
  meta: { source: MAPS_PROVIDER_ID, cache: "miss", total: 1, query: "12 rue des tilleuls paris" },
};

export const GEOCODE_NOTHING_EXAMPLE: GeocodeBodyValue = {
  results: [],
  meta: { source: MAPS_PROVIDER_ID, cache: "hit", total: 0, query: "nowhere at all" },
};

export const SEARCH_EXAMPLE: GeocodeBodyValue = {
  results: [
    {
      ...ADDRESS_WITHOUT_QUALITY,
      name: "Théâtre du Levant",
      label: "Théâtre du Levant, 12 Rue des Tilleuls, 75004 Paris, France",
      type: "poi",
      source_place_id: "ChIJexample0000000000013",
    },
  ],
  meta: {
    source: MAPS_PROVIDER_ID,
    cache: "miss",
    total: 1,
    query: "théâtre du levant",
    origin: { lat: 48.8566, lon: 2.3522 },
  },
};

export const REVERSE_EXAMPLE: GeocodeBodyValue = {
  results: [ADDRESS],
  meta: {
    source: MAPS_PROVIDER_ID,
    cache: "miss",
    total: 1,
    origin: { lat: 48.8571, lon: 2.3534 },
  },
};
