// MOTIS stops on the map: /upstreams/motis/api/v6/map/stops (mobility.md 4.3), and their stop times. A remote reader of the
// GTFS feeds of two cities, each with its tag before the stop's own id.
import type { Point } from "../geo.ts";
import { listFeeds } from "../gtfs/style.ts";
import { linesIn, partsServing } from "../gtfs/parts.ts";
import { answerJson, type Reply, type SandboxRequest } from "../http.ts";
import { once, toPoint } from "../registry.ts";
import { hash, pick } from "../rng.ts";
import { answerStopTimes, type TaggedFeed } from "./stop-times.ts";
import type { Source } from "../source.ts";
import type { City } from "../world/model.ts";
import type { Line, Part, TransitMode } from "../world/transit-model.ts";
import { feedIdOf, listStops, stationIdOf, type StopRow } from "../world/transit-stops.ts";
import type { World } from "../world/world.ts";

const MOTIS = "/upstreams/motis";
export const STOPS_ROOT = `${MOTIS}/api/v6/`;
const STOPS = `${STOPS_ROOT}map/stops`;
const CITIES: ReadonlySet<string> = new Set(["berlin", "warsaw"]);

const TIMES = `${STOPS_ROOT}stoptimes`;

type Deps = { readonly world: World; readonly now: () => number; readonly origin: string };
type Stop = Point & {
  readonly is_root: boolean;
  readonly modes: readonly string[];
  /** As it is printed. */
  readonly place: unknown;
};

/** Source asked under MOTIS's own address, which hands it on; configured by a name of its own. */
export function createMotisStops({ world, now, origin }: Deps): Source {
  const stops = once(() => listAll(world));
  const feeds = once(() =>
    listFeeds(world)
      .filter(({ city }) => CITIES.has(city.id))
      .map((feed): TaggedFeed => ({ feed, tag: tagOf(feed.city, feed.part) })),
  );
  return {
    id: "motis_stops",
    description: "MOTIS stops on the map, API v6",
    parts: [],
    partsOf: () => [],
    upstream: { url: `${origin}${MOTIS}` },
    observe(thing) {
      if (thing.kind !== "transit_station" || !CITIES.has(thing.city.id)) return [];
      return partsServing(thing).map((part) => ({
        source: "motis",
        network_id: tagOf(thing.city, part),
        source_id: `${tagOf(thing.city, part)}_${stationIdOf(thing, part)}`,
      }));
    },
    handle: (request) =>
      request.pathname === TIMES
        ? answerStopTimes({ feeds: feeds(), now, query: request.query, wordOf, pointIn })
        : answer(request, stops()),
  };
}

const tagOf = (city: City, part: Part): string =>
  `${city.country.toLowerCase()}-${feedIdOf(city, part)}`;

/** Two words for what is one mode to others. */
const MODES: Readonly<Record<TransitMode, readonly [string, string]>> = {
  bus: ["BUS", "BUS"],
  tram: ["TRAM", "TRAM"],
  metro: ["SUBWAY", "SUBWAY"],
  rail: ["REGIONAL_RAIL", "HIGHSPEED_RAIL"],
  rapid_transit: ["SUBURBAN", "SUBURBAN"],
  ferry: ["FERRY", "FERRY"],
  coach: ["COACH", "COACH"],
  cable_transport: ["FUNICULAR", "AERIAL_LIFT"],
};

const wordOf = ({ mode, key }: Line): string => pick(MODES[mode], hash(key, 97) % 2);

/** In no order: each feed's, shuffled. */
function listAll(world: World): Stop[] {
  return listFeeds(world)
    .filter(({ city }) => CITIES.has(city.id))
    .flatMap(({ city, part, network }) =>
      listStops(network(), part)
        .filter(({ location_type }) => location_type < 2)
        .toSorted((a, b) => hash(a.station.key, 98) - hash(b.station.key, 98))
        .flatMap((row) => (row.at === null ? [] : [toStop(row, row.at, city, part)])),
    );
}

function toStop(row: StopRow, { lat, lon }: Point, city: City, part: Part): Stop {
  const tag = tagOf(city, part);
  const lines = linesIn(row.station, part).filter(
    (line) =>
      row.location_type === 1 ||
      [...line.outbound, ...line.back].some(
        (call) => call.station === row.station.index && call.platform === row.platform?.index,
      ),
  );
  const modes = [...new Set(lines.map(wordOf))];
  const place = {
    name: row.name,
    stopId: `${tag}_${row.stop_id}`,
    lat,
    lon,
    level: 0,
    tz: city.timezone,
    ...(row.parent === "" ? {} : { parentId: `${tag}_${row.parent}` }),
    ...(row.stop_code === "" ? {} : { stopCode: row.stop_code }),
    vertexType: "TRANSIT",
    importance: lines.length / 10,
    modes,
  };
  return { lat, lon, modes, is_root: row.parent === "", place };
}

function answer({ pathname, query }: SandboxRequest, stops: readonly Stop[]): Reply {
  if (pathname !== STOPS) return answerJson(404, { error: "no such route" });
  const [low, high] = [pointIn(query.get("min")), pointIn(query.get("max"))];
  if (low === null || high === null) return answerJson(400, { error: "min and max are lat,lon" });
  const is_grouped = query.get("grouped") === "true";
  const wanted = (query.get("modes") ?? "").split(",").filter(Boolean);
  const matches = stops.filter(
    ({ lat, lon, is_root, modes }) =>
      lat >= low.lat &&
      lat <= high.lat &&
      lon >= low.lon &&
      lon <= high.lon &&
      (!is_grouped || is_root) &&
      // Asked for without grouped they are not looked at.
      (!is_grouped || wanted.length === 0 || modes.some((mode) => wanted.includes(mode))),
  );
  return answerJson(
    200,
    matches.map(({ place }) => place),
  );
}

function pointIn(text: string | null): Point | null {
  const [, lat, lon] = /^(-?\d+(?:\.\d+)?),(-?\d+(?:\.\d+)?)$/.exec(text ?? "") ?? [];
  return lat === undefined || lon === undefined ? null : toPoint(Number(lat), Number(lon));
}
