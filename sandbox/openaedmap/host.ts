// OpenAEDMap: whole countries of defibrillators as the open map has them (places.md 4.2).
import { isInOpenAedMap } from "../listing.ts";
import { answerJson, type Reply, type SandboxRequest } from "../http.ts";
import { listDecoys } from "../openmap/decoys.ts";
import { type Element, nameOfElement, printed } from "../openmap/element.ts";
import { elementsOf } from "../openmap/elements.ts";
import { observe, once, type RegistryDeps } from "../registry.ts";
import type { Source } from "../source.ts";
import { countryOf } from "../world/countries.ts";
import type { World } from "../world/world.ts";

const ROOT = "/upstreams/openaedmap";
const COUNTRIES = "/api/v1/countries";
const CACHE = { "cache-control": "public, max-age=3600, stale-while-revalidate=604800" };

type Listed = { readonly country: string; readonly element: Element };

export function createOpenAedMap({ world, origin }: RegistryDeps): Source {
  const listed = once(() => listElements(world));
  return {
    id: "openaedmap",
    description: "OpenAEDMap, defibrillators by country",
    parts: [],
    partsOf: () => [],
    upstream: {
      url: `${origin}${ROOT}`,
      countries: [...new Set(world.cities.map(({ country }) => country))].join(","),
    },
    observe(thing) {
      if (thing.kind !== "service" || !isInOpenAedMap(thing)) return [];
      return elementsOf(thing).flatMap((node) => observe("openaedmap", nameOfElement(node)));
    },
    handle: (request) => answer(request, listed()),
  };
}

/** Raw objects: the private and the broken ones too. */
function listElements(world: World): readonly Listed[] {
  return world.cities.flatMap((city) => {
    const services = world.listServices(city);
    const drawn = services.filter(isInOpenAedMap).flatMap(elementsOf);
    const decoys = listDecoys(city, services, world.seed).filter(
      ({ tags }) => tags["emergency"] === "defibrillator",
    );
    return [...drawn, ...decoys].map((element) => ({ country: city.country, element }));
  });
}

function answer({ pathname, query }: SandboxRequest, listed: readonly Listed[]): Reply {
  const path = pathname.slice(ROOT.length);
  if (path === `${COUNTRIES}/names`)
    return answerJson(200, listNames(listed, query.get("language")), CACHE);
  const code = /^\/api\/v1\/countries\/([A-Z]{2,5})\.geojson$/.exec(path)?.[1];
  if (code === undefined) return answerJson(404, { detail: "Not Found" });
  const within = listed.filter(({ country }) => code === "WORLD" || country === code);
  const features = within.map(({ element }) => toFeature(element));
  return answerJson(
    200,
    { type: "FeatureCollection", features },
    { ...CACHE, "content-type": "application/geo+json; charset=utf-8", ...ATTACHMENT },
  );
}

const ATTACHMENT = { "content-disposition": "attachment" };

function toFeature({ id, lat, lon, tags }: Element): unknown {
  const coordinates = [printed(lon, (id + 3) % 10), printed(lat, id % 10)];
  return {
    type: "Feature",
    geometry: { type: "Point", coordinates },
    properties: { "@osm_type": "node", "@osm_id": id, "@osm_version": 1 + (id % 9), ...tags },
  };
}

function listNames(listed: readonly Listed[], language: string | null): unknown[] {
  const counts = Map.groupBy(listed, ({ country }) => country);
  const rows = [...counts].map(([code, { length }]) =>
    toRow(code, length, namesOf(code, language)),
  );
  return [...rows, toRow("WORLD", listed.length, { default: "World" })];
}

const toRow = (code: string, count: number, names: Record<string, string>): unknown => ({
  country_code: code,
  country_names: names,
  feature_count: count,
  data_path: `${COUNTRIES}/${code}.geojson`,
});

function namesOf(code: string, language: string | null): Record<string, string> {
  const { english, local } = countryOf(code);
  return language?.toUpperCase() === "EN" ? { EN: english } : { default: local, EN: english };
}
