// Made by npm run generate, from packages/api/client/client.ts.
/** A small client of the API, typed by the table of operations. A failure is a value, as everywhere. */

/** Method → what it asks; its query and its answer are those of the operation there. */
export const PATHS = {
  nearby: "/v1/nearby",
  geocode: "/v1/geocode",
  searchPlaces: "/v1/place-search",
  reverseGeocode: "/v1/reverse-geocode",
  services: "/v1/services/nearby",
  parking: "/v1/parking/nearby",
  charging: "/v1/charging/nearby",
  transport: "/v1/transport/nearby",
  departures: "/v1/departures/nearby",
  walk: "/v1/walk",
  reach: "/v1/reach",
  sources: "/v1/sources",
  health: "/health",
  openapi: "/openapi.json",
};

/** The same of the legacy routes whose coordinates and language are segments of the path. */
export const WEATHER_PATHS = {
  weather: "/realtime/{coords}/weather/{lang}",
  forecast: "/realtime/{coords}/forecast/{lang}",
};

/** Returns one method for each operation; nothing is sent until one is called. */
export function createClient(options) {
  const methods = Object.entries(PATHS).map(([name, path]) => [
    name,
    (query) => get(options, path, query),
  ]);
  return {
    ...Object.fromEntries(methods),
    weather: (query) => get(options, toPath(WEATHER_PATHS.weather, query)),
    forecast: (query) => get(options, toPath(WEATHER_PATHS.forecast, query)),
  };
}

function toPath(path, { lat, lon, language }) {
  const coords = `${lat},${lon}`;
  return path.replace("{coords}", coords).replace("{lang}", () => encodeURIComponent(language));
}

async function get(options, path, parameters = {}) {
  const url = new URL(options.url.replace(/(?<!\/)\/+$/, "") + path);
  for (const [name, value] of Object.entries(parameters)) {
    url.searchParams.set(name, String(value));
  }
  const headers = { accept: "application/json" };
  if (options.api_key !== undefined) headers["authorization"] = `Bearer ${options.api_key}`;
  const send = options.fetch ?? fetch;
  try {
    const signal = AbortSignal.timeout(options.timeout_ms ?? 10_000);
    const response = await send(url, { headers, signal });
    return toReply(response, await response.text());
  } catch (error) {
    return { kind: "unreachable", reason: reasonOf(error) };
  }
}

function toReply(response, text) {
  const body = parse(text);
  if (response.ok && body !== undefined) return { kind: "ok", body: body };
  const { status } = response;
  const error = body?.error;
  if (typeof error?.code === "string" && typeof error.message === "string") {
    return { kind: "refused", status, code: error.code, message: error.message };
  }
  const content_type = response.headers.get("content-type") ?? "no content type";
  return { kind: "stranger", status, content_type };
}

/** Undefined for anything but a JSON object. */
function parse(text) {
  try {
    const value = JSON.parse(text);
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

/** `fetch` hides the system's reason in the cause, or in the first of several causes. */
export function reasonOf(error) {
  if (!(error instanceof Error)) return "unknown";
  if (error.name === "TimeoutError") return "timeout";
  const cause = error.cause;
  return cause?.code ?? cause?.errors?.[0]?.code ?? error.message;
}
