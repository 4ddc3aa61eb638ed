/** `sources.openstreetmap`: documents of rental stations taken from the open map. */
import { Type } from "typebox";
import type { Static } from "typebox";
import { closed, text } from "#config/schema-parts.ts";

export const OpenstreetmapSchema = closed(
  {
    enabled: Type.Boolean({ default: true }),
    stations: Type.Array(
      closed({
        id: Type.String({ format: "one-line", maxLength: 128, description: "Unique here." }),
        url: Type.String({
          format: "http-url",
          description: "An Overpass JSON document, or a query that answers with one.",
        }),
        country: Type.Optional(Type.String({ format: "country" })),
        name: Type.Optional(Type.String({ format: "one-line" })),
      }),
      { default: [], description: "Rental stations as mapped; one document a network is best." },
    ),
    timeout_ms: Type.Integer({ minimum: 1, maximum: 600_000, default: 30_000 }),
    attribution: text("Attribution instead of the open map's own."),
    licence: text("Licence instead of ODbL-1.0."),
    cache_s: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], {
      default: null,
      description: "Time to live instead of a day; null: a day.",
    }),
    store: Type.Enum(["all", "ids", "none"], {
      default: "all",
      description: "What may be kept: content, identifiers only, nothing.",
    }),
  },
  { description: "Stations of the open map, beside the operators' own: static, no counts." },
);

export type Openstreetmap = Static<typeof OpenstreetmapSchema>;
