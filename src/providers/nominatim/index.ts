/** Nominatim, a geocoder over the open map. Reference: nominatim.org/release-docs, API; places.md 2.2. */
import { defineProvider } from "#providers/define.ts";
import {
  GEOCODER_OPERATIONS,
  MAX_ANSWER_BYTES,
  OPEN_MAP_TERMS,
} from "#providers/open-geocoding/asking.ts";

export default defineProvider({
  id: "nominatim",
  name: "Nominatim",
  kind: "lookup",
  operations: [...GEOCODER_OPERATIONS],
  terms: { ...OPEN_MAP_TERMS },
  limits: { max_bytes: MAX_ANSWER_BYTES },
  lifecycle: "active",
});
