/**
 * GTFS Schedule: timetables as zip archives of text files, one descriptor for every feed.
 * Reference: github.com/google/transit, gtfs/spec/en/reference.md; mobility.md 3.
 */
import { Type } from "typebox";
import { MAX_BYTES } from "#providers/define.ts";
import { address, AuthSchema, closedObject, deadline, httpUrl, text } from "#providers/settings.ts";
import { defineSource } from "#providers/source.ts";

/** Live data of a feed (GTFS Realtime): each file is optional, and one address may serve all. */
const Realtime = closedObject(
  {
    trip_updates: Type.Optional(httpUrl("Delays, cancelled and added trips.")),
    vehicle_positions: Type.Optional(httpUrl("Where vehicles are.")),
    alerts: Type.Optional(httpUrl("Notices.")),
    auth: Type.Optional(AuthSchema),
    max_age_s: Type.Integer({
      minimum: 10,
      maximum: 3_600,
      default: 120,
      description: "Older data are not used: what they say of a departure is unknown.",
    }),
    refresh_s: Type.Integer({
      minimum: 5,
      maximum: 600,
      default: 15,
      description: "Not asked for more often than this, and only while callers ask.",
    }),
  },
  { description: "Live data of this timetable, as GTFS Realtime." },
);

const degrees = (most: number) => Type.Number({ minimum: -most, maximum: most });

const BOX = {
  south: degrees(90),
  west: degrees(180),
  north: degrees(90),
  east: degrees(180),
};

export default defineSource({
  id: "gtfs",
  name: "GTFS",
  kind: "feed",
  operations: ["getTransportNearby", "getDeparturesNearby", "getStationDepartures"],
  // Licence and attribution are each feed's own (attributions.txt, configuration).
  terms: {
    attribution: null,
    attribution_url: null,
    licence: null,
    licence_url: null,
    store: "all",
  },
  limits: { max_bytes: MAX_BYTES },
  lifecycle: "active",
  // Feeds may be imported by hand, which needs no file; without any, nothing serves gtfs.
  always: true,
  config: closedObject(
    {
      enabled: Type.Boolean({ default: true }),
      feeds: Type.Array(
        closedObject({
          id: Type.String({ format: "one-line", maxLength: 128, description: "Unique here." }),
          path: Type.Optional(Type.String({ format: "one-line" })),
          url: Type.Optional(Type.String({ format: "http-url" })),
          region: Type.Optional(Type.String({ format: "one-line" })),
          bbox: Type.Optional(
            closedObject(BOX, {
              description: "Stations outside are left out, and trips that call at none within.",
            }),
          ),
          realtime: Type.Optional(Realtime),
        }),
        { default: [], description: "Zip files or folders, each with a path or a url." },
      ),
      catalogue: address("The Mobility Database's feeds_v2.csv: shows where live data exist."),
      area: Type.Union([closedObject(BOX), Type.Null()], {
        default: null,
        description: "Feeds of the catalogue that touch this box are read, too.",
      }),
      timeout_ms: deadline(120_000),
      archive_mb: Type.Integer({
        minimum: 1,
        maximum: 65_536,
        default: 256,
        description:
          "An archive that is fetched has at most this size; one at a path has no bound.",
      }),
      unpacked_mb: Type.Integer({
        minimum: 16,
        maximum: 1_048_576,
        default: 4_096,
        description:
          "An archive that is fetched unpacks to at most this; the bounds of its files grow with it.",
      }),
      imports_at_once: Type.Integer({
        minimum: 1,
        maximum: 16,
        default: 1,
        description:
          "Feeds that are imported at the same time, each with a core, as memory allows.",
      }),
      attribution: text("Attribution of feeds that state none."),
      licence: text("Licence of feeds that state none."),
    },
    { description: "Timetables in GTFS: their stations, read into the store." },
  ),
});
