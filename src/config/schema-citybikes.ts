/** `sources.citybikes`: networks of the CityBikes aggregator. */
import { Type } from "typebox";
import type { Static } from "typebox";
import { closed, text } from "#config/schema-parts.ts";

export const CitybikesSchema = closed(
  {
    enabled: Type.Boolean({ default: true }),
    url: Type.String({
      format: "http-url",
      default: "https://api.citybik.es",
      description: "Base address, before /v2.",
    }),
    networks: Type.Union([Type.Literal("all"), Type.Array(Type.String({ format: "one-line" }))], {
      default: "all",
      description: 'Ids of the networks to read, or "all".',
    }),
    api_key: text("Sent as x-api-key; write it as ${NAME} of an environment variable."),
    timeout_ms: Type.Integer({ minimum: 1, maximum: 600_000, default: 10_000 }),
    attribution: text("Attribution instead of CityBikes' own."),
    licence: text("Licence of networks; CityBikes states none."),
    cache_s: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], {
      default: null,
      description: "Time to live instead of three minutes; null: three minutes.",
    }),
    store: Type.Enum(["all", "ids", "none"], {
      default: "all",
      description: "What may be kept: content, identifiers only, nothing.",
    }),
  },
  { description: "Bike shares as CityBikes sees them: a second source beside the operators' own." },
);

export type Citybikes = Static<typeof CitybikesSchema>;
