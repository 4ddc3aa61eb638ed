/** Photon, a geocoder over the open map. Reference: komoot/photon, docs/api-v1.md; places.md 2.1. */
import { defineProvider } from "#providers/define.ts";
import {
  GEOCODER_OPERATIONS,
  MAX_ANSWER_BYTES,
  OPEN_MAP_TERMS,
} from "#providers/open-geocoding/asking.ts";

export default defineProvider({
  id: "photon",
  name: "Photon",
  kind: "lookup",
  operations: [...GEOCODER_OPERATIONS],
  terms: { ...OPEN_MAP_TERMS },
  limits: { max_bytes: MAX_ANSWER_BYTES },
  lifecycle: "active",
});
