/**
 * OpenAEDMap: the open map's defibrillators, country by country. Reference: places.md 4.2;
 * openstreetmap-polska/openaedmap-backend, api/v1.
 */
import { defineProvider, MAX_BYTES } from "#providers/define.ts";

export default defineProvider({
  id: "openaedmap",
  name: "OpenAEDMap",
  kind: "feed",
  operations: ["getServicesNearby", "getNearby"],
  terms: {
    attribution: "© OpenStreetMap contributors",
    attribution_url: "https://www.openstreetmap.org/copyright",
    licence: "ODbL-1.0",
    licence_url: "https://opendatacommons.org/licenses/odbl/1-0/",
    store: "all",
  },
  // The world as one file is among the documents.
  limits: { max_bytes: MAX_BYTES },
  lifecycle: "active",
});
