/** Questions about mobility: /v1/nearby and /v1/sources (contract 4.9; decisions, Global nearby). */
import { readBoolean, readInteger, readList, readNumber } from "./grammar.ts";
import {
  conclude,
  createReader,
  type Given,
  LATITUDE,
  LONGITUDE,
  type Read,
  type Reader,
  within,
} from "./reader.ts";

export type NearbyQuestion = {
  kind: "nearby";
  lat: number;
  lon: number;
  radius: number;
  modes: readonly string[];
  include: readonly string[];
  limit: number;
  offset: number;
  format: string;
  debug: boolean;
};
export type SourcesQuestion = { lat: number | undefined; lon: number | undefined; radius: number };

/** `lng` is another name of `lon` here; both must agree. */
export function readPoint(reader: Reader): { lat: number | undefined; lon: number | undefined } {
  const lat = reader.one("lat", LATITUDE);
  const lon = reader.one("lon", LONGITUDE);
  const lng = reader.one("lng", LONGITUDE);
  const both = lon !== undefined && lng !== undefined;
  if (both && lon - lng !== 0) reader.at_fault.add("lon").add("lng");
  return { lat, lon: lon ?? lng };
}

const MODES = ["bicycle", "scooter", "moped", "car"];
const FAMILIES = ["places", "lines", "stations", "vehicles", "alerts"];
const FORMATS = ["json", "geojson"];

export function readNearby(given: Given): Read<NearbyQuestion> {
  const reader = createReader(given);
  const { lat, lon } = readPoint(reader);
  if (!given.has("lat")) reader.at_fault.add("lat");
  if (!given.has("lon") && !given.has("lng")) reader.at_fault.add("lon").add("lng");
  const optional = {
    radius: reader.one("radius", within(readNumber, 1)) ?? 400,
    modes: reader.one("modes", (text) => readList(text, MODES)) ?? MODES,
    include: reader.one("include", (text) => readList(text, FAMILIES)) ?? ["stations", "vehicles"],
    limit: reader.one("limit", within(readInteger, 1)) ?? 100,
    offset: reader.one("offset", within(readInteger, 0)) ?? 0,
    format: reader.one("format", (text) => FORMATS.find((one) => one === text)) ?? "json",
    debug: reader.one("debug", readBoolean) ?? false,
  };
  return conclude(reader, () => ({ kind: "nearby", lat: lat!, lon: lon!, ...optional }));
}

/** lat and lon stand together or not at all. */
export function readSources(given: Given): Read<SourcesQuestion> {
  const reader = createReader(given);
  const { lat, lon } = readPoint(reader);
  const radius = reader.one("radius", within(readNumber, 1)) ?? 400;
  const located = given.has("lon") || given.has("lng");
  if (given.has("lat") !== located) reader.at_fault.add("lat").add("lon").add("lng");
  return conclude(reader, () => ({ lat, lon, radius }));
}
