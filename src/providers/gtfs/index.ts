/**
 * GTFS Schedule: timetables as zip archives of text files, one descriptor for every feed.
 * Reference: github.com/google/transit, gtfs/spec/en/reference.md; mobility.md 3.
 */
import { Type } from "typebox";
import { MAX_BYTES } from "#providers/define.ts";
import { address, closedObject, deadline, text } from "#providers/settings.ts";
import { defineSource } from "#providers/source.ts";

const degrees = (most: number) => Type.Number({ minimum: -most, maximum: most });

export default defineSource({
  id: "gtfs",
  name: "GTFS",
  kind: "feed",
  operations: ["getTransportNearby"],
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
        }),
        { default: [], description: "Zip files or folders, each with a path or a url." },
      ),
      catalogue: address("The Mobility Database's feeds_v2.csv: shows where live data exist."),
      area: Type.Union(
        [
          closedObject({
            south: degrees(90),
            west: degrees(180),
            north: degrees(90),
            east: degrees(180),
          }),
          Type.Null(),
        ],
        { default: null, description: "Feeds of the catalogue that touch this box are read, too." },
      ),
      timeout_ms: deadline(120_000),
      attribution: text("Attribution of feeds that state none."),
      licence: text("Licence of feeds that state none."),
    },
    { description: "Timetables in GTFS: their stations, read into the store." },
  ),
});
