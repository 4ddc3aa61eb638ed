// GET /maps/api/geocode/json (places.md 1.1): the outcome is in `status`, the HTTP status is 200.
import type { Point } from "../geo.ts";
import { answerJson, type Reply, type SandboxRequest } from "../http.ts";
import { hashText } from "../rng.ts";
import type { Addresses, Hit } from "../world/addresses.ts";
import { countrySpot, type Spot } from "../world/gazetteer.ts";
import { findCountry } from "../world/countries.ts";
import { acceptedLanguages, languageOf, type Tongue, tongueFor } from "../world/say.ts";
import { KEYS, refusesKey } from "./keys.ts";
import { plusCode } from "./plus-code.ts";
import { isPoi, toPlusCode, toResult } from "./results.ts";

type Failure = { readonly status: string; readonly error_message: string };
type Outcome = Failure | { readonly results: readonly unknown[]; readonly plus_code?: unknown };

const MOST = 12;

export function answerGeocode(request: SandboxRequest, addresses: Addresses): Reply {
  const { query } = request;
  if (query.has("signature")) return signatureError();
  const refused = refusesKey(query.get("key"));
  if (refused === KEYS.over_quota)
    return answerJson(200, { error_message: "Please wait.", status: "OVER_QUERY_LIMIT" });
  if (refused !== null) return answerJson(200, { ...refused, results: [] });
  const outcome = query.has("latlng") ? reverse(request, addresses) : forward(request, addresses);
  if ("status" in outcome) return answerJson(200, { ...outcome, results: [] });
  const status = outcome.results.length === 0 ? "ZERO_RESULTS" : "OK";
  return answerJson(200, { ...outcome, status });
}

/** Not JSON at all. */
const signatureError = (): Reply => ({
  status: 403,
  headers: { "content-type": "text/plain; charset=UTF-8" },
  body: Buffer.from(
    "Unable to authenticate the request. Provided 'signature' is not valid for the provided client ID.",
  ),
});

const invalid = (error_message: string): Failure => ({ status: "INVALID_REQUEST", error_message });

const MISSING =
  "Invalid request. Missing the 'address', 'components', 'latlng' or 'place_id' parameter.";

function forward(request: SandboxRequest, addresses: Addresses): Outcome {
  const { query } = request;
  const [address, raw] = [query.get("address") ?? "", query.get("components") ?? ""];
  if (address === "" && raw === "") return invalid(MISSING);
  const components = readComponents(raw);
  if (components === null) return invalid("Invalid request. Invalid 'components' parameter.");
  const wanted = components.get("country");
  const country = wanted === undefined ? undefined : findCountry(wanted);
  if (wanted !== undefined && country === undefined) return { results: [] };
  const others = [...components].filter(([name]) => name !== "country").map(([, text]) => text);
  const text = address === "" ? others.join(" ") : address;
  if (text === "" && country) return { results: [render(request, countrySpot(country))] };
  const options = { near: readBounds(query.get("bounds")), countries: country && [country.code] };
  const hits = searchOrFallBack(addresses, text, options).filter(({ spot }) =>
    hasCode(spot, components.get("postal_code")),
  );
  const remaining = prefer(hits, query.get("region")).slice(0, MOST);
  return { results: remaining.map(({ spot, missed }) => render(request, spot, missed > 0)) };
}

/** A house that is not there is answered with its street, as a partial match. */
function searchOrFallBack(
  addresses: Addresses,
  text: string,
  options: Parameters<Addresses["search"]>[1],
): readonly Hit[] {
  const hits = addresses.search(text, options);
  if (hits.length > 0 || !/\p{L}.*\p{N}|\p{N}.*\p{L}/u.test(text)) return hits;
  const less = text.replaceAll(/\p{N}+/gu, " ");
  return addresses.search(less, options).map((hit) => ({ ...hit, missed: hit.missed + 1 }));
}

const hasCode = ({ post_code }: Spot, code: string | undefined): boolean =>
  code === undefined || post_code === code;

