/** A small client of the API, typed by the contract. A failure is a value, as everywhere. */
import type { GeocodeBodyValue } from "#contract/geocoding.ts";
import type { HealthBody } from "#contract/health.ts";
import type { NearbyBodyValue } from "#contract/nearby.ts";
import type { ChargingBodyValue, ParkingBodyValue, ServicesBodyValue } from "#contract/services.ts";
import type { SourcesBody } from "#contract/sources.ts";
import type { ForecastBodyValue, WeatherBodyValue } from "#contract/weather.ts";
import type { TransportBodyValue } from "#contract/transit.ts";

export type ClientOptions = {
  /** Where the service answers, without a path. */
  url: string;
  api_key?: string;
  /** How long one answer may take. */
  timeout_ms?: number;
  fetch?: typeof fetch;
};

/** Parameters of GET /v1/nearby; what is left out takes the service's default. */
export type NearbyQuery = {
  lat: number;
  lon: number;
  radius?: number;
  modes?: string;
  include?: string;
  limit?: number;
  offset?: number;
  debug?: boolean;
};

/** Of GET /v1/geocode. */
export type GeocodeQuery = { q: string; language?: string; country?: string };

/** Of GET /v1/place-search; `lat` and `lon` together or not at all. */
export type PlaceSearchQuery = { q: string; lat?: number; lon?: number; language?: string };

/** Of GET /v1/reverse-geocode. */
export type ReverseQuery = { lat: number; lon: number; language?: string };

/** Of GET /v1/services/nearby. */
export type ServicesQuery = {
  lat: number;
  lon: number;
  types: string;
  country?: string;
  radius?: number;
  limit?: number;
  debug?: boolean;
};

/** Of GET /v1/transport/nearby; lists are comma-separated. */
export type TransportQuery = {
  lat: number;
  lon: number;
  radius?: number;
  limit?: number;
  modes?: string;
  providers?: string;
  language?: string;
  debug?: boolean;
};

/** Of GET /v1/parking/nearby and GET /v1/charging/nearby. */
export type FacilityQuery = {
  lat: number;
  lon: number;
  language?: string;
  radius?: number;
  limit?: number;
  debug?: boolean;
};

/** Of the legacy routes of weather; `language` is a code of theirs. */
export type WeatherQuery = { lat: number; lon: number; language: string };

export type Circle = { lat: number; lon: number; radius?: number };

export type Reply<T> =
  | { kind: "ok"; body: T }
  /** Nobody answered in time; `reason` is a short token such as ECONNREFUSED. */
  | { kind: "unreachable"; reason: string }
  /** The service refused, with a code of contract/errors.ts. */
  | { kind: "refused"; status: number; code: string; message: string }
  /** Something answered that is not this service. */
  | { kind: "stranger"; status: number; content_type: string };

export type Client = {
  nearby(query: NearbyQuery): Promise<Reply<NearbyBodyValue>>;
  geocode(query: GeocodeQuery): Promise<Reply<GeocodeBodyValue>>;
  searchPlaces(query: PlaceSearchQuery): Promise<Reply<GeocodeBodyValue>>;
  reverseGeocode(query: ReverseQuery): Promise<Reply<GeocodeBodyValue>>;
  services(query: ServicesQuery): Promise<Reply<ServicesBodyValue>>;
  parking(query: FacilityQuery): Promise<Reply<ParkingBodyValue>>;
  charging(query: FacilityQuery): Promise<Reply<ChargingBodyValue>>;
  transport(query: TransportQuery): Promise<Reply<TransportBodyValue>>;
  weather(query: WeatherQuery): Promise<Reply<WeatherBodyValue>>;
  forecast(query: WeatherQuery): Promise<Reply<ForecastBodyValue>>;
  sources(circle?: Circle): Promise<Reply<SourcesBody>>;
  health(): Promise<Reply<HealthBody>>;
  /** The API description, OpenAPI 3.1. */
  openapi(): Promise<Reply<Record<string, unknown>>>;
};

export function createClient(options: ClientOptions): Client {
  return {
    nearby: (query) => get(options, "/v1/nearby", query),
    geocode: (query) => get(options, "/v1/geocode", query),
    searchPlaces: (query) => get(options, "/v1/place-search", query),
    reverseGeocode: (query) => get(options, "/v1/reverse-geocode", query),
    services: (query) => get(options, "/v1/services/nearby", query),
    parking: (query) => get(options, "/v1/parking/nearby", query),
    charging: (query) => get(options, "/v1/charging/nearby", query),
    transport: (query) => get(options, "/v1/transport/nearby", query),
    weather: (query) => get(options, toRealtime(query, "weather")),
    forecast: (query) => get(options, toRealtime(query, "forecast")),
    sources: (circle) => get(options, "/v1/sources", circle),
    health: () => get(options, "/health"),
    openapi: () => get(options, "/openapi.json"),
  };
}

function toRealtime({ lat, lon, language }: WeatherQuery, what: string): string {
  return `/realtime/${lat},${lon}/${what}/${encodeURIComponent(language)}`;
}

type Parameters = Readonly<Record<string, string | number | boolean>>;

async function get<T>(
  options: ClientOptions,
  path: string,
  parameters: Parameters = {},
): Promise<Reply<T>> {
  const url = new URL(options.url.replace(/(?<!\/)\/+$/, "") + path);
  for (const [name, value] of Object.entries(parameters)) {
    url.searchParams.set(name, String(value));
  }
  const headers: Record<string, string> = { accept: "application/json" };
  if (options.api_key !== undefined) headers["authorization"] = `Bearer ${options.api_key}`;
  const send = options.fetch ?? fetch;
  try {
    const signal = AbortSignal.timeout(options.timeout_ms ?? 10_000);
    const response = await send(url, { headers, signal });
    return toReply<T>(response, await response.text());
  } catch (error) {
    return { kind: "unreachable", reason: reasonOf(error) };
  }
}

function toReply<T>(response: Response, text: string): Reply<T> {
  const body = parse(text);
  if (response.ok && body !== undefined) return { kind: "ok", body: body as T };
  const { status } = response;
  const error = body?.error;
  if (typeof error?.code === "string" && typeof error.message === "string") {
    return { kind: "refused", status, code: error.code, message: error.message };
  }
  const content_type = response.headers.get("content-type") ?? "no content type";
  return { kind: "stranger", status, content_type };
}

type Answer = { error?: { code?: unknown; message?: unknown } };

/** Undefined for anything but a JSON object. */
function parse(text: string): Answer | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

/** `fetch` hides the system's reason in the cause, or in the first of several causes. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return "unknown";
  if (error.name === "TimeoutError") return "timeout";
  const cause = error.cause as { code?: string; errors?: { code?: string }[] } | undefined;
  return cause?.code ?? cause?.errors?.[0]?.code ?? error.message;
}
