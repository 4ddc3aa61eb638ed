// InPost's public points: /v1/points around a point, and /v1/points/<name> (places.md 6.1).
import { inpostNameOf, isInInpost } from "../listing.ts";
import { answerJson, type Reply, type SandboxRequest } from "../http.ts";
import {
  listAll,
  nearest,
  numberIn,
  observe,
  once,
  type RegistryDeps,
  toPoint,
} from "../registry.ts";
import type { Point } from "../geo.ts";
import type { Source } from "../source.ts";
import { listPoints, type Listing, NOWHERE } from "./points.ts";

const ROOT = "/upstreams/inpost";
const POINTS = `${ROOT}/v1/points`;
const USUAL = { max_distance_m: 25_000, per_page: 25 } as const;
const MOST_PER_PAGE = 500;
/** What is asked for by `limit` comes with a few more. */
const OVERSHOOT = 2;

export function createInpost({ world, origin }: RegistryDeps): Source {
  const points = once(() => listPoints(world.cities, listAll(world), { seed: world.seed, origin }));
  return {
    id: "inpost",
    description: "InPost points API",
    parts: [],
    partsOf: () => [],
    upstream: { url: `${origin}${ROOT}` },
    observe: (thing) =>
      thing.kind === "service" && isInInpost(thing) ? observe("inpost", inpostNameOf(thing)) : [],
    handle: (request) => answer(request, points(), origin),
  };
}

function answer(request: SandboxRequest, points: readonly Listing[], origin: string): Reply {
  const { pathname, query } = request;
  if (pathname.startsWith(`${POINTS}/`))
    return answerOne(pathname.slice(POINTS.length + 1), points);
  if (pathname !== POINTS) return fail(404, "routing_error", "Not found.");
  if (query.has("relative_post_code"))
    return fail(400, "post_code_not_found", "Post code not found.");
  const at = relativePoint(query.get("relative_point"));
  if (at === null) return fail(400, "validation_failed", "Relative point is invalid.");
  return answerJson(200, envelope(request, select(request, points, at), origin));
}

const fail = (status: number, key: string, error: string): Reply =>
  answerJson(status, { status, key, error });

function answerOne(name: string, points: readonly Listing[]): Reply {
  const match = points.find(({ item }) => item["name"] === name);
  if (match === undefined) return fail(404, "point_not_found", "Point not found.");
  return answerJson(200, { ...match.item, distance: null });
}

/** Undefined: not asked for; null: not a place. */
function relativePoint(text: string | null): Point | null | undefined {
  if (text === null) return undefined;
  const [lat, lon, ...more] = text.split(",").map((part) => Number(part.trim() || "x"));
  if (lat === undefined || lon === undefined || more.length > 0) return null;
  return Number.isNaN(lat) || Number.isNaN(lon) ? null : toPoint(lat, lon);
}

function select(
  request: SandboxRequest,
  points: readonly Listing[],
  at: Point | undefined,
): Record<string, unknown>[] {
  const wanted = points.filter((point) => isWanted(request, point));
  if (at === undefined) return wanted.map(({ item }) => ({ ...item, distance: null }));
  const reach_m = numberIn(request, "max_distance") ?? USUAL.max_distance_m;
  const near = nearest(wanted, at, reach_m).map(({ row, distance_m }) => ({
    ...row.item,
    distance: Math.round(distance_m),
  }));
  // Who knows no place is near everybody.
  const lost = wanted.filter(({ lat, lon }) => lat === NOWHERE.lat && lon === NOWHERE.lon);
  return near.length === 0 ? [] : [...near, ...lost.map(({ item }) => ({ ...item, distance: 0 }))];
}

/** The filters that were sent, each a list; what is no locker slips through `type` all the same. */
function isWanted({ query }: SandboxRequest, { item, isShop }: Listing): boolean {
  const fits = (name: string, member: string): boolean => {
    const wanted = (query.get(name) ?? "").split(",").filter(Boolean);
    const has = [item[member]].flat();
    return wanted.length === 0 || wanted.some((value) => has.includes(value));
  };
  const country = item["country"] === undefined || fits("country", "country");
  return (
    fits("status", "status") &&
    fits("functions", "functions") &&
    country &&
    (isShop || fits("type", "type"))
  );
}

function envelope(request: SandboxRequest, matches: readonly unknown[], origin: string): unknown {
  const limit = numberIn(request, "limit");
  const href = `${origin}${POINTS}`;
  if (matches.length === 0)
    return { href, count: 0, page: 1, per_page: 0, total_pages: 1, items: [] };
  if (limit !== null) {
    const items = matches.slice(0, Math.max(0, limit) + OVERSHOOT);
    const { length } = items;
    return { href, count: length, page: 1, per_page: length, total_pages: 1, items };
  }
  const per_page = Math.min(
    MOST_PER_PAGE,
    Math.max(1, numberIn(request, "per_page") ?? USUAL.per_page),
  );
  const page = Math.max(1, numberIn(request, "page") ?? 1);
  const items = matches.slice((page - 1) * per_page, page * per_page);
  const total_pages = Math.ceil(matches.length / per_page);
  return { href, count: matches.length, page, per_page, total_pages, items };
}
