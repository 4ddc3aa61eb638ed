/** A small client of the API, typed by the table of operations. A failure is a value, as everywhere. */
import type { BodyAt, OperationPath, QueryAt } from "../operations.ts";
import type { LiveEvent, StreamOptions } from "./live-event.ts";
import type { ClientOptions, Reply, WeatherQuery } from "./reply.ts";
import { get, type QueryMembers } from "./request.ts";
import { openStream, STREAM_PATH } from "./stream.ts";

/** Method → what it asks; its query and its answer are those of the operation there. */
export const PATHS = {
  nearby: "/v1/nearby",
  geocode: "/v1/geocode",
  searchPlaces: "/v1/place-search",
  reverseGeocode: "/v1/reverse-geocode",
  services: "/v1/services/nearby",
  parking: "/v1/parking/nearby",
  charging: "/v1/charging/nearby",
  places: "/v1/places/nearby",
  transport: "/v1/transport/nearby",
  departures: "/v1/departures/nearby",
  walk: "/v1/walk",
  reach: "/v1/reach",
  sources: "/v1/sources",
  health: "/health",
  openapi: "/openapi.json",
} as const satisfies Readonly<Record<string, OperationPath>>;

/** The same of the legacy routes whose coordinates and language are segments of the path. */
export const WEATHER_PATHS = {
  weather: "/realtime/{coords}/weather/{lang}",
  forecast: "/realtime/{coords}/forecast/{lang}",
} as const satisfies Readonly<Record<string, OperationPath>>;

/** Path of `sourceQuality`, whose id is a segment. */
export const QUALITY_PATH = "/v1/sources/{id}/quality" satisfies OperationPath;

/** Path of `stationDepartures`, whose id is a segment. */
export const STATION_PATH = "/v1/departures/{station_id}" satisfies OperationPath;

type Method<P extends OperationPath> =
  Partial<QueryAt<P>> extends QueryAt<P>
    ? (query?: QueryAt<P>) => Promise<Reply<BodyAt<P>>>
    : (query: QueryAt<P>) => Promise<Reply<BodyAt<P>>>;

type Weather = typeof WEATHER_PATHS;

export type Client = { [M in keyof typeof PATHS]: Method<(typeof PATHS)[M]> } & {
  [M in keyof Weather]: (query: WeatherQuery) => Promise<Reply<BodyAt<Weather[M]>>>;
} & {
  sourceQuality(source_id: string): Promise<Reply<BodyAt<typeof QUALITY_PATH>>>;
  stationDepartures(
    station_id: string,
    query?: Omit<QueryAt<typeof STATION_PATH>, "station_id">,
  ): Promise<Reply<BodyAt<typeof STATION_PATH>>>;
  snapshot(query: StreamQuery): Promise<Reply<BodyAt<typeof STREAM_PATH>>>;
  stream(query: StreamQuery, options?: StreamOptions): AsyncGenerator<LiveEvent, void, undefined>;
};

/** `once` is a method of its own here. */
export type StreamQuery = Omit<QueryAt<typeof STREAM_PATH>, "once">;

/** Returns one method for each operation; nothing is sent until one is called. */
export function createClient(options: ClientOptions): Client {
  const methods = Object.entries(PATHS).map(([name, path]) => [
    name,
    (query?: QueryMembers) => get(options, path, query),
  ]);
  return {
    ...(Object.fromEntries(methods) as { [M in keyof typeof PATHS]: Client[M] }),
    weather: (query) => get(options, toPath(WEATHER_PATHS.weather, query)),
    forecast: (query) => get(options, toPath(WEATHER_PATHS.forecast, query)),
    sourceQuality: (id) => get(options, withSegment(QUALITY_PATH, "{id}", id)),
    stationDepartures: (id, query) =>
      get(options, withSegment(STATION_PATH, "{station_id}", id), query),
    snapshot: (query) => get(options, STREAM_PATH, { ...query, once: true }),
    stream: (query, each) => openStream(options, query, each),
  };
}

function withSegment(path: string, segment: string, value: string): string {
  return path.replace(segment, () => encodeURIComponent(value));
}

function toPath(path: string, { lat, lon, language }: WeatherQuery): string {
  const coords = `${lat},${lon}`;
  return withSegment(path.replace("{coords}", coords), "{lang}", language);
}
