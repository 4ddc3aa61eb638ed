/**
 * MOTIS: rentals of a region as a trip planner gathers them from many publishers. Its stations are
 * read, not its counts, which are copies of the publishers' own. Reference: openapi.yaml of
 * github.com/motis-project/motis, /api/v1/rentals; mobility.md 4.3.
 */
import { ANSWER_BOUNDS } from "#core/feed-bounds.ts";
import { defineProvider } from "#providers/define.ts";

export default defineProvider({
  id: "motis",
  name: "MOTIS rentals",
  kind: "feed",
  operations: ["getNearby"],
  // What it shows belongs to the publishers: the configuration says whom to name.
  terms: {
    ...{ attribution: null, attribution_url: null, licence: null, licence_url: null },
    store: "all",
  },
  limits: { max_bytes: ANSWER_BOUNDS.bytes },
  lifecycle: "active",
});
