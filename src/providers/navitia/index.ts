/**
 * Navitia: public transport of many regions behind one interface, with a token. Reference:
 * hove-io/navitia, documentation/slate (mobility.md 4.1).
 */
import { Type } from "typebox";
import { ANSWER_BOUNDS } from "#kit/feed-bounds.ts";
import { navitiaDepartures } from "#providers/navitia/navitia-departures.ts";
import { inRegion, navitiaRegion, navitiaStations } from "#providers/navitia/navitia-stations.ts";
import {
  navitiaStopPoints,
  type NavitiaStopPointPage,
  withWheelchair,
} from "#providers/navitia/stop-points.ts";
import { address, flag, lookupSettings, secret } from "#providers/settings.ts";
import { defineSource } from "#providers/source.ts";

export default defineSource({
  id: "navitia",
  name: "Navitia",
  kind: "lookup",
  operations: ["getTransportNearby", "getDeparturesNearby", "getStationDepartures"],
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
  config: lookupSettings("Navitia: the first provider of public transport.", {
    url: address("Base address, before /coverage.", "https://api.navitia.io/v1"),
    token: secret(),
    auth: Type.Enum(["header", "basic", "apikey"], {
      default: "header",
      description: "How the token is sent: Authorization, Basic, or the header apikey.",
    }),
    wheelchair: flag(true, "Asks once more for what stop points say of wheelchairs."),
  }),
  needs: ["url", "token"],
  key: { variable: "NAVITIA_TOKEN", member: "token" },
  policy: { cache_s: 86_400, places: 8 },
  stations: {
    provider: "navitia",
    reader: navitiaStations,
    also: [
      // The first page is enough to know; what fails leaves it unknown.
      { reader: navitiaStopPoints, isWanted: ({ wheelchair }) => wheelchair },
      { reader: navitiaRegion, isWanted: () => true },
    ],
    refine: (stations, [page, region]) =>
      withWheelchair(
        inRegion(stations, (region ?? null) as string | null),
        (page as NavitiaStopPointPage | null)?.points ?? [],
      ),
  },
  departures: {
    provider: "navitia",
    reader: navitiaDepartures,
    asked_by: "either",
    also: [{ reader: navitiaRegion, isWanted: () => true }],
    refine: (stations, [region]) => inRegion(stations, (region ?? null) as string | null),
  },
});
