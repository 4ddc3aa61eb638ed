/** Pelias, a geocoder over the open map. Reference: github.com/pelias/documentation; places.md 2.3. */
import { defineProvider } from "#providers/define.ts";
import {
  GEOCODER_OPERATIONS,
  MAX_ANSWER_BYTES,
  OPEN_MAP_TERMS,
} from "#providers/open-geocoding/asking.ts";

export default defineProvider({
  id: "pelias",
  name: "Pelias",
  kind: "lookup",
  operations: [...GEOCODER_OPERATIONS],
  terms: { ...OPEN_MAP_TERMS },
  limits: { max_bytes: MAX_ANSWER_BYTES },
  lifecycle: "active",
});
