/**
 * CityBikes: one address for the bike shares of the world, many of them read from the operators'
 * own GBFS. Reference: docs.citybik.es/api/v2; quirks: mobility.md 2.1, 2.2.
 */
import { Type } from "typebox";
import { DEFAULT_MAX_BYTES } from "#providers/define.ts";
import { closedObject, deadline, FEED_STORE, text } from "#providers/settings.ts";
import { defineSource } from "#providers/source.ts";

export default defineSource({
  id: "citybikes",
  name: "CityBikes",
  kind: "feed",
  operations: ["getNearby"],
  terms: {
    attribution: "CityBikes",
    attribution_url: "https://citybik.es/",
    licence: null,
    licence_url: null,
    store: "all",
  },
  limits: { max_bytes: DEFAULT_MAX_BYTES },
  lifecycle: "active",
  systems: true,
  config: closedObject(
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
      timeout_ms: deadline(10_000),
      attribution: text("Attribution instead of CityBikes' own."),
      licence: text("Licence of networks; CityBikes states none."),
      cache_s: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], {
        default: null,
        description: "Time to live instead of three minutes; null: three minutes.",
      }),
      store: FEED_STORE,
    },
    {
      description:
        "Bike shares as CityBikes sees them: a second source in addition to the operators' own.",
    },
  ),
});