/** A bias by country-code domain, where Britain is `uk`. */
function prefer(hits: readonly Hit[], region: string | null): readonly Hit[] {
  const code = region === "uk" ? "GB" : region?.toUpperCase();
  const rank = ({ spot }: Hit): number => (spot.country.code === code ? 0 : 1);
  return hits.toSorted((a, b) => rank(a) - rank(b));
}

const FILTERS = ["country", "postal_code", "route"];

/** Null: not `name:value|name:value`, or a filter is repeated. */
function readComponents(raw: string): Map<string, string> | null {
  const components = new Map<string, string>();
  for (const pair of raw === "" ? [] : raw.split("|")) {
    const cut = pair.indexOf(":");
    const name = pair.slice(0, Math.max(cut, 0));
    if (cut < 1 || (FILTERS.includes(name) && components.has(name))) return null;
    components.set(name, pair.slice(cut + 1));
  }
  return components;
}

function readBounds(raw: string | null): Point | undefined {
  const [low, high] = (raw ?? "").split("|").map(readPoint);
  if (!low || !high) return undefined;
  return { lat: (low.lat + high.lat) / 2, lon: (low.lon + high.lon) / 2 };
}

function readPoint(raw: string): Point | null {
  const match = /^(-?\d+(?:\.\d+)?),(-?\d+(?:\.\d+)?)$/.exec(raw);
  const [lat, lon] = [Number(match?.[1]), Number(match?.[2])];
  return Math.abs(lat) <= 90 && Math.abs(lon) <= 180 ? { lat, lon } : null;
}

function reverse(request: SandboxRequest, addresses: Addresses): Outcome {
  const { query } = request;
  const at = readPoint(query.get("latlng") ?? "");
  if (at === null) return invalid("Invalid request. Invalid 'latlng' parameter.");
  const areas = addresses.holding(at);
  const finest = areas[0];
  if (finest === undefined) return { plus_code: { global_code: plusCode(at) }, results: [] };
  const here: Spot = { ...finest, ...at };
  const plus_code = toPlusCode(here, tongueOf(request, here));
  const spots = [...listFine(addresses, at), ...areas];
  const results = [
    toPlusCodeResult(request, here, plus_code),
    ...spots.map((spot) => render(request, spot)),
  ];
  return { plus_code, results: filterResults(results, query) };
}

/** The nearest few of each kind, whatever surrounds them. */
function listFine(addresses: Addresses, at: Point): Spot[] {
  const close = addresses.near(at, 300);
  const near = (close.length > 0 ? close : addresses.near(at, 2_500)).map(({ spot }) => spot);
  return [
    ...near.filter(({ kind }) => kind === "house").slice(0, 3),
    ...near.filter(isPoi).slice(0, 2),
    ...near.filter(({ kind }) => kind === "street").slice(0, 1),
  ];
}

type Result = Record<string, unknown>;

function toPlusCodeResult(request: SandboxRequest, here: Spot, plus_code: Result): Result {
  // A place of its own: a code has one, and a place one code.
  const key = hashText(plusCode(here));
  const dot: Spot = { ...here, key, half_m: 10, kind: "house", street: null, number: "" };
  const full = render(request, dot);
  const { compound_code, global_code } = plus_code;
  return { ...full, formatted_address: compound_code ?? global_code, types: ["plus_code"] };
}

/** Filters of what was found, not of what is looked for. */
function filterResults(results: readonly Result[], query: URLSearchParams): Result[] {
  const [types, locations] = [query.get("result_type"), query.get("location_type")].map((list) =>
    list?.split("|"),
  );
  return results.filter(({ types: own_types, geometry }) => {
    const { location_type } = geometry as { location_type: string };
    return (
      (types?.some((type) => (own_types as string[]).includes(type)) ?? true) &&
      (locations?.includes(location_type) ?? true)
    );
  });
}

const render = (request: SandboxRequest, spot: Spot, partial = false): Result =>
  toResult(spot, tongueOf(request, spot), partial);

function tongueOf({ query, headers }: SandboxRequest, spot: Spot): Tongue {
  const language = query.get("language") ?? acceptedLanguages(headers)[0];
  return tongueFor(spot, language === undefined ? null : languageOf(language), "english");
}
