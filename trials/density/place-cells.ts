/** Cells of places and of geocoding: services, parking, charging, names and addresses of bases. */
import { always, type Cell, CITY } from "./cell.ts";
import type { SentRequest } from "./stage.ts";
import { get, type Query } from "./ways.ts";
import { listWords, NAMED, POINT, SPREAD, STREETS } from "./worlds.ts";

const KINDS = "aed,toilets,drinking_water,fountain,wifi,parking,charging,locker";

const services = (at: Query, more: Query): SentRequest =>
  get("/v1/services/nearby", { ...at, ...more });

/** Sixteen words of five letters with a typing error each, none of them a word. */
export const MISSPELT: string = Array.from({ length: 16 }, (_, i) => {
  const word = listWords()[i * 197]!;
  return `${word.slice(0, 2)}x${word.slice(3)}`;
}).join(" ");

export const PLACE_CELLS: readonly Cell[] = [
  {
    of: "getServicesNearby",
    what: "all toilets at one point, limit 200",
    stage: "dense",
    make: always(services(POINT, { types: "toilets", limit: 200 })),
  },
  {
    of: "getServicesNearby",
    what: "a city, all types, radius 10000, limit 200",
    stage: "cities",
    make: always(services(CITY, { types: KINDS, radius: 10_000, limit: 200 })),
  },
  {
    of: "getPlacesNearby",
    what: "100,000 shops in one circle, open now, limit 100",
    stage: "dense",
    make: always(
      get("/v1/places/nearby", { ...NAMED, classes: "books", usable: "now", limit: 100 }),
    ),
  },
  {
    of: "getNearby",
    what: "all toilets at one point",
    stage: "dense",
    make: always(get("/v1/nearby", { ...POINT, include: "places" })),
  },
  {
    of: "getParkingNearby",
    what: "car parks over 10 km",
    stage: "dense",
    make: always(get("/v1/parking/nearby", { ...SPREAD, radius: 10_000, limit: 1 })),
  },
  {
    of: "getChargingNearby",
    what: "chargers over 10 km",
    stage: "dense",
    make: always(get("/v1/charging/nearby", { ...SPREAD, radius: 10_000 })),
  },
  {
    of: "geocode",
    what: "16 misspelt words, ten bases",
    stage: "dense",
    make: always(get("/v1/geocode", { q: MISSPELT })),
  },
  {
    of: "geocode",
    what: "a street of the dense streets",
    stage: "dense",
    make: always(get("/v1/geocode", { q: "12 Rue 7, Dense" })),
  },
  {
    of: "searchPlaces",
    what: "prefix, 16 misspelt words, ten bases",
    stage: "dense",
    make: always(get("/v1/place-search", { q: MISSPELT, prefix: true })),
  },
  {
    of: "searchPlaces",
    what: "prefix, one letter",
    stage: "dense",
    make: always(get("/v1/place-search", { q: "l", prefix: true, ...NAMED })),
  },
  {
    of: "searchPlaces",
    what: "all things of a kind",
    stage: "dense",
    make: always(get("/v1/place-search", { q: "toilets", ...POINT })),
  },
  {
    of: "reverseGeocode",
    what: "among the dense addresses",
    stage: "dense",
    make: always(get("/v1/reverse-geocode", STREETS)),
  },
  {
    of: "photon",
    what: "limit 50, 16 misspelt words, ten bases",
    stage: "dense",
    make: always(get("/photon/api", { q: MISSPELT, limit: 50 })),
  },
  {
    of: "photon",
    what: "reverse among the dense addresses",
    stage: "dense",
    make: always(get("/photon/reverse", { ...STREETS, limit: 50 })),
  },
];
