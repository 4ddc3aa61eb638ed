/** One realistic example for every documented success of the services; the tests validate each. */
import { MAPS_PROVIDER_ID, MAPS_PROVIDER_NAME } from "./deployment.ts";
import type { ChargingBodyValue, ParkingBodyValue, ServicesBodyValue } from "./services.ts";

const ORIGIN = { lat: 48.8566, lon: 2.3522 };
const LOCAL = { local_time: "2026-11-14T10:31:00+01:00", time_zone: "Europe/Paris" } as const;
const ATTRIBUTION = {
  provider: MAPS_PROVIDER_NAME,
  display_name: MAPS_PROVIDER_NAME,
  required: true,
} as const;

const PARKING: ParkingBodyValue["results"][number] = {
  id: "svc_place_3m6q2x7n5k4w8v1b9c0j",
  type: "service",
  service_type: "parking",
  external_id: "ChIJexample0000000000021",
  name: "Parking des Bateliers",
  location: { lat: 48.8559, lon: 2.3561 },
  distance_meters: 297,
  attributes: {
    maps_place_id: "ChIJexample0000000000021",
    address: "4 Quai des Bateliers, 75004 Paris, France",
    primary_type: "parking_garage",
    types: ["parking_garage", "parking", "point_of_interest", "establishment"],
    open_status: "open",
    opening_hours: ["Monday: Open 24 hours"],
    usable: { state: "open", until: null, rule: "24/7", holidays_known: true },
    parking: { kind: "garage", features: ["paid_garage_parking"] },
  },
  source_id: MAPS_PROVIDER_ID,
  source_type: "partner_api",
};

const CHARGING: ChargingBodyValue["results"][number] = {
  id: "svc_place_7k1d4f9s2g6h3j8l0z5x",
  type: "service",
  service_type: "charging",
  external_id: "ChIJexample0000000000031",
  name: "Borne Tilleuls",
  location: { lat: 48.8574, lon: 2.3531 },
  distance_meters: 111,
  attributes: {
    maps_place_id: "ChIJexample0000000000031",
    primary_type: "electric_vehicle_charging_station",
    types: ["electric_vehicle_charging_station"],
    open_status: "unknown",
    charging: {
      connector_count: 4,
      available_count: 0,
      out_of_service_count: 1,
      availability_updated_at: "2026-11-14T09:28:00Z",
      connectors: [
        {
          type: "CCS2",
          max_kw: 150,
          count: 4,
          available_count: 0,
          out_of_service_count: 1,
          availability_updated_at: "2026-11-14T09:28:00Z",
        },
      ],
    },
  },
  source_id: MAPS_PROVIDER_ID,
  source_type: "partner_api",
};

const TOILETS: ServicesBodyValue["results"][number] = {
  id: "svc_place_9b2n6m4q8w1e5r7t3y0u",
  type: "service",
  service_type: "toilets",
  provider: { id: "openstreetmap", name: "OpenStreetMap" },
  external_id: "node/123456789",
  name: "Public toilets, Rue des Tilleuls",
  location: { lat: 48.8569, lon: 2.3527 },
  distance_meters: 49,
  attributes: {
    fee: false,
    wheelchair: "yes",
    opening_hours: "Mo-Su 06:00-22:00",
    usable: {
      state: "open",
      until: "2026-11-14T22:00:00+01:00",
      rule: "Mo-Su 06:00-22:00",
      holidays_known: true,
    },
  },
  source_id: "openstreetmap",
  source_type: "community",
};

export const SERVICES_EXAMPLE: ServicesBodyValue = {
  status: "success",
  query_origin: ORIGIN,
  radius: 1500,
  total: 2,
  ...LOCAL,
  summary: { toilets: 1, parking: 1, aed: 0 },
  results: [TOILETS, PARKING],
  attributions: [ATTRIBUTION],
};

export const SERVICES_PARTIAL_EXAMPLE: ServicesBodyValue = {
  status: "partial",
  message: "The answer may be incomplete: 1 of 2 sources could not be read in time.",
  query_origin: ORIGIN,
  radius: 1500,
  total: 1,
  ...LOCAL,
  summary: { toilets: 1 },
  results: [TOILETS],
  debug: {
    providers: {
      refuge_restrooms: { status: "timeout", raw_count: 0, returned_count: 0, reason: "deadline" },
      openstreetmap: { status: "ok", raw_count: 41, returned_count: 1 },
    },
    provider_calls: 1,
    cache: "partial",
    requested_radius: 1500,
    applied_radius: 1500,
    requested_limit: 50,
    applied_limit: 50,
  },
};

export const PARKING_EXAMPLE: ParkingBodyValue = {
  status: "success",
  query_origin: ORIGIN,
  radius: 1500,
  total: 1,
  ...LOCAL,
  results: [PARKING],
  attribution: ATTRIBUTION,
};

export const CHARGING_EXAMPLE: ChargingBodyValue = {
  status: "success",
  query_origin: ORIGIN,
  radius: 1500,
  total: 1,
  ...LOCAL,
  results: [CHARGING],
  attribution: ATTRIBUTION,
};
