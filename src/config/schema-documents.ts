/** `sources.openstreetmap` and `sources.motis`: documents of rental stations without live counts. */
import { Type } from "typebox";
import type { Static } from "typebox";
import { closed, text } from "#config/schema-parts.ts";

function documents(words: { description: string; url: string }) {
  return closed(
    {
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

export const OpenstreetmapSchema = documents({
  description: "Stations of the open map, beside the operators' own: static, no counts.",
  url: "An Overpass JSON document, or a query that answers with one.",
});

export const MotisSchema = documents({
  description: "Stations that a MOTIS server gathers from many publishers: static, no counts.",
  url: "An address of /api/v1/rentals with its point and radius; #provider=ID narrows it to one.",
});

export type Documents = Static<typeof OpenstreetmapSchema>;
