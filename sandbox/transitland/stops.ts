// Transitland's records of stops (mobility.md 4.2): one per row of a feed, numbered in no order that
// has to do with where they are.
import { hash, hashText, hex } from "../rng.ts";
import { listFeeds } from "../gtfs/style.ts";
import { linesIn } from "../gtfs/parts.ts";
import { routeIdOf } from "../gtfs/ids.ts";
import type { City } from "../world/model.ts";
import { toTown } from "../world/towns.ts";
import type { Line, Part } from "../world/transit-model.ts";
import { feedIdOf, listStops, type StopRow } from "../world/transit-stops.ts";
import type { World } from "../world/world.ts";
import { geohash } from "./geohash.ts";

export type Stop = {
  readonly id: number;
  readonly row: StopRow;
  readonly feed: Origin;
  readonly onestop_id: string;
  /** Of the same feed. */
  readonly parent: Stop | null;
  readonly at: { readonly lat: number; readonly lon: number };
  readonly lines: readonly Line[];
};

type Origin = { readonly city: City; readonly part: Part; readonly index: number };

/** Cities it does not know. */
const UNKNOWN_CITIES: ReadonlySet<string> = new Set(["taveuni", "cape-town"]);
export const isKnown = ({ id }: City): boolean => !UNKNOWN_CITIES.has(id);

const FIRST_ID = 2_000_000;
const IDS_PER_FEED = 4000;

/** Lists all stops by id. */
export function listAll(world: World): Stop[] {
  return listFeeds(world)
    .filter(({ city }) => isKnown(city))
    .flatMap(({ city, part, network }, index) => {
      const rows = listStops(network(), part).toSorted((a, b) => shuffle(a) - shuffle(b));
      const stops = new Map<string, Stop>();
      // Parents first, children of children last.
      for (const type of [1, 0, 2, 3, 4])
        for (const [n, row] of rows.entries())
          if (row.location_type === type)
            stops.set(
              row.stop_id,
              toStop(row, {
                id: FIRST_ID + index * IDS_PER_FEED + n,
                feed: { city, part, index },
                parent: stops.get(row.parent) ?? null,
              }),
            );
      return [...stops.values()];
    })
    .toSorted((a, b) => a.id - b.id);
}

const shuffle = ({ stop_id }: StopRow): number => hash(hashText(stop_id), 95);

function toStop(row: StopRow, frame: Pick<Stop, "id" | "feed" | "parent">): Stop {
  const { feed, parent } = frame;
  // What has no coordinates is put where its parent is.
  const at = row.at ?? parent?.at ?? feed.city;
  const { station, platform } = row;
  const lines =
    platform === null ? [] : linesIn(station, feed.part).filter((line) => calls(line, row));
  return {
    ...frame,
    row,
    at: { lat: at.lat, lon: at.lon },
    lines,
    onestop_id: onestopIdOf(row.name, at),
  };
}

const calls = (line: Line, { station, platform }: StopRow): boolean =>
  [...line.outbound, ...line.back].some(
    (call) => call.station === station.index && call.platform === platform?.index,
  );

const slug = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, "")
    .slice(0, 24);

export const onestopIdOf = (name: string, at: Stop["at"]): string =>
  `s-${geohash(at, 10)}-${slug(name)}`;

export const feedOnestopIdOf = (city: City, part: Part): string =>
  `f-${geohash(city, 3)}-${feedIdOf(city, part).replaceAll("-", "~")}`;

const ISO: Readonly<Record<string, string>> = {
  paris: "FR-IDF",
  london: "GB-LND",
  berlin: "DE-BE",
  madrid: "ES-MD",
  warsaw: "PL-14",
  "new-york": "US-NY",
  "san-francisco": "US-CA",
  "mexico-city": "MX-CMX",
  "sao-paulo": "BR-SP",
  tokyo: "JP-13",
  sydney: "AU-NSW",
};

export function print(stop: Stop, with_routes: boolean): unknown {
  const { id, row, feed, onestop_id, parent, at, lines } = stop;
  const { city, part, index } = feed;
  const { region, country } = toTown(city);
  const version = 500 + index;
  return {
    id,
    stop_id: row.stop_id,
    stop_name: row.name,
    stop_code: row.stop_code,
    stop_desc: null,
    stop_url: "",
    stop_timezone: city.timezone,
    platform_code: row.platform_code || null,
    wheelchair_boarding: Number(row.boarding || 0),
    location_type: row.location_type,
    zone_id: "",
    onestop_id,
    geometry: pointAt(at),
    parent: parent === null ? null : printParent(parent),
    level: null,
    alerts: [],
    place: {
      adm0_name: country.english,
      adm1_name: region.english,
      adm0_iso: city.country,
      adm1_iso: ISO[city.id] ?? null,
    },
    feed_version: {
      id: version,
      sha1: hex(40, version),
      fetched_at: "2026-01-06T04:00:00Z",
      feed: { id: 100 + index, onestop_id: feedOnestopIdOf(city, part) },
    },
    ...(with_routes
      ? { route_stops: lines.map((line) => ({ route: printRoute(line, feed) })) }
      : {}),
  };
}

const printParent = ({ id, row, at }: Stop): unknown => ({
  id,
  stop_id: row.stop_id,
  stop_name: row.name,
  geometry: pointAt(at),
});

const pointAt = ({ lat, lon }: Stop["at"]): unknown => ({ type: "Point", coordinates: [lon, lat] });

const ROLES = ["urban-1", "rail-1", "coach-1", "water-1"];

export function printRoute(line: Line, { city, index }: Origin): unknown {
  const { operator, short_name, long_name, route_type, color, text_color } = line;
  return {
    id: 30_000 + index * 100 + line.index,
    route_id: routeIdOf(line),
    route_type,
    route_short_name: short_name,
    route_long_name: long_name,
    route_color: color,
    route_text_color: text_color,
    agency: {
      id: 9000 + index * 10 + ROLES.indexOf(operator.id),
      agency_id: operator.id,
      agency_name: operator.name,
      onestop_id: `o-${geohash(city, 3)}-${slug(operator.name)}`,
    },
  };
}
