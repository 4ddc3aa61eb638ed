/**
 * The answer and cost of each operation, and the access of each caller, by hand (§7; decisions,
 * "Errors" and "Authentication, plans, metering"): nothing here is asked of the implementation.
 */
import type { OperationId } from "#api/operations.ts";

/** §7, and 401 and 403, since credentials are accepted there (decisions, Errors). */
const GEOCODING = [200, 400, 401, 403, 429, 502, 503, 504];
const SEARCHES = [200, 400, 401, 402, 403, 429, 503];
const GBFS = [200, 304, 400, 401, 402, 403, 404, 429, 503];

/** §7 word for word; /v1/sources is an addition, 431 precedes matching. */
export const STATUSES: Record<OperationId, number[]> = {
  getHealth: [200, 431],
  getOpenApi: [200, 304, 431],
  getChangelog: [200, 304, 404, 431],
  getNearby: [200, 400, 401, 402, 403, 429],
  geocode: GEOCODING,
  searchPlaces: GEOCODING,
  reverseGeocode: GEOCODING,
  getServicesNearby: SEARCHES,
  getParkingNearby: SEARCHES,
  getChargingNearby: SEARCHES,
  getPlacesNearby: SEARCHES,
  getTransportNearby: SEARCHES,
  getDeparturesNearby: SEARCHES,
  getStationDepartures: [200, 400, 401, 402, 403, 404, 429, 503],
  getWalk: SEARCHES,
  getReach: SEARCHES,
  streamNearby: SEARCHES,
  getLiveTile: [200, 304, ...SEARCHES.slice(1)],
  getPlace: [200, 400, 401, 402, 403, 404, 429, 503],
  getPlaceHistory: [200, 400, 401, 402, 403, 404, 429, 503],
  getGbfsManifest: GBFS,
  getGbfsFile: GBFS,
  getGbfs2File: GBFS,
  executeCapability: [200, 400, 401, 403, 404, 410, 429, 503],
  readDataset: [200, 304, 400, 401, 403, 404, 410, 429, 503],
  getLegacyVehicles: [200, 400, 401, 402, 403, 404, 429, 502, 503, 504],
  getLegacyScooters: [200, 400, 401, 402, 403, 429, 502, 503, 504],
  getLegacyWater: [200, 400, 401, 402, 403, 429, 502, 503, 504],
  getWeather: [200, 400, 401, 402, 403, 429, 502, 503, 504],
  getForecast: [200, 400, 401, 402, 403, 429, 502, 503, 504],
  getMe: [200, 400, 401, 429, 503],
  listSources: [200, 400, 401, 429, 503],
  getSourceQuality: [200, 400, 401, 404, 429, 503],
};

/** Units of a 200 with one result (decisions, metering). */
export const UNITS: Record<OperationId, number> = {
  getHealth: 0,
  getOpenApi: 0,
  getChangelog: 0,
  getNearby: 1,
  geocode: 1,
  searchPlaces: 1,
  reverseGeocode: 1,
  getServicesNearby: 1,
  getParkingNearby: 1,
  getChargingNearby: 1,
  getPlacesNearby: 1,
  getTransportNearby: 1,
  getDeparturesNearby: 1,
  getStationDepartures: 1,
  getWalk: 1,
  getReach: 1,
  streamNearby: 1,
  getLiveTile: 1,
  getPlace: 1,
  getPlaceHistory: 1,
  getGbfsManifest: 1,
  getGbfsFile: 1,
  getGbfs2File: 1,
  executeCapability: 2,
  readDataset: 0,
  getLegacyVehicles: 1,
  getLegacyScooters: 1,
  getLegacyWater: 1,
  getWeather: 1,
  getForecast: 1,
  getMe: 0,
  listSources: 0,
  getSourceQuality: 0,
};

/** Operations that decide alike about their callers; an operation that is in none fails the test. */
export const CLASSES = {
  /** §5: no authentication. */
  open: { getHealth: "/health", getOpenApi: "/openapi.json" },
  /** §7: 401, 402, 403 and 429, and never 503. */
  nearby: { getNearby: "/v1/nearby?{place}" },
  /** §7: 429, and 401 and 403 besides; either scope. */
  geocoding: {
    geocode: "/v1/geocode?q=Paris",
    searchPlaces: "/v1/place-search?q=Paris",
  },
  /** §5: `geography:read`. */
  reverse: { reverseGeocode: "/v1/reverse-geocode?{place}" },
  /** §7: 401, 402, 403, 429 and 503. */
  search: {
    getServicesNearby: "/v1/services/nearby?{place}&types=toilets",
    getParkingNearby: "/v1/parking/nearby?{place}",
    getChargingNearby: "/v1/charging/nearby?{place}",
    getPlacesNearby: "/v1/places/nearby?{place}&classes=pharmacy",
    getTransportNearby: "/v1/transport/nearby?{place}",
    getDeparturesNearby: "/v1/departures/nearby?{place}",
    getStationDepartures: "/v1/departures/{station}",
    getWalk: "/v1/walk?from=48.8566,2.3522&to=48.8574,2.3531",
    getReach: "/v1/reach?{place}&minutes=5",
    streamNearby: "/v1/nearby/stream?bbox=2.345,48.852,2.36,48.862&once=true",
    getLiveTile: "/v1/tiles/14/8299/5636.mvt",
    getPlace: "/v1/places/{dock}",
    getPlaceHistory: "/v1/places/{dock}/history",
    getGbfsManifest: "/gbfs/v3/manifest.json",
    getGbfsFile: "/gbfs/v3/paris-velo-seine/gbfs.json",
    getGbfs2File: "/gbfs/v2/paris-velo-seine/gbfs.json",
  },
  /** §7: 429 and 503, and 401 and 403 besides, but no 402. */
  capability: { executeCapability: "/v1/capabilities" },
  /** The same, free, of a dataset that never was. */
  record: { readDataset: "/v1/datasets/nearby_x/1-x" },
  /** Decisions: as the searches, and 502 and 504 besides. */
  legacy: {
    getLegacyWater: "/realtime/paris/48.8566,2.3522/water",
    getWeather: "/realtime/48.8566,2.3522/weather/fr",
    getForecast: "/realtime/48.8566,2.3522/forecast/fr",
  },
  /** §4.11, §4.12: the same, for a caller with a key. */
  vehicles: {
    getLegacyVehicles: "/api/realtime/48.8566,2.3522/velo-seine",
    getLegacyScooters: "/api/realtime/48.8566,2.3522/freefloat/scooter",
  },
  /** §4.13: 404 for all callers until it is published. */
  unpublished: { getChangelog: "/changelog.json" },
  /** No scope, no units, for callers in any standing. */
  free: {
    getMe: "/v1/me",
    listSources: "/v1/sources",
    getSourceQuality: "/v1/sources/paris-velo-seine/quality",
  },
} as const satisfies Readonly<Record<string, Readonly<Partial<Record<OperationId, string>>>>>;
