/**
 * GTFS Schedule: timetables as zip archives of text files, one descriptor for every feed.
 * Reference: github.com/google/transit, gtfs/spec/en/reference.md; mobility.md 3.
 */
import { MAX_BYTES, defineProvider } from "#providers/define.ts";

export default defineProvider({
  id: "gtfs",
  name: "GTFS",
  kind: "feed",
  operations: ["getTransportNearby"],
  // Licence and attribution are each feed's own (attributions.txt, configuration).
  terms: {
    ...{ attribution: null, attribution_url: null, licence: null, licence_url: null },
    store: "all",
  },
  limits: { max_bytes: MAX_BYTES },
  lifecycle: "active",
});
