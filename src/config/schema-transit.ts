/** The sources of public transport stations. */
import { Type } from "typebox";
import type { Static } from "typebox";
import { closed, text } from "#config/schema-parts.ts";
import { source } from "#config/schema-places.ts";

const url = Type.String({ format: "http-url" });
const degrees = (most: number) => Type.Number({ minimum: -most, maximum: most });

export const GtfsSchema = closed(
  {
    enabled: Type.Boolean({ default: true }),
    feeds: Type.Array(
      closed({
        id: Type.String({ format: "one-line", maxLength: 128, description: "Unique here." }),
        path: Type.Optional(Type.String({ format: "one-line" })),
        url: Type.Optional(url),
        region: Type.Optional(Type.String({ format: "one-line" })),
      }),
      { default: [], description: "Zip files or folders, each with a path or a url." },
    ),
    catalogue: Type.Union([url, Type.Null()], {
      default: null,
      description: "The Mobility Database's feeds_v2.csv: tells where live data exist.",
    }),
    area: Type.Union(
      [
        closed({
          ...{ south: degrees(90), west: degrees(180), north: degrees(90), east: degrees(180) },
        }),
        Type.Null(),
      ],
      { default: null, description: "Feeds of the catalogue that touch this box are read, too." },
    ),
    timeout_ms: Type.Integer({ minimum: 1, maximum: 600_000, default: 120_000 }),
    attribution: text("Attribution of feeds that state none."),
    licence: text("Licence of feeds that state none."),
  },
  { description: "Timetables in GTFS: their stations, read into the store." },
);
export type Gtfs = Static<typeof GtfsSchema>;

export const TRANSIT_SCHEMAS = {
  navitia: source(
    {
      url: Type.Union([url, Type.Null()], {
        default: "https://api.navitia.io/v1",
        description: "Base address, before /coverage.",
      }),
      token: text("Write it as ${NAME} of an environment variable."),
      auth: Type.Enum(["header", "basic", "apikey"], {
        default: "header",
        description: "How the token is sent: Authorization, Basic, or the header apikey.",
      }),
      wheelchair: Type.Boolean({
        default: true,
        description: "Asks once more for what stop points say of wheelchairs.",
      }),
    },
    { description: "Navitia: the first provider of public transport." },
  ),
  transitland: source(
    {
      url: Type.Union([url, Type.Null()], {
        default: "https://transit.land/api/v2/rest",
        description: "Base address, before /stops.",
      }),
      api_key: text("Write it as ${NAME} of an environment variable."),
    },
    { description: "Transitland: the second provider of public transport." },
  ),
} as const;
