/**
 * Open data of the city of Paris: its drinking fountains and its public toilets. Reference:
 * mobility.md 6.2, 6.3; opendata.paris.fr, an OpenDataSoft portal.
 */
import { defineProvider } from "#providers/define.ts";

export default defineProvider({
  id: "paris_opendata",
  name: "Paris Data",
  kind: "feed",
  operations: ["getLegacyWater"],
  terms: {
    attribution: "Ville de Paris / opendata.paris.fr",
    attribution_url: "https://opendata.paris.fr",
    licence: "ODbL-1.0",
    licence_url: "https://opendatacommons.org/licenses/odbl/1-0/",
    store: "all",
  },
  // Some two thousand rows, with their shapes.
  limits: { max_bytes: 16 * 1_024 * 1_024 },
  lifecycle: "active",
});
