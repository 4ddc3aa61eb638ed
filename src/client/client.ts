/** A small client of the API, typed by the table of operations. A failure is a value, as everywhere. */
import type { BodyAt, OperationPath, QueryAt } from "#contract/operations.ts";

export type ClientOptions = {
  /** Where the service answers, without a path. */
  url: string;
  api_key?: string;
  /** How long one answer may take. */
  timeout_ms?: number;
  fetch?: typeof fetch;
};

/** Method → what it asks; its query and its answer are those of the operation there. */
const PATHS = {
  nearby: "/v1/nearby",
  geocode: "/v1/geocode",
  searchPlaces: "/v1/place-search",
  reverseGeocode: "/v1/reverse-geocode",
  services: "/v1/services/nearby",
  parking: "/v1/parking/nearby",
  charging: "/v1/charging/nearby",
  transport: "/v1/transport/nearby",
  sources: "/v1/sources",
  health: "/health",
  openapi: "/openapi.json",
} as const satisfies Readonly<Record<string, OperationPath>>;

/** Parameters by name; what is left out takes the service's default. Lists are comma-separated text, or arrays. */
export type NearbyQuery = QueryAt<"/v1/nearby">;
export type GeocodeQuery = QueryAt<"/v1/geocode">;
/** `lat` and `lon` together or not at all. */
export type PlaceSearchQuery = QueryAt<"/v1/place-search">;
export type ReverseQuery = QueryAt<"/v1/reverse-geocode">;
export type ServicesQuery = QueryAt<"/v1/services/nearby">;
export type TransportQuery = QueryAt<"/v1/transport/nearby">;
/** Of parking and charging. */
export type FacilityQuery = QueryAt<"/v1/parking/nearby">;
/** `lat` and `lon` together or not at all. */
export type Circle = QueryAt<"/v1/sources">;

/** Of the legacy routes of weather; `language` is a code of theirs. */
export type WeatherQuery = { lat: number; lon: number; language: string };

export type Reply<T> =
  | { kind: "ok"; body: T }
  /** No answer in time; `reason` is a short token such as ECONNREFUSED. */
  | { kind: "unreachable"; reason: string }
  /** The service refused, with a code of contract/errors.ts. */
  | { kind: "refused"; status: number; code: string; message: string }
  /** Something answered that is not this service. */
  | { kind: "stranger"; status: number; content_type: string };

type Method<P extends OperationPath> =
  Record<never, never> extends QueryAt<P>
    ? (query?: QueryAt<P>) => Promise<Reply<BodyAt<P>>>
    : (query: QueryAt<P>) => Promise<Reply<BodyAt<P>>>;

export type Client = { [M in keyof typeof PATHS]: Method<(typeof PATHS)[M]> } & {
  weather(query: WeatherQuery): Promise<Reply<BodyAt<"/realtime/{coords}/weather/{lang}">>>;
  forecast(query: WeatherQuery): Promise<Reply<BodyAt<"/realtime/{coords}/forecast/{lang}">>>;
};

export function createClient(options: ClientOptions): Client {
  const methods = Object.entries(PATHS).map(([name, path]) => [
    name,
    (query?: Parameters) => get(options, path, query),
  ]);
  return {
    ...(Object.fromEntries(methods) as { [M in keyof typeof PATHS]: Client[M] }),
    weather: (query) => get(options, toRealtime(query, "weather")),
    forecast: (query) => get(options, toRealtime(query, "forecast")),
  };
}

function toRealtime({ lat, lon, language }: WeatherQuery, what: string): string {
  return `/realtime/${lat},${lon}/${what}/${encodeURIComponent(language)}`;
}

type Parameters = Readonly<Record<string, string | number | boolean | readonly string[]>>;

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
