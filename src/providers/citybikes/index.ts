/**
 * CityBikes: one address for the bike shares of the world, many of them read from the operators'
 * own GBFS. Reference: docs.citybik.es/api/v2; quirks: mobility.md 2.1, 2.2.
 */
import { DEFAULT_MAX_BYTES, defineProvider } from "#providers/define.ts";

export default defineProvider({
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
});

/** The live part, seconds: 20 an hour and network, so that fourteen busy networks fit the limit. */
export const LIVE_S = 180;
