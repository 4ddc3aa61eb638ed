// Photon: /upstreams/photon with /api, /reverse and /status, of a release that knows `countrycode`
// (places.md 2.1). What it does not know it refuses.
import { answerJson, refuse, type Reply, type SandboxRequest } from "../http.ts";
import type { Source } from "../source.ts";
import type { Addresses, Near } from "../world/addresses.ts";
import { isWithin } from "../world/countries.ts";
import type { Spot } from "../world/gazetteer.ts";
import { acceptedLanguages, type Tongue, tongueFor } from "../world/say.ts";
import { type Feature, listFeatures } from "./features.ts";
import { type Parameters, readParameters } from "./parameters.ts";

const PREFIX = "/upstreams/photon";

type Deps = {
  readonly addresses: Addresses;
  readonly now: () => number;
  readonly origin: string;
};

export function createPhoton({ addresses, now, origin }: Deps): Source {
  return {
    id: "photon",
    description: "Photon 1.1",
    parts: [],
    partsOf: () => [],
    upstream: { url: `${origin}${PREFIX}` },
    observe: () => [],
    handle(request) {
      if (request.method !== "GET") return refuse(405, "use GET");
      switch (request.pathname.slice(PREFIX.length)) {
        case "/api":
        case "/api/":
          return answer(request, "api", (read) => forward(request, read, addresses));
        case "/reverse":
          return answer(request, "reverse", (read) => reverse(request, read, addresses));
        case "/status":
          return answerJson(200, status(now()));
        default:
          return answerJson(404, { message: "Endpoint not found" });
      }
    },
  };
}

/** Imported once a week. */
function status(now_ms: number): unknown {
  const week_ms = 7 * 86_400_000;
  const import_date = new Date(now_ms - (now_ms % week_ms)).toISOString();
  return { status: "Ok", import_date, version: "1.1.0" };
}

function answer(
  { query }: SandboxRequest,
  endpoint: "api" | "reverse",
  listed: (read: Parameters) => readonly Feature[],
): Reply {
  const read = readParameters(query, endpoint);
  if ("refused" in read) return answerJson(400, read.refused);
  const features = listed(read).slice(0, read.limit);
  return answerJson(200, { type: "FeatureCollection", features });
}

/** The language of the question, else of the header as far as it is known, else what is said there. */
function tongueOf({ headers }: SandboxRequest, { lang, languages }: Parameters) {
  const request =
    lang ?? acceptedLanguages(headers).find((each) => languages.includes(each)) ?? null;
  return (spot: Spot): Tongue => tongueFor(spot, request, "local");
}

function forward(request: SandboxRequest, read: Parameters, addresses: Addresses): Feature[] {
  const { text, at, countries, bbox } = read;
  const options = { near: at ?? undefined, countries: countries ?? undefined };
  const spots = addresses.search(text, options).map(({ spot }) => spot);
  const inside = bbox === null ? spots : spots.filter((spot) => isWithin(spot, bbox));
  return inside
    .flatMap((spot) => listFeatures(spot, tongueOf(request, read)(spot)))
    .filter((feature) => isWanted(feature, read));
}

function reverse(request: SandboxRequest, read: Parameters, addresses: Addresses): Feature[] {
  const { at, radius_km } = read;
  if (at === null) return [];
  const areas = addresses.holding(at);
  const near = addresses.near(at, radius_km * 1000).map(({ spot }: Near) => spot);
  // Where nothing finer is known, the area around the point is returned.
  const spots = near.length > 0 ? [...near, ...areas] : areas.slice(-1);
  return spots
    .flatMap((spot) => listFeatures(spot, tongueOf(request, read)(spot)))
    .filter((feature) => isWanted(feature, read));
}

function isWanted({ properties }: Feature, { layers, tags, countries }: Parameters): boolean {
  const { type, osm_key, osm_value, countrycode } = properties;
  return (
    (layers === null || layers.includes(type)) &&
    (countries === null || countries.includes(countrycode)) &&
    tags.every((tag) => matches(tag, osm_key ?? "", osm_value ?? ""))
  );
}

/** `key`, `key:value`, `:value`, and each with `!` for what is not wanted. */
function matches(tag: string, key: string, value: string): boolean {
  const [wantedKey = "", wantedValue = ""] = tag.replaceAll("!", "").split(":");
  const same =
    (wantedKey === "" || wantedKey === key) && (wantedValue === "" || wantedValue === value);
  return tag.includes("!") ? !same : same;
}
