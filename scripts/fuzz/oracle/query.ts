/** The parameters of a raw query, and what the decisions say of them. */
import { decodeForm, readBoolean, readInteger, readList, readNumber } from "./grammar.ts";

/** All values of one name, in order; undefined: broken encoding. */
export type Given = ReadonlyMap<string, readonly (string | undefined)[]>;

export type NearbyQuestion = {
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

/** Either a question, or the parameters of which a refusal must name at least one. */
export type Read<Q> = { question: Q; at_fault: null } | { question: null; at_fault: Set<string> };

export function readQuery(raw: string): Given {
  const given = new Map<string, (string | undefined)[]>();
  for (const part of raw.split("&")) {
    const split = part.indexOf("=");
    const name = decodeForm(split === -1 ? part : part.slice(0, split));
    if (name === undefined) continue;
    const value = decodeForm(split === -1 ? "" : part.slice(split + 1));
    given.set(name, [...(given.get(name) ?? []), value]);
  }
  return given;
}

/** Reads single values and remembers every parameter that breaks its rule. */
type Reader = {
  at_fault: Set<string>;
  one<T>(name: string, read: (text: string) => T | undefined): T | undefined;
};

function createReader(given: Given): Reader {
  const at_fault = new Set<string>();
  return {
    at_fault,
    one: (name, read) => {
      const values = given.get(name);
      if (values === undefined) return undefined;
      const value = values.length === 1 && values[0] !== undefined ? read(values[0]) : undefined;
      if (value === undefined) at_fault.add(name);
      return value;
    },
  };
}

const within =
  (read: (text: string) => number | undefined, low: number, high = Number.MAX_VALUE) =>
  (text: string): number | undefined => {
    const value = read(text);
    return value !== undefined && value >= low && value <= high ? value : undefined;
  };

function readPoint(given: Given, reader: Reader): { lat?: number; lon?: number } {
  const lat = reader.one("lat", within(readNumber, -90, 90));
  const lon = reader.one("lon", within(readNumber, -180, 180));
  const lng = reader.one("lng", within(readNumber, -180, 180));
  const both = lon !== undefined && lng !== undefined;
  if (both && lon - lng !== 0) reader.at_fault.add("lon").add("lng");
  const longitude = lon ?? lng;
  return {
    ...(lat === undefined ? {} : { lat }),
    ...(longitude === undefined ? {} : { lon: longitude }),
  };
}

const MODES = ["bicycle", "scooter", "moped", "car"];
const FAMILIES = ["places", "lines", "stations", "vehicles", "alerts"];
const FORMATS = ["json", "geojson"];

export function readNearby(given: Given): Read<NearbyQuestion> {
  const reader = createReader(given);
  const { lat, lon } = readPoint(given, reader);
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
  if (reader.at_fault.size > 0) return { question: null, at_fault: reader.at_fault };
  return { question: { lat: lat!, lon: lon!, ...optional }, at_fault: null };
}

/** lat and lon stand together or not at all. */
export function readSources(given: Given): Read<SourcesQuestion> {
  const reader = createReader(given);
  const { lat, lon } = readPoint(given, reader);
  const radius = reader.one("radius", within(readNumber, 1)) ?? 400;
  const located = given.has("lon") || given.has("lng");
  if (given.has("lat") !== located) reader.at_fault.add("lat").add("lon").add("lng");
  if (reader.at_fault.size > 0) return { question: null, at_fault: reader.at_fault };
  return { question: { lat, lon, radius }, at_fault: null };
}
