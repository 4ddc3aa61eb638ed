/** One realistic example for every documented success; the tests validate each against its schema. */
import type { NearbyBodyValue, NearbyGeoJsonValue } from "./nearby.ts";
import type { HealthBody } from "./health.ts";
import type { SourcesBody } from "./sources.ts";

export const HEALTH_EXAMPLE: HealthBody = {
  status: "ok",
  service: "vicinity",
  version: "1.1.0",
  time: "2026-11-14T09:30:00.000Z",
};

const EXPLORE = { id: "explore:bicycle", intent: "explore", mode: "bicycle" } as const;
const PICKUP = { id: "pickup:bicycle", intent: "pickup", mode: "bicycle" } as const;
const RETURN = { id: "return:bicycle", intent: "return", mode: "bicycle" } as const;
const SCOOTER = { id: "pickup:scooter", intent: "pickup", mode: "scooter" } as const;

const STATION = {
  id: "svc_station_5k2n7q4w6x3c8v1b9m0j",
  type: "station",
  name: "Hôtel de Ville",
  network: { id: "velib_metropole", name: "Vélib' Métropole" },
  location: { lat: 48.857, lon: 2.3515 },
  capacity: 32,
  availability: {
    vehicles: 11,
    docks: 20,
    disabled_vehicles: 1,
    disabled_docks: null,
    by_mode: { bicycle: 11 },
    electric: 4,
    is_installed: true,
    is_renting: true,
    is_returning: true,
    last_reported: "2026-11-14T09:29:12Z",
    observed_at: "2026-11-14T09:29:40Z",
  },
  distance_meters: 67.9,
  entity_type: "bicycle_station",
  mode: "bicycle",
  data_class: "realtime",
  service_status: { state: "operational" },
  capabilities: {
    pickup: true,
    return: true,
    park: true,
    charge: false,
    reserve: false,
    navigate: true,
  },
  action_state: {
    pickup: "available_now",
    return: "available_now",
    park: "available_now",
    charge: "unavailable_now",
    reserve: "unavailable_now",
    navigate: "available_now",
  },
  context_actions: [EXPLORE, PICKUP, RETURN],
} satisfies NearbyBodyValue["results"]["stations"][number];

const VEHICLE = {
  source: {
    id: "b1946ac9",
    location: { lat: 48.8559, lon: 2.3538 },
    source_kind: "gbfs",
    distance_meters: 140.6,
    entity_type: "scooter_vehicle",
    mode: "scooter",
    data_class: "realtime",
    service_status: { state: "operational" },
    capabilities: {
      pickup: true,
      return: false,
      park: false,
      charge: false,
      reserve: false,
      navigate: true,
    },
    action_state: {
      pickup: "available_now",
      return: "unavailable_now",
      park: "unavailable_now",
      charge: "unavailable_now",
      reserve: "unavailable_now",
      navigate: "available_now",
    },
    context_actions: [{ id: "explore:scooter", intent: "explore", mode: "scooter" }, SCOOTER],
  },
  source_id: "example_scooters_paris:b1946ac9",
  network_id: "example_scooters_paris",
  canonical_id: null,
  resolution_status: "unresolved",
  entity_source: "svc",
} satisfies NearbyBodyValue["results"]["vehicles"][number];

const ACTIONS: NearbyBodyValue["available_actions"] = [
  EXPLORE,
  { id: "explore:scooter", intent: "explore", mode: "scooter" },
  PICKUP,
  SCOOTER,
  RETURN,
];
const WARNING: NonNullable<NearbyBodyValue["warnings"]>[number] = {
  code: "radius_capped",
  message: "radius was reduced to 400 metres",
  requested: 1000,
  applied: 400,
};
const ORIGIN = { lat: 48.8566, lon: 2.3522 };

export const NEARBY_EXAMPLE: NearbyBodyValue = {
  status: "success",
  query_origin: ORIGIN,
  radius: 400,
  total: 2,
  results: { places: [], lines: [], stations: [STATION], vehicles: [VEHICLE], alerts: [] },
  available_actions: ACTIONS,
  requested_radius: 1000,
  requested_limit: 100,
  limit: 100,
  warnings: [WARNING],
};

export const NEARBY_EMPTY_EXAMPLE: NearbyBodyValue = {
  status: "empty",
  message: "No source covers this point.",
  query_origin: { lat: 0, lon: -140 },
  radius: 400,
  total: 0,
  results: { places: [], lines: [], stations: [], vehicles: [], alerts: [] },
  available_actions: [],
  requested_radius: 400,
  requested_limit: 100,
  limit: 100,
};

const { location, ...stationProperties } = STATION;

export const NEARBY_GEOJSON_EXAMPLE: NearbyGeoJsonValue = {
  type: "FeatureCollection",
  query_origin: ORIGIN,
  features: [
    {
      type: "Feature",
      id: STATION.id,
      geometry: { type: "Point", coordinates: [location.lon, location.lat] },
      properties: stationProperties,
    },
    {
      type: "Feature",
      id: VEHICLE.source_id,
      geometry: {
        type: "Point",
        coordinates: [VEHICLE.source.location.lon, VEHICLE.source.location.lat],
      },
      properties: VEHICLE,
    },
  ],
  available_actions: ACTIONS,
  meta: { status: "success", total: 2, radius: 400, limit: 100, offset: 0, warnings: [WARNING] },
};

export const SOURCES_EXAMPLE: SourcesBody = {
  sources: [
    {
      id: "gbfs:velib_metropole",
      name: "Vélib' Métropole",
      kind: "feed",
      operations: ["getNearby"],
      state: "ok",
      licence: "ODbL-1.0",
      licence_url: "https://opendatacommons.org/licenses/odbl/1-0/",
      attribution: "Vélib' Métropole",
      attribution_url: null,
      terms: { map: "any" },
      entity_count: 1480,
      bbox: { south: 48.76, west: 2.16, north: 48.96, east: 2.56 },
      areas: [{ south: 48.76, west: 2.16, north: 48.96, east: 2.56 }],
      problem: null,
      last_success_at: "2026-11-14T09:29:40Z",
      age_s: 20,
      error_rate_5m: 0,
    },
  ],
};
