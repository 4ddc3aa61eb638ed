/** From stations to the items of §2.8: filtered by mode, ranked. Pure. */
import { LIMITS } from "#api/limits.ts";
import { distance_m } from "#kit/geo.ts";
import { hash32 } from "#kit/ids.ts";
import { type MergedStation, mergeSteps } from "./merge-boards.ts";
import type { TransitMode, TransitSource, TransitStation } from "./station.ts";

const TRANSIT_ID_PREFIX = "svc_transport_station_";

export type TransitItem = {
  id: string;
  type: "transport_station";
  name: string;
  location: { lat: number; lon: number };
  distance_meters: number;
  modes: readonly TransitMode[];
  operators: TransitStation["operators"];
  /** How many there are, where they are not all listed. */
  operator_count?: number;
  routes: TransitStation["routes"];
  route_count?: number;
  realtime: { available: boolean | null; queried: false };
  alerts: { available: boolean | null; queried: false };
  accessibility: { wheelchair: TransitStation["wheelchair"] };
  freshness: { data_class: "static"; fetched_at: string };
  sources: readonly TransitSource[];
};

/** Makes the id of a station by its leading identity (mobility.md 11.2; `MergedStation`). */
export function transitId({ provider, feed_id, region, source_id }: TransitSource): string {
  const scope = provider === "gtfs" || provider === "gbfs" ? feed_id : (region ?? "");
  return TRANSIT_ID_PREFIX + hash32([provider, scope, source_id].join("\u0000"));
}

type Wish = { lat: number; lon: number; radius_m: number; modes: readonly TransitMode[] };
type Stations = readonly (readonly TransitStation[])[];

/**
 * Turns stations into items, in steps. `providers`: those of each, leading first, perhaps a little
 * beyond the circle; `timetables`: those that give others their identity (`mergeStations`).
 */
export function* toTransitItems(
  providers: Stations,
  { lat, lon, radius_m, modes }: Wish,
  timetables: Stations = [],
): Generator<void, TransitItem[]> {
  const items: TransitItem[] = [];
  for (const [at, station] of (yield* mergeSteps(providers, timetables)).entries()) {
    if (at % STEP_STATIONS === STEP_STATIONS - 1) yield;
    if (!station.modes.some((mode) => modes.includes(mode))) continue;
    const metres = distance_m(lat, lon, station.lat, station.lon);
    if (metres > radius_m) continue;
    items.push(toItem(station, metres));
  }
  return items.sort((a, b) => a.distance_meters - b.distance_meters || (a.id < b.id ? -1 : 1));
}

const STEP_STATIONS = 50;

const MOST_ROUTES = LIMITS.transport.routes_max;

/** The first of each, and how many there are. */
function bounded(operators: TransitStation["operators"], routes: TransitStation["routes"]) {
  const [operator_count, route_count] = [operators.length, routes.length];
  return {
    operators: operators.slice(0, MOST_ROUTES),
    ...(operator_count > MOST_ROUTES && { operator_count }),
    routes: routes.slice(0, MOST_ROUTES),
    ...(route_count > MOST_ROUTES && { route_count }),
  };
}

function toItem(station: MergedStation, metres: number): TransitItem {
  const { lat, lon, name, modes, operators, routes, sources } = station;
  return {
    id: transitId(station.lead.source),
    type: "transport_station",
    name,
    location: { lat, lon },
    distance_meters: Math.floor(metres + 0.5),
    modes,
    ...bounded(operators, routes),
    realtime: { available: station.realtime, queried: false },
    alerts: { available: station.alerts, queried: false },
    accessibility: { wheelchair: station.wheelchair },
    freshness: {
      data_class: "static",
      fetched_at: new Date(station.fetched_at_ms).toISOString(),
    },
    sources,
  };
}
