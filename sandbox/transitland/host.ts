// Transitland REST v2: /upstreams/transitland/api/v2/rest/stops, by internal id and never by distance
// (mobility.md 4.2).
import { distance } from "../geo.ts";
import { partsServing } from "../gtfs/parts.ts";
import { answerJson, type Reply, type SandboxRequest } from "../http.ts";
import { once } from "../registry.ts";
import type { Observation, Source } from "../source.ts";
import type { TransitStation } from "../world/transit-model.ts";
import { nameIn, pinOf, stationIdOf } from "../world/transit-stops.ts";
import type { World } from "../world/world.ts";
import { answerDepartures } from "./boards.ts";
import { feedOnestopIdOf, isKnown, listAll, onestopIdOf, print, type Stop } from "./stops.ts";

const ROOT = "/upstreams/transitland/api/v2/rest";
const TRANSITLAND_KEY = "sandbox-transitland-key";
const LIMIT = { usual: 20, most: 1000 } as const;
const MOST_RADIUS_M = 100_000;

type Deps = { readonly world: World; readonly now: () => number; readonly origin: string };
const BOARD = new RegExp(`^${ROOT}/stops/([^/]+)/departures$`);

export function createTransitland({ world, now, origin }: Deps): Source {
  const stops = once(() => listAll(world));
  return {
    id: "transitland",
    description: "Transitland REST API v2",
    parts: [],
    partsOf: () => [],
    upstream: { url: `${origin}${ROOT}`, api_key: TRANSITLAND_KEY },
    observe: (thing) =>
      thing.kind === "transit_station" && isKnown(thing.city) ? observe(thing) : [],
    handle(request) {
      const key = request.query.get("apikey") ?? request.headers["apikey"];
      if (key !== TRANSITLAND_KEY) return answerJson(401, { error: "unauthorized" });
      const board = BOARD.exec(request.pathname)?.[1];
      if (board !== undefined) {
        const boards = { world, now, stops: stops(), query: request.query };
        return answerDepartures(boards, decodeURIComponent(board));
      }
      if (request.pathname !== `${ROOT}/stops`) return answerJson(404, { error: "not found" });
      return answer(request, stops(), `${origin}${ROOT}`);
    },
  };
}

/** A station goes by its parent's stop_id, which every child states; a pole by its Onestop ID. */
const observe = (station: TransitStation): readonly Observation[] =>
  partsServing(station).map((part) => {
    const onestop_id = onestopIdOf(nameIn(station, part), pinOf(station, part));
    const stop_id = stationIdOf(station, part);
    const [source_id, alias] =
      station.form === "pole" ? [onestop_id, stop_id] : [stop_id, onestop_id];
    const network_id = feedOnestopIdOf(station.city, part);
    return { source: "transitland", network_id, source_id, aliases: [alias] };
  });

const wrong = (): Reply => answerJson(500, { error: "parameter error" });

function answer({ query }: SandboxRequest, stops: readonly Stop[], base: string): Reply {
  const number = (name: string): number => (query.has(name) ? toNumber(query.get(name) ?? "") : 0);
  const [lat, lon, radius] = [number("lat"), number("lon"), number("radius")];
  const [limit, after] = [number("limit"), number("after")];
  const box = query.has("bbox") ? boxIn(query.get("bbox") ?? "") : null;
  if ([lat, lon, radius, limit, after].some(Number.isNaN) || box === undefined) return wrong();
  if (Math.abs(lat) > 90 || Math.abs(lon) > 180) return wrong();
  if (radius < 0 || radius > MOST_RADIUS_M) return wrong();
  const matches = stops.filter((stop) => {
    if (stop.id <= after || !isWanted(stop, query)) return false;
    if (box !== null) return isWithin(stop, box);
    // As it is written there: nothing is filtered on the equator or the prime meridian.
    return lat === 0 || lon === 0 || distance({ lat, lon }, stop.at) <= radius;
  });
  const most = limit <= 0 ? LIMIT.usual : Math.min(limit, LIMIT.most);
  const page = matches.slice(0, most);
  const last = matches.length > most ? page.at(-1)?.id : undefined;
  return answerJson(200, {
    stops: page.map((stop) => print(stop, query.get("include_routes") === "true")),
    ...(last === undefined ? {} : { meta: { after: last, next: nextOf(query, last, base) } }),
  });
}

const toNumber = (text: string): number =>
  /^[-+]?\d+(\.\d+)?(e-?\d+)?$/i.test(text) ? Number(text) : Number.NaN;

type Box = readonly [west: number, south: number, east: number, north: number];

function boxIn(text: string): Box | undefined {
  const [west, south, east, north, ...more] = text.split(",").map((each) => toNumber(each.trim()));
  if (west === undefined || south === undefined || east === undefined || north === undefined)
    return;
  const box: Box = [west, south, east, north];
  return more.length > 0 || box.some(Number.isNaN) || south > north ? undefined : box;
}

const isWithin = ({ at }: Stop, [west, south, east, north]: Box): boolean =>
  at.lon >= west && at.lon <= east && at.lat >= south && at.lat <= north;

function isWanted({ row, feed }: Stop, query: URLSearchParams): boolean {
  const [type, feed_id] = [query.get("location_type"), query.get("feed_onestop_id")];
  if (type !== null && String(row.location_type) !== type) return false;
  return feed_id === null || feedOnestopIdOf(feed.city, feed.part) === feed_id;
}

/** With everything that was asked for but the key. */
function nextOf(query: URLSearchParams, after: number, base: string): string {
  const next = new URLSearchParams(query);
  next.delete("apikey");
  next.set("after", String(after));
  return `${base}/stops?${next.toString()}`;
}
