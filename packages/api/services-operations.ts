/** The rows of §4.6 and §4.7 in the table of operations. */
import { ONE_UNIT, type Operation, SEARCH_CACHING, SEARCH_ERRORS } from "./operation.ts";
import {
  CHARGING_EXAMPLE,
  PARKING_EXAMPLE,
  SERVICES_EXAMPLE,
  SERVICES_PARTIAL_EXAMPLE,
} from "./services-examples.ts";
import {
  CHARGING_PARAMETERS,
  ChargingBody,
  FACILITY_PARAMETERS,
  MAPS_CATEGORIES,
  ParkingBody,
  SERVICES_PARAMETERS,
  ServicesBody,
} from "./services.ts";

const SHARED = {
  method: "GET",
  tag: "Services",
  errors: SEARCH_ERRORS,
  auth: "optional",
  scope: ["data:read"],
  caching: SEARCH_CACHING,
  licence_link: true,
} as const;

export const SERVICES_OPERATIONS = [
  {
    ...SHARED,
    id: "getServicesNearby",
    path: "/v1/services/nearby",
    summary: "Urban services around a point",
    description:
      "Defibrillators, toilets, drinking water and fountains, wifi, parking, EV charging and parcel lockers, with a count per requested type. At most 20 items of parking and of charging, at most 100 of the locker provider. A source that fails makes the answer `partial`, never an error.",
    parameters: SERVICES_PARAMETERS,
    success: {
      description: "What was found, ordered by distance.",
      content: {
        "application/json": {
          schema: ServicesBody,
          examples: { success: SERVICES_EXAMPLE, partial: SERVICES_PARTIAL_EXAMPLE },
        },
      },
    },
    charge: { per: "category", first: 1, each: 1, categories: MAPS_CATEGORIES },
    deadline: { name: "services", default_ms: 3_000 },
  },
  {
    ...SHARED,
    id: "getParkingNearby",
    path: "/v1/parking/nearby",
    summary: "Parking around a point",
    description:
      "Car parks of the maps provider, ordered by distance. `attribution` must be displayed. A failure of the provider is `partial`, never an error.",
    parameters: FACILITY_PARAMETERS,
    success: {
      description: "Car parks.",
      content: {
        "application/json": { schema: ParkingBody, examples: { success: PARKING_EXAMPLE } },
      },
    },
    charge: ONE_UNIT,
    deadline: { name: "parking", default_ms: 3_000 },
  },
  {
    ...SHARED,
    id: "getChargingNearby",
    path: "/v1/charging/nearby",
    summary: "EV charging around a point",
    description:
      "Charging stations of the maps provider, ordered by distance, with availability where the provider supplies it: a count that is not supplied is absent, never 0. `attribution` must be displayed.",
    parameters: CHARGING_PARAMETERS,
    success: {
      description: "Charging stations.",
      content: {
        "application/json": { schema: ChargingBody, examples: { success: CHARGING_EXAMPLE } },
      },
    },
    charge: ONE_UNIT,
    deadline: { name: "charging", default_ms: 3_000 },
  },
] as const satisfies readonly Operation[];
