// Pelias: /upstreams/pelias with /v1/search and /v1/reverse (places.md 2.3).
import { answerJson, refuse, type Reply, type SandboxRequest } from "../http.ts";
import type { Source } from "../source.ts";
import type { Addresses } from "../world/addresses.ts";
import { acceptedLanguages, languageOf, type Tongue, tongueFor } from "../world/say.ts";
import type { Spot } from "../world/gazetteer.ts";
import { type Feature, layerOf, toFeature } from "./features.ts";
import { type Parameters, type Read, readReverse, readSearch } from "./parameters.ts";

const PREFIX = "/upstreams/pelias";

type Deps = {
  readonly addresses: Addresses;
  readonly now: () => number;
  readonly origin: string;
};

export function createPelias({ addresses, now, origin }: Deps): Source {
  return {
    id: "pelias",
    description: "Pelias",
    parts: [],
    partsOf: () => [],
    upstream: { url: `${origin}${PREFIX}` },
    observe: () => [],
    handle(request) {
      if (request.method !== "GET") return refuse(405, "use GET");
      const { query } = request;
      switch (request.pathname.slice(PREFIX.length)) {
        case "/v1/search":
          return answer(readSearch(query), now(), (read) => forward(request, read, addresses));
        case "/v1/reverse":
          return answer(readReverse(query), now(), (read) => reverse(request, read, addresses));
        default:
          return answerJson(404, { error: "not found: invalid path" });
      }
    },
  };
}

function answer(read: Read, now_ms: number, list: (read: Parameters) => Feature[]): Reply {
  const { errors, warnings, parameters, echo } = read;
  const failed = errors.length > 0 || parameters === null;
  const features = failed ? [] : list(parameters);
  const geocoding = {
    version: "0.2",
    attribution: "http://pelias.example/attribution",
    query: echo,
    ...(warnings.length === 0 ? {} : { warnings }),
    ...(errors.length === 0 ? {} : { errors }),
    engine: { name: "Pelias", author: "Mapzen", version: "1.0" },
    timestamp: now_ms,
  };
  const collection = { geocoding, type: "FeatureCollection", features, ...boxOf(features) };
  return answerJson(failed ? 400 : 200, collection);
}

function boxOf(features: readonly Feature[]): { bbox?: number[] } {
  if (features.length === 0) return {};
  const [lons, lats] = [0, 1].map((n) => features.map((f) => f.geometry.coordinates[n] ?? 0));
  const [east, north] = [Math.max(...(lons ?? [])), Math.max(...(lats ?? []))];
  return { bbox: [Math.min(...(lons ?? [])), Math.min(...(lats ?? [])), east, north] };
}

const tongueOf = ({ query, headers }: SandboxRequest, spot: Spot): Tongue => {
  const language = query.get("lang") ?? acceptedLanguages(headers)[0];
  return tongueFor(spot, language === undefined ? null : languageOf(language), "english");
};

function forward(request: SandboxRequest, read: Parameters, addresses: Addresses): Feature[] {
  const { text, near, countries, layers, size } = read;
  const options = { near: near ?? undefined, countries: countries ?? undefined };
  const hits = addresses.search(text, options);
  // A house that is not there falls back to whatever of the text is left.
  const less = text.replaceAll(/\p{N}+/gu, " ");
  const matches =
    hits.length > 0 || less === text
      ? hits
      : addresses.search(less, options).map((hit) => ({ ...hit, missed: hit.missed + 1 }));
  return matches
    .filter(({ spot }) => layers === null || layers.includes(layerOf(spot)))
    .slice(0, size)
    .map(({ spot, missed, score }) =>
      toFeature(spot, tongueOf(request, spot), {
        match_type: missed > 0 ? "fallback" : null,
        confidence: Math.max(
          0.1,
          Math.round(Math.min(1, score) * (missed > 0 ? 0.6 : 1) * 10) / 10,
        ),
      }),
    );
}

function reverse(request: SandboxRequest, read: Parameters, addresses: Addresses): Feature[] {
  const { near: at, radius_m, layers, size } = read;
  if (at === null) return [];
  const wants = ({ spot }: { spot: Spot }): boolean =>
    layers === null || layers.includes(layerOf(spot));
  const near = addresses.near(at, radius_m).filter(wants);
  const areas = addresses.holding(at).map((spot) => ({ spot, distance_m: null }));
  // Areas are returned where there is nothing finer, the smallest of them.
  const matches = near.length > 0 ? near : areas.filter(wants).slice(0, layers === null ? 1 : size);
  return matches.slice(0, size).map(({ spot, distance_m }) =>
    toFeature(spot, tongueOf(request, spot), {
      ...(distance_m === null ? {} : { distance: Math.round(distance_m) / 1000 }),
      confidence: distance_m === null || distance_m > 250 ? 0.6 : distance_m > 100 ? 0.8 : 0.9,
    }),
  );
}
