/**
 * Navitia: public transport of many regions behind one interface, with a token. Reference:
 * hove-io/navitia, documentation/slate (mobility.md 4.1).
 */
import { ANSWER_BOUNDS } from "#core/feed-bounds.ts";
import { defineProvider } from "#providers/define.ts";
import type { LookupSettings } from "#providers/lookup.ts";

export type NavitiaSettings = LookupSettings & {
  token: string;
  /** How the token is sent: as it is, as the user of Basic, or in a header `apikey` (PRIM). */
  auth: "header" | "basic" | "apikey";
  /** Whether stop points are asked for as well, which alone know of wheelchairs. */
  wheelchair: boolean;
  /** Where the address serves one region only; null: its id is asked for by coordinates. */
  region?: string | null;
};

export default defineProvider({
  id: "navitia",
  name: "Navitia",
  kind: "lookup",
  operations: ["getTransportNearby"],
  // The data are their contributors', each under terms of its own.
  terms: {
    attribution: "navitia.io",
    attribution_url: "https://www.navitia.io/",
    licence: null,
    licence_url: "https://navitia.io/api-term-of-use",
    store: "all",
  },
  // Two hundred stations with all their lines are some megabytes.
  limits: { max_bytes: ANSWER_BOUNDS.bytes },
  lifecycle: "active",
});
