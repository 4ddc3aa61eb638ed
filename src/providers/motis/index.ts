/**
 * MOTIS: rentals of a region as a trip planner gathers them from many publishers. Its stations are
 * read, not its counts, which are copies of the publishers' own. Reference: openapi.yaml of
 * github.com/motis-project/motis, /api/v1/rentals; mobility.md 4.3.
 */
import { ANSWER_BOUNDS } from "#kit/feed-bounds.ts";
import { motisDepartures } from "#providers/motis/motis-departures.ts";
import { motisStops } from "#providers/motis/motis-stops.ts";
import { address, deadline, documentSettings } from "#providers/settings.ts";
import { defineSource } from "#providers/source.ts";

export default defineSource({
  id: "motis",
  name: "MOTIS rentals",
  kind: "feed",
  operations: ["getNearby"],
  // What it shows belongs to the publishers: the configuration says whom to name.
  terms: {
    attribution: null,
    attribution_url: null,
    licence: null,
    licence_url: null,
    store: "all",
  },
  limits: { max_bytes: ANSWER_BOUNDS.bytes },
  lifecycle: "active",
  systems: true,
  config: documentSettings(
    "Stations that a MOTIS server gathers from many publishers: static, no counts.",
    {
      url: address("A MOTIS server, before /api: public transport stations are asked of it."),
      stops_timeout_ms: deadline(2_400, "Deadline of a call for stations."),
    },
    {
      url: "An address of /api/v1/rentals with its point and radius; #provider=ID narrows it to one.",
    },
  ),
  timeout: "stops_timeout_ms",
  // A remote reader of GTFS (decisions, Transport); only where the file names its server.
  without: () => "absent",
  policy: { cache_s: 86_400, places: 8 },
  stations: { provider: "gtfs", reader: motisStops },
  departures: { provider: "gtfs", reader: motisDepartures, asked_by: "circle" },
});
