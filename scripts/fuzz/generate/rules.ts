/** The operations with parameters: which ones, which are required, and what each must refuse. */
import { type SearchOperation, TYPES } from "./search.ts";
import { NOT_COUNTRY, NOT_LANGUAGE, NOT_TEXT } from "./texts.ts";
import {
  type Faulty,
  NOT_BOOLEAN,
  NOT_FORMAT,
  NOT_INTEGER,
  notList,
  NOT_NUMERIC,
} from "./values.ts";

export type Operation = "nearby" | "sources" | "transport" | SearchOperation;

export const PATHS: Readonly<Record<Operation, string>> = {
  nearby: "/v1/nearby",
  sources: "/v1/sources",
  geocode: "/v1/geocode",
  placeSearch: "/v1/place-search",
  reverse: "/v1/reverse-geocode",
  services: "/v1/services/nearby",
  parking: "/v1/parking/nearby",
  charging: "/v1/charging/nearby",
  transport: "/v1/transport/nearby",
};

const FACILITY = ["lat", "lon", "language", "radius", "limit", "debug"];

export const NAMES: Readonly<Record<Operation, readonly string[]>> = {
  nearby: [
    ...["lat", "lon", "lng", "radius", "modes", "include", "limit", "offset", "offset", "format"],
    "debug",
  ],
  sources: ["lat", "lon", "lng", "radius"],
  geocode: ["q", "q", "language", "country"],
  placeSearch: ["q", "q", "lat", "lon", "language"],
  reverse: ["lat", "lon", "language"],
  services: ["lat", "lon", "types", "types", "types", "country", "radius", "limit", "debug"],
  parking: FACILITY,
  charging: FACILITY,
  transport: [
    ...["lat", "lon", "lng", "radius", "limit", "modes", "providers", "providers", "providers"],
    "providers",
    ...["realtime", "realtime", "realtime", "language", "debug"],
  ],
};

/** Left out, each under all of its names. */
export const REQUIRED: Readonly<Record<Operation, readonly (readonly string[])[]>> = {
  nearby: [["lat"], ["lon", "lng"]],
  sources: [["lat"], ["lon", "lng"]],
  geocode: [["q"]],
  placeSearch: [["q"], ["lat"], ["lon"]],
  reverse: [["lat"], ["lon"]],
  services: [["lat"], ["lon"], ["types"], ["types"]],
  parking: [["lat"], ["lon"]],
  charging: [["lat"], ["lon"]],
  transport: [["lat"], ["lon", "lng"]],
};
/** A point may be absent here, but not half of it. */
export const HALVES: readonly Operation[] = ["sources", "placeSearch"];

export const BOUNDS: Readonly<Record<string, { low?: number; high?: number }>> = {
  lat: { low: -90, high: 90 },
  lon: { low: -180, high: 180 },
  lng: { low: -180, high: 180 },
  radius: { low: 1 },
  limit: { low: 1 },
  offset: { low: 0 },
};
/** Where `radius` must be above 0, instead of at least 1. */
export const EXCLUSIVE: readonly Operation[] = ["services", "parking", "charging", "transport"];
export const NO_RADIUS: readonly string[] = [
  ...["0", "-0", "0.0", "0e5", "1e-400", "-1", "-5e-324", "-1e300"],
];

const MODE_FAULTS = notList("bicycle", "other");
const TRANSPORT_MODE_FAULTS = notList("rapid_transit", "car");
const PROVIDER_FAULTS = notList("gtfs", "motis");
const FAMILY_FAULTS = notList("stations", "station");
const TYPE_FAULTS: Faulty = {
  ...notList("toilets", "toilet"),
  other: [
    "bicycle",
    "bakery",
    TYPES.join(",").concat(",water"),
    "drinking-water",
    "aed,defibrillator",
  ],
};

/** What a parameter may be given that it must refuse. */
export function faultsOf(name: string, operation?: Operation): Faulty {
  switch (name) {
    case "limit":
    case "offset":
      return NOT_INTEGER;
    case "modes":
      return operation === "transport" ? TRANSPORT_MODE_FAULTS : MODE_FAULTS;
    case "providers":
      return PROVIDER_FAULTS;
    case "include":
      return FAMILY_FAULTS;
    case "types":
      return TYPE_FAULTS;
    case "format":
      return NOT_FORMAT;
    case "debug":
    case "realtime":
      return NOT_BOOLEAN;
    case "q":
      return NOT_TEXT;
    case "language":
      return NOT_LANGUAGE;
    case "country":
      return NOT_COUNTRY;
    default:
      return NOT_NUMERIC;
  }
}
