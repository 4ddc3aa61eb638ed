/**
 * Mobility Database: where the GTFS feeds of the world are. A catalogue, whose feeds have licences of
 * their own, at https://files.mobilitydatabase.org/feeds_v2.csv. Reference: MobilityData/mobility-feed-api, docs/SpreadsheetSchemaV2.md (mobility.md 3.4).
 */
import { DEFAULT_MAX_BYTES, defineProvider } from "#providers/define.ts";

export default defineProvider({
  id: "mobilitydb",
  name: "Mobility Database",
  kind: "feed",
  operations: ["getTransportNearby"],
  terms: {
    attribution: "Mobility Database",
    attribution_url: "https://mobilitydatabase.org/",
    licence: null,
    licence_url: null,
    store: "all",
  },
  limits: { max_bytes: DEFAULT_MAX_BYTES },
  lifecycle: "active",
});
