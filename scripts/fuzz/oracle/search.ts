/**
 * Questions that are asked of other sources: geocoding (§4.3 to 4.5), urban services (§4.6),
 * parking and charging (§4.7), with the limits of §8 (decisions, Conventions).
 */
import { readBoolean, readInteger, readList, readNumber } from "./grammar.ts";
import {
  above,
  conclude,
  createReader,
  type Given,
  LATITUDE,
  LONGITUDE,
  type Read,
  within,
} from "./reader.ts";
import { type FreeText, readCountry, readLanguage, readText } from "./text.ts";

type Point = { lat: number; lon: number };

export type GeocodingQuestion = {
  kind: "geocoding";
  /** What `meta.query` may be; null: there is no text in the question. */
  q: readonly string[] | null;
  origin: Point | null;
  country: string | null;
};

export type ServicesQuestion = Point & {
  kind: "services" | "parking" | "charging";
  types: readonly string[];
  radius: number;
  limit: number;
  /** The effective ones. */
  applied: { radius: number; limit: number };
  debug: boolean;
};

export function readGeocode(given: Given): Read<GeocodingQuestion> {
  const reader = createReader(given);
  const text = reader.required("q", readText);
  reader.one("language", readLanguage);
  const country = reader.one("country", readCountry) ?? null;
  const read = conclude(reader, () => geocoding(text!.readings, null, country));
  return hedge(read, text);
}

/** The point only prefers what is near; half of one is refused. */
export function readPlaceSearch(given: Given): Read<GeocodingQuestion> {
  const reader = createReader(given);
  const text = reader.required("q", readText);
  const lat = reader.one("lat", LATITUDE);
  const lon = reader.one("lon", LONGITUDE);
  if (given.has("lat") !== given.has("lon")) reader.at_fault.add("lat").add("lon");
  reader.one("language", readLanguage);
  const read = conclude(reader, () => {
    const origin = lat === undefined || lon === undefined ? null : { lat, lon };
    return geocoding(text!.readings, origin, null);
  });
  return hedge(read, text);
}

export function readReverse(given: Given): Read<GeocodingQuestion> {
  const reader = createReader(given);
  const lat = reader.required("lat", LATITUDE);
  const lon = reader.required("lon", LONGITUDE);
  reader.one("language", readLanguage);
  return conclude(reader, () => geocoding(null, { lat: lat!, lon: lon! }, null));
}

function geocoding(
  q: readonly string[] | null,
  origin: Point | null,
  country: string | null,
): GeocodingQuestion {
  return { kind: "geocoding", q, origin, country };
}

function hedge<Q>(read: Read<Q>, text: FreeText | undefined): Read<Q> {
  if (read.at_fault !== null || text === undefined || text.certain) return read;
  return { ...read, unsure: "q" };
}

export const SERVICE_TYPES: readonly string[] = [
  ...["aed", "toilets", "wifi", "fountain", "parking", "charging", "locker", "drinking_water"],
];
const SERVICES = { radius: 1500, radius_max: 10_000, limit: 50, limit_max: 200 } as const;
const FACILITIES = { radius: 1500, radius_max: 10_000, limit: 20, limit_max: 20 } as const;

export function readServices(given: Given): Read<ServicesQuestion> {
  return readAround(given, "services", SERVICES);
}

/** /v1/parking/nearby and /v1/charging/nearby. */
export function readFacility(
  kind: "parking" | "charging",
): (given: Given) => Read<ServicesQuestion> {
  return (given) => readAround(given, kind, FACILITIES);
}

function readAround(
  given: Given,
  kind: ServicesQuestion["kind"],
  rules: { radius: number; radius_max: number; limit: number; limit_max: number },
): Read<ServicesQuestion> {
  const reader = createReader(given);
  const lat = reader.required("lat", LATITUDE);
  const lon = reader.required("lon", LONGITUDE);
  const services = kind === "services";
  const types = services
    ? reader.required("types", (text) => readList(text, SERVICE_TYPES))
    : [kind];
  // Each of the two knows a parameter that the other one ignores.
  if (services) reader.one("country", readCountry);
  else reader.one("language", readLanguage);
  const radius = reader.one("radius", above(readNumber, 0)) ?? rules.radius;
  const limit = reader.one("limit", within(readInteger, 1)) ?? rules.limit;
  const debug = reader.one("debug", readBoolean) ?? false;
  const applied = {
    radius: Math.min(radius, rules.radius_max),
    limit: Math.min(limit, rules.limit_max),
  };
  const rest = { types: types!, radius, limit, applied, debug };
  return conclude(reader, () => ({ kind, lat: lat!, lon: lon!, ...rest }));
}
