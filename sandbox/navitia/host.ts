// Navitia: /upstreams/navitia/coverage…, /coord/…, behind a token (mobility.md 4.1).
import { distance, type Point } from "../geo.ts";
import { answerJson, type Reply, type SandboxRequest } from "../http.ts";
import { once } from "../registry.ts";
import type { Source } from "../source.ts";
import type { World } from "../world/world.ts";
import { type NearbyRequest, navitiaError, readAsked } from "./asked.ts";
import { answerArea, answerAround, type Boards } from "./boards.ts";
import { labelOf, linesAt, physicalModeOf, printSpot } from "./objects.ts";
import {
  listRegions,
  printRegion,
  printStatus,
  type Region,
  regionAt,
  regionOf,
} from "./regions.ts";
import { listSpots, type Spot, stopAreaIdOf } from "./spots.ts";

const ROOT = "/upstreams/navitia";
const NAVITIA_TOKEN = "sandbox-navitia-token";

type Deps = { readonly world: World; readonly now: () => number; readonly origin: string };
type Entry = {
  readonly world: World;
  readonly regions: readonly Region[];
  readonly now: () => number;
  spotsOf(region: Region): readonly Spot[];
};

export function createNavitia({ world, now, origin }: Deps): Source {
  const regions = listRegions(world);
  const spots = new Map(
    regions.map((region) => [region.id, once(() => listSpots(world.getNetwork(region.city)))]),
  );
  const entry: Entry = { world, regions, now, spotsOf: ({ id }) => spots.get(id)?.() ?? [] };
  return {
    id: "navitia",
    description: "Navitia API v1",
    parts: [],
    partsOf: () => [],
    upstream: { url: `${origin}${ROOT}`, token: NAVITIA_TOKEN },
    observe(thing) {
      if (thing.kind !== "transit_station") return [];
      const region = regionOf(regions, thing.city);
      if (region === undefined) return [];
      return [{ source: "navitia", network_id: region.id, source_id: stopAreaIdOf(thing) }];
    },
    handle: (request) => refuseToken(request) ?? route(request, entry),
  };
}

/** The bare token, or the user of Basic with an empty password. */
function refuseToken({ headers }: SandboxRequest): Reply | null {
  const authorization = headers.authorization ?? "";
  if (authorization === "") return answerJson(401, { message: "Token absent" });
  const basic = `Basic ${Buffer.from(`${NAVITIA_TOKEN}:`).toString("base64")}`;
  if (authorization === NAVITIA_TOKEN || authorization === basic) return null;
  return answerJson(401, { message: "Bad token, please contact provider of the service" });
}

function route(request: SandboxRequest, entry: Entry): Reply {
  const parts = request.pathname
    .slice(ROOT.length + 1)
    .split("/")
    .map(decoded);
  const [first, second = "", third, fourth = "", fifth] = parts;
  if (first === "coord" || first === "coords")
    return third === "places_nearby" && parts.length === 3
      ? answerNearby(request, entry, { where: second, at: second })
      : unknownApi();
  if (first !== "coverage") return unknownApi();
  if (parts.length === 1) return answerJson(200, { regions: entry.regions.map(printRegion) });
  if (parts.length === 2)
    return withRegion(entry, second, (region) => ({ regions: [printRegion(region)] }));
  if (third === "status" && parts.length === 3) return withRegion(entry, second, printStatus);
  if ((third === "coords" || third === "coord") && fifth === "places_nearby" && parts.length === 5)
    return answerNearby(request, entry, { where: second, at: fourth });
  if ((fifth === "departures" || fifth === "arrivals") && parts.length === 5)
    return answerBoards(request, entry, {
      where: second,
      by: third ?? "",
      id: fourth,
      kind: fifth,
    });
  return unknownApi();
}

type BoardPath = {
  readonly where: string;
  readonly by: string;
  readonly id: string;
  readonly kind: Boards["kind"];
};

