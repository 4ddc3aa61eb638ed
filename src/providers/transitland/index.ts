/**
 * Transitland: the GTFS feeds of the world behind one interface, with a key. Reference:
 * interline-io/transitland-lib, doc/openapi/rest.json and server/rest (mobility.md 4.2).
 */
import { ANSWER_BOUNDS } from "#core/feed-bounds.ts";
import { defineProvider } from "#providers/define.ts";
import type { LookupSettings } from "#providers/lookup.ts";

export type TransitlandSettings = LookupSettings & { api_key: string };

export default defineProvider({
  id: "transitland",
  name: "Transitland",
  kind: "lookup",
  operations: ["getTransportNearby"],
  // Each feed has a licence of its own besides.
  terms: {
    attribution: "Transitland",
    attribution_url: "https://www.transit.land/terms",
    licence: null,
    licence_url: null,
    store: "all",
  },
  // A thousand stops, each with its routes and their agencies.
  limits: { max_bytes: ANSWER_BOUNDS.bytes },
  lifecycle: "active",
});
