// The query parameters of Photon: every other one is refused, in one of two forms of body.
import type { Point } from "../geo.ts";
import type { Box } from "../world/countries.ts";

export type Parameters = {
  readonly text: string;
  readonly at: Point | null;
  readonly limit: number;
  readonly lang: string | null;
  readonly languages: readonly string[];
  /** Upper case; null: everywhere. */
  readonly countries: readonly string[] | null;
  readonly layers: readonly string[] | null;
  readonly tags: readonly string[];
  readonly bbox: Box | null;
  readonly radius_km: number;
};

/** The body of the answer to what could not be read. */
export type Unread = { readonly refused: unknown };

const LANGUAGES = ["default", "de", "en", "fr"];
const LAYERS = [
  "house",
  "street",
  "locality",
  "district",
  "city",
  "county",
  "state",
  "country",
  "other",
];
const LIMIT_MAX = 50;

const COMMON = "lang limit lat lon layer osm_tag include exclude dedupe geometry countrycode debug";
const KNOWN = {
  api: `${COMMON} q zoom location_bias_scale bbox suggest_addresses`.split(" "),
  reverse: `${COMMON} radius distance_sort query_string_filter`.split(" "),
} as const;
const RANGES: Readonly<Record<string, readonly [low: number, high: number]>> = {
  lat: [-90, 90],
  lon: [-180, 180],
  zoom: [0, 18],
  location_bias_scale: [0, 1],
  radius: [0, 5000],
  limit: [-Infinity, Infinity],
};

export function readParameters(
  query: URLSearchParams,
  endpoint: keyof typeof KNOWN,
): Parameters | Unread {
  const refused =
    refuseNames(query, endpoint) ?? refuseValues(query) ?? refuseGaps(query, endpoint);
  if (refused !== null) return { refused };
  const number = (name: string, otherwise: number): number => Number(query.get(name) ?? otherwise);
  const [countries, layers] = [query.getAll("countrycode"), query.getAll("layer")];
  const limit = Math.trunc(number("limit", endpoint === "api" ? 15 : 1));
  return {
    text: query.get("q") ?? "",
    at: query.has("lat") ? { lat: number("lat", 0), lon: number("lon", 0) } : null,
    limit: Math.max(1, Math.min(LIMIT_MAX, limit)),
    lang: query.get("lang"),
    languages: LANGUAGES,
    countries: countries.length === 0 ? null : countries.map((code) => code.toUpperCase()),
    layers: layers.length === 0 ? null : layers,
    tags: query.getAll("osm_tag"),
    bbox: readBox(query.get("bbox")),
    radius_km: number("radius", 1),
  };
}

/** The first form: one message. */
const say = (message: string): unknown => ({ message });

function refuseNames(query: URLSearchParams, endpoint: keyof typeof KNOWN): unknown {
  const entries: readonly string[] = KNOWN[endpoint];
  const unknown = [...query.keys()].find((name) => !entries.includes(name));
  return unknown === undefined
    ? null
    : say(`Unknown query parameter '${unknown}'. Allowed parameters are: [${entries.join(", ")}]`);
}

/** The other form: by parameter, what is wrong with its value. */
function refuseValues(query: URLSearchParams): unknown {
  const about = (name: string, message: string, value: string): unknown => ({
    [name]: [{ message, args: {}, value }],
  });
  const lang = query.get("lang");
  if (lang !== null && !LANGUAGES.includes(lang))
    return about("lang", `Language is not supported. Supported are: ${LANGUAGES.join(", ")}`, lang);
  for (const [name, [low, high]] of Object.entries(RANGES)) {
    const raw = query.get(name);
    if (raw === null) continue;
    const value = raw.trim() === "" ? Number.NaN : Number(raw);
    if (Number.isNaN(value)) return about(name, "TYPE_CONVERSION_FAILED", raw);
    if (value < low || value > high)
      return about(name, `${name} must be between ${low} and ${high}`, raw);
  }
  const layer = query.getAll("layer").find((each) => !LAYERS.includes(each));
  if (layer !== undefined)
    return say(`Unknown layer '${layer}'. Valid layers are: [${LAYERS.join(", ")}]`);
  return null;
}

function refuseGaps(query: URLSearchParams, endpoint: keyof typeof KNOWN): unknown {
  if (endpoint === "api" && (query.get("q") ?? "").trim() === "")
    return say("missing search term 'q'. Example: /api?q=berlin");
  if (query.has("lat") !== query.has("lon") || (endpoint === "reverse" && !query.has("lat")))
    return say("missing search term 'lat' and/or 'lon'. Example: /reverse?lat=51.5&lon=8.0");
  const bbox = query.get("bbox");
  if (bbox !== null && readBox(bbox) === null)
    return say("Invalid number of supplied coordinates for parameter 'bbox', expected four.");
  return null;
}

/** minLon,minLat,maxLon,maxLat. */
function readBox(raw: string | null): Box | null {
  const numbers = (raw ?? "").split(",").map((each) => Number.parseFloat(each));
  const [west, south, east, north] = numbers;
  if (numbers.length !== 4 || numbers.some((each) => !Number.isFinite(each))) return null;
  return [south, west, north, east] as Box;
}
