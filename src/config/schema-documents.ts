/** `sources.openstreetmap` and `sources.motis`: documents of rental stations without live counts. */
import { Type } from "typebox";
import type { Static, TProperties } from "typebox";
import { closed, text } from "#config/schema-parts.ts";

function documents<const P extends TProperties>(
  words: { description: string; url: string },
  own: P,
) {
  return closed(
    {
      ...own,
      enabled: Type.Boolean({ default: true }),
      stations: Type.Array(
        closed({
          id: Type.String({ format: "one-line", maxLength: 128, description: "Unique here." }),
          url: Type.String({ format: "http-url", description: words.url }),
          country: Type.Optional(Type.String({ format: "country" })),
          name: Type.Optional(Type.String({ format: "one-line" })),
        }),
        { default: [], description: "Rental stations; one document a network is best." },
      ),
      timeout_ms: Type.Integer({ minimum: 1, maximum: 600_000, default: 30_000 }),
      attribution: text("Attribution instead of the source's own."),
      licence: text("Licence instead of the source's own."),
      cache_s: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], {
        default: null,
        description: "Time to live instead of a day; null: a day.",
      }),
      store: Type.Enum(["all", "ids", "none"], {
        default: "all",
        description: "What may be kept: content, identifiers only, nothing.",
      }),
    },
    { description: words.description },
  );
}

const SERVER = Type.Union([Type.String({ format: "http-url" }), Type.Null()], {
  default: null,
  description: "An Overpass server, before /interpreter: urban services are asked of it.",
});

export const OpenstreetmapSchema = documents(
  {
    description:
      "The open map: urban services of an Overpass server, and stations beside the operators' own.",
    url: "An Overpass JSON document, or a query that answers with one.",
  },
  {
    url: SERVER,
    services_timeout_ms: Type.Integer({
      ...{ minimum: 1, maximum: 600_000, default: 2_400 },
      description: "Deadline of a call for urban services.",
    }),
    concurrency: Type.Integer({
      ...{ minimum: 1, maximum: 64, default: 2 },
      description: "Calls at once; public servers allow one or two.",
    }),
  },
);

export const MotisSchema = documents(
  {
    description: "Stations that a MOTIS server gathers from many publishers: static, no counts.",
    url: "An address of /api/v1/rentals with its point and radius; #provider=ID narrows it to one.",
  },
  {
    url: Type.Union([Type.String({ format: "http-url" }), Type.Null()], {
      default: null,
      description: "A MOTIS server, before /api: public transport stations are asked of it.",
    }),
    stops_timeout_ms: Type.Integer({
      ...{ minimum: 1, maximum: 600_000, default: 2_400 },
      description: "Deadline of a call for stations.",
    }),
  },
);

export type Motis = Static<typeof MotisSchema>;
export type Documents = Pick<Motis, "enabled" | "stations">;
export type Openstreetmap = Static<typeof OpenstreetmapSchema>;
