// Made from src/client/client.ts by npm run generate.
/** A small client of the API, typed by the contract. A failure is a value, as everywhere. */

/** Parameters of GET /v1/nearby; what is left out takes the service's default. */

/** Of GET /v1/geocode. */

/** Of GET /v1/place-search; `lat` and `lon` together or not at all. */

/** Of GET /v1/reverse-geocode. */

/** Of GET /v1/services/nearby. */

/** Of GET /v1/transport/nearby; lists are comma-separated. */

/** Of GET /v1/parking/nearby and GET /v1/charging/nearby. */

/** Of the legacy routes of weather; `language` is a code of theirs. */

export function createClient(options               )         {
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

function toRealtime({ lat, lon, language }              , what        )         {
  return `/realtime/${lat},${lon}/${what}/${encodeURIComponent(language)}`;
}

async function get   (
  options               ,
  path        ,
  parameters             = {},
)                    {
  const url = new URL(options.url.replace(/(?<!\/)\/+$/, "") + path);
  for (const [name, value] of Object.entries(parameters)) {
    url.searchParams.set(name, String(value));
  }
  const headers                         = { accept: "application/json" };
  if (options.api_key !== undefined) headers["authorization"] = `Bearer ${options.api_key}`;
  const send = options.fetch ?? fetch;
  try {
    const signal = AbortSignal.timeout(options.timeout_ms ?? 10_000);
    const response = await send(url, { headers, signal });
    return toReply   (response, await response.text());
  } catch (error) {
    return { kind: "unreachable", reason: reasonOf(error) };
  }
}

function toReply   (response          , text        )           {
  const body = parse(text);
  if (response.ok && body !== undefined) return { kind: "ok", body: body      };
  const { status } = response;
  const error = body?.error;
  if (typeof error?.code === "string" && typeof error.message === "string") {
    return { kind: "refused", status, code: error.code, message: error.message };
  }
  const content_type = response.headers.get("content-type") ?? "no content type";
  return { kind: "stranger", status, content_type };
}

/** Undefined for anything but a JSON object. */
function parse(text        )                     {
  try {
    const value          = JSON.parse(text);
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

/** `fetch` hides the system's reason in the cause, or in the first of several causes. */
export function reasonOf(error         )         {
  if (!(error instanceof Error)) return "unknown";
  if (error.name === "TimeoutError") return "timeout";
  const cause = error.cause                                                               ;
  return cause?.code ?? cause?.errors?.[0]?.code ?? error.message;
}