function answerBoards({ query }: SandboxRequest, entry: Entry, path: BoardPath): Reply {
  const region = findRegion(entry, path.where);
  if ("status" in region) return region;
  const { world, now } = entry;
  const { kind } = path;
  const boards: Boards = { world, now, region, spots: entry.spotsOf(region), kind, query };
  if (path.by === "stop_areas") return answerArea(boards, path.id);
  const at = path.by === "coord" || path.by === "coords" ? pointIn(path.id) : null;
  return at === null ? unknownApi() : answerAround(boards, at);
}

const decoded = (part: string): string =>
  part.replaceAll(/%3b/gi, ";").replaceAll(/%2c/gi, ",").replaceAll(/%3a/gi, ":");

const unknownApi = (): Reply => navitiaError(404, "unknown_api", "The requested URL was not found");

/** `lon;lat`, in that order. */
function pointIn(text: string): Point | null {
  const [, lon, lat] = /^(-?\d+(?:\.\d+)?);(-?\d+(?:\.\d+)?)$/.exec(text) ?? [];
  if (lon === undefined || lat === undefined) return null;
  return { lon: Number(lon), lat: Number(lat) };
}

function withRegion(entry: Entry, where: string, print: (region: Region) => unknown): Reply {
  const region = findRegion(entry, where);
  return "status" in region ? region : answerJson(200, print(region));
}

function findRegion({ regions }: Entry, where: string): Region | Reply {
  const at = pointIn(where);
  const region = at === null ? regions.find(({ id }) => id === where) : regionAt(regions, at);
  if (region !== undefined) return region;
  return navitiaError(
    404,
    "unknown_object",
    at === null
      ? `The region ${where} doesn't exists`
      : `No region available for the coordinates:${at.lon}, ${at.lat}`,
  );
}

type Place = { readonly where: string; readonly at: string };

function answerNearby(request: SandboxRequest, entry: Entry, { where, at }: Place): Reply {
  const point = pointIn(at);
  if (point === null || Math.abs(point.lat) > 90 || Math.abs(point.lon) > 180)
    return navitiaError(400, "unable_to_parse", `The coordinates ${at} are invalid`);
  const region = findRegion(entry, where);
  if ("status" in region) return region;
  const query = readAsked(request.query);
  if ("status" in query) return query;
  const near = findNear(entry.spotsOf(region), point, query);
  const first = query.start_page * query.count;
  const page = near.slice(first, first + query.count);
  return answerJson(200, {
    places_nearby: page.map(({ spot, distance_m }) => printPlace(spot, distance_m, query.depth)),
    pagination: {
      start_page: query.start_page,
      items_on_page: page.length,
      items_per_page: query.count,
      total_result: near.length,
    },
    links: [],
    disruptions: [],
    feed_publishers: [publisherOf(region)],
    context: { timezone: region.city.timezone, current_datetime: stampOf(entry.now()) },
  });
}

type Near = { readonly spot: Spot; readonly distance_m: number };

const findNear = (
  spots: readonly Spot[],
  at: Point,
  { types, distance_m, mode }: NearbyRequest,
): Near[] =>
  spots
    .filter((spot) => types.has(spot.type))
    .filter(
      (spot) =>
        mode === null ||
        (spot.type !== "poi" && linesAt(spot).some((line) => physicalModeOf(line).id === mode)),
    )
    .map((spot) => ({ spot, distance_m: distance(at, spot) }))
    .filter((near) => near.distance_m <= distance_m)
    .toSorted((a, b) => a.distance_m - b.distance_m);

const printPlace = (spot: Spot, distance_m: number, depth: number): unknown => ({
  id: spot.id,
  name: labelOf(spot),
  quality: 0,
  distance: String(Math.round(distance_m)),
  embedded_type: spot.type,
  [spot.type]: printSpot(spot, depth),
});

const publisherOf = ({ id, city }: Region): unknown => ({
  id: `${id}:open`,
  name: `Timetables of ${city.name}, open data`,
  license: "ODbL",
  url: "https://timetables.example/",
});

/** 20260921T120030 */
const stampOf = (now_ms: number): string =>
  new Date(now_ms).toISOString().slice(0, 19).replaceAll(/[-:]/g, "");
