// Refuge Restrooms: /api/v1/restrooms/by_location, by the rules of its pages (places.md 5).
import { isInRefuge, refugeIdOf } from "../listing.ts";
import { answerJson, type Reply, type SandboxRequest } from "../http.ts";
import {
  listAll,
  type Measured,
  nearest,
  numberIn,
  observe,
  once,
  pointIn,
  type RegistryDeps,
} from "../registry.ts";
import type { Source } from "../source.ts";
import { listRestrooms, type Restroom } from "./restrooms.ts";

const ROOT = "/upstreams/refuge_restrooms";
const PATH = `${ROOT}/api/v1/restrooms/by_location`;
const MILE_M = 1609.344;
const REACH_MILES = 20;
const PER_PAGE = { usual: 10, most: 100 } as const;

export function createRefuge({ world, origin }: RegistryDeps): Source {
  const restrooms = once(() => listRestrooms(world.cities, listAll(world), world.seed));
  return {
    id: "refuge_restrooms",
    description: "Refuge Restrooms API v1",
    parts: [],
    partsOf: () => [],
    upstream: { url: `${origin}${ROOT}` },
    observe: (thing) =>
      thing.kind === "service" && isInRefuge(thing)
        ? observe("refuge_restrooms", String(refugeIdOf(thing)))
        : [],
    handle: (request) => answer(request, restrooms()),
  };
}

function answer(request: SandboxRequest, restrooms: readonly Restroom[]): Reply {
  if (request.pathname !== PATH) return answerJson(404, { error: "Not Found" });
  const wrong = ["lat", "lng"].flatMap((name) => complaint(request, name));
  const at = pointIn(request, "lat", "lng");
  if (wrong.length > 0 || at === null)
    return answerJson(400, { error: wrong.join(", ") || "lat is invalid" });
  const wanted = restrooms.filter(
    ({ record }) =>
      (!isPresent(request, "ada") || record.accessible) &&
      (!isPresent(request, "unisex") || record.unisex),
  );
  return answerPage(request, nearest(wanted, at, REACH_MILES * MILE_M));
}

function complaint(request: SandboxRequest, name: string): string[] {
  if (!request.query.has(name)) return [`${name} is missing`];
  return numberIn(request, name) === null ? [`${name} is invalid`] : [];
}

/** With any value, `false` too. */
const isPresent = ({ query }: SandboxRequest, name: string): boolean =>
  (query.get(name) ?? "") !== "";

function answerPage(request: SandboxRequest, matches: readonly Measured<Restroom>[]): Reply {
  const per_page = Math.min(
    PER_PAGE.most,
    Math.max(1, numberIn(request, "per_page") ?? PER_PAGE.usual),
  );
  const page = Math.max(1, numberIn(request, "page") ?? 1);
  const listed = matches.slice((page - 1) * per_page, page * per_page);
  return answerJson(200, listed.map(print), {
    "x-total": String(matches.length),
    "x-total-pages": String(Math.ceil(matches.length / per_page)),
    "x-page": String(page),
    "x-per-page": String(per_page),
    "access-control-allow-origin": "*",
  });
}

/** Miles: a number here, a text there. */
function print({ row: { record, located }, distance_m }: Measured<Restroom>): unknown {
  const miles = distance_m / MILE_M;
  return {
    ...record,
    ...(located ? {} : { latitude: null, longitude: null }),
    distance: record.id % 3 === 0 ? String(miles) : miles,
    bearing: String((record.id * 37) % 360),
  };
}
