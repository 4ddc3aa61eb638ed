/**
 * The cells of the trial: for every operation and every tool, Photon and the tiles of the pages, the
 * dearest question that is known, where as many of its things lie as files may say.
 */
import type { OperationId } from "#api/operations.ts";
import { CLASSES } from "../../test/support/by-hand.ts";
import { AGENT_CELLS } from "./agent-cells.ts";
import { always, type Cell, CITY, search } from "./cell.ts";
import { PLACE_CELLS } from "./place-cells.ts";
import { FEEDS } from "./feeds.ts";
import type { SentRequest } from "./stage.ts";
import { CALLS, FATAL, RUNS, STREETS } from "./worlds.ts";
import { BROTLI, findText, get, keyed, type Query, storeSearch } from "./ways.ts";

/** Somewhere in the sea, where nothing is: what all costs are held against. */
export const EMPTY = get("/v1/nearby", { lat: -40.5, lon: -20.25 });

const ALL = "stations,vehicles,places,lines,alerts,zones";
const all = (at: Query, more: Query = {}): SentRequest =>
  get("/v1/nearby", { ...at, limit: 100, include: ALL, ...more });

const departures = (at: Query): SentRequest => get("/v1/departures/nearby", { ...at, limit: 100 });
const coords = ({ lat, lon }: { lat: number; lon: number }): string => `${lat},${lon}`;

const CELLS_OF_OPERATIONS: readonly Cell[] = [
  { of: "getHealth", what: "", stage: "dense", make: always(get("/health")) },
  { of: "getOpenApi", what: "br", stage: "dense", make: always(get("/openapi.json", {}, BROTLI)) },
  {
    of: "getChangelog",
    what: "br",
    stage: "dense",
    make: always(get("/changelog.json", {}, BROTLI)),
  },
  {
    of: "getNearby",
    what: "the dense stations",
    stage: "dense",
    make: always(all(FEEDS.stations.at)),
  },
  {
    of: "getNearby",
    what: "the dense vehicles",
    stage: "dense",
    make: always(all(FEEDS.vehicles.at)),
  },
  {
    of: "getNearby",
    what: "the dense vehicles, offset 1000, filters",
    stage: "dense",
    make: always(all(FEEDS.vehicles.at, { offset: 1000, propulsion: "electric" })),
  },
  {
    of: "getNearby",
    what: "1,000 alerts of 200 stations",
    stage: "dense",
    make: always(all(FEEDS.alerts.at)),
  },
  { of: "getNearby", what: "4,999 zones", stage: "dense", make: always(all(FEEDS.zones.at)) },
  { of: "getNearby", what: "lines of 200 stops", stage: "dense", make: always(all(CALLS)) },
  { of: "getNearby", what: "a city, all families", stage: "cities", make: always(all(CITY)) },
  {
    of: "getNearby",
    what: "a city, all families, geojson, debug, br",
    stage: "cities",
    make: always({ ...all(CITY, { format: "geojson", debug: true }), headers: BROTLI }),
  },
  {
    of: "getTransportNearby",
    what: "200 stops, radius 5000, limit 200",
    stage: "dense",
    make: always(get("/v1/transport/nearby", { ...CALLS, radius: 5000, limit: 200 })),
  },
  {
    of: "getTransportNearby",
    what: "a city, 4 providers, radius 5000, limit 200, debug",
    stage: "cities",
    make: always(
      get("/v1/transport/nearby", {
        ...{ ...CITY, radius: 5000, limit: 200, debug: true },
        providers: "navitia,transitland,gtfs,gbfs",
      }),
    ),
  },
  {
    of: "getDeparturesNearby",
    what: "100,000 calls of 200 stops",
    stage: "dense",
    make: always(departures(CALLS)),
  },
  {
    of: "getDeparturesNearby",
    what: "2,000 rows of headway 1 s",
    stage: "dense",
    make: always(departures(RUNS)),
  },
  {
    of: "getDeparturesNearby",
    what: "300 stops, 20 rows of headway 1 s",
    stage: "fatal",
    make: always(departures(FATAL)),
  },
  {
    of: "getDeparturesNearby",
    what: "a city, limit 100",
    stage: "cities",
    make: always(departures(CITY)),
  },
  {
    of: "getStationDepartures",
    what: "2,000 rows of headway 1 s",
    stage: "dense",
    async make({ ask }) {
      const stations = get("/v1/transport/nearby", { ...RUNS, radius: 100 });
      const id = await findText(ask, stations, /"id":"(svc_transport_station_[^"]+)"/);
      return () => get(`/v1/departures/${id}`, { limit: 100 });
    },
  },
  {
    of: "executeCapability",
    what: "the dense vehicles, limit 100",
    stage: "dense",
    make: () => Promise.resolve((number) => search(FEEDS.vehicles.at, number)),
  },
  {
    of: "readDataset",
    what: "100 objects, br",
    stage: "dense",
    async make({ ask }) {
      const { id, version } = await storeSearch(ask, search(FEEDS.stations.at, 500));
      return () => get(`/v1/datasets/${id}/${version}`, {}, BROTLI);
    },
  },
  {
    of: "getLegacyVehicles",
    what: "the dense vehicles",
    stage: "dense",
    make: ({ key }) =>
      Promise.resolve(() => keyed(get(`/api/realtime/${coords(FEEDS.vehicles.at)}/lime`), key)),
  },
  {
    of: "getLegacyScooters",
    what: "the dense vehicles",
    stage: "dense",
    make: ({ key }) =>
      Promise.resolve(() =>
        keyed(get(`/api/realtime/${coords(FEEDS.vehicles.at)}/freefloat/scooter`), key),
      ),
  },
  {
    of: "getLegacyWater",
    what: "a city, distance 5000, 100 rows",
    stage: "cities",
    make: always(get(`/realtime/paris/${coords(CITY)}/water`, { distance: 5000, rows: 100 })),
  },
  {
    of: "getWeather",
    what: "a city",
    stage: "cities",
    make: always(get(`/realtime/${coords(CITY)}/weather/en`)),
  },
  {
    of: "getForecast",
    what: "a city",
    stage: "cities",
    make: always(get(`/realtime/${coords(CITY)}/forecast/en`)),
  },
  {
    of: "getWalk",
    what: "across a city",
    stage: "cities",
    make: always(get("/v1/walk", { from: coords(CITY), to: "48.8766,2.3722", format: "geojson" })),
  },
  {
    of: "getReach",
    what: "a city, 30 minutes",
    stage: "cities",
    make: always(get("/v1/reach", { ...CITY, minutes: 30 })),
  },
  { of: "getMe", what: "", stage: "dense", make: always(get("/v1/me")) },
  { of: "listSources", what: "all of them", stage: "cities", make: always(get("/v1/sources")) },
  {
    of: "tiles",
    what: "a tile of the dense streets, once made",
    stage: "dense",
    make: always(get(tilePath(STREETS), {}, BROTLI)),
  },
  {
    of: "tiles",
    what: "tiles of the dense streets in three zooms",
    stage: "dense",
    make: () => Promise.resolve((number) => get(tilePath(STREETS, 14 - (number % 3)))),
  },
];

function tilePath({ lat, lon }: { lat: number; lon: number }, zoom = 14): string {
  const tiles = 2 ** zoom;
  const x = Math.floor(((lon + 180) / 360) * tiles);
  const radians = (lat * Math.PI) / 180;
  const y = Math.floor(((1 - Math.asinh(Math.tan(radians)) / Math.PI) / 2) * tiles);
  return `/tiles/${zoom}/${x}/${y}.mvt`;
}

const KNOWN: readonly Cell[] = [...CELLS_OF_OPERATIONS, ...PLACE_CELLS, ...AGENT_CELLS];

/** Operations without a cell, in the middle of a city as the table by hand asks them. */
export function plainCells(cells: readonly Cell[]): Cell[] {
  const covered = new Set(cells.map((cell) => cell.of));
  const paths = Object.values(CLASSES).flatMap((each) => Object.entries<string>(each));
  const place = `lat=${CITY.lat}&lon=${CITY.lon}`;
  return paths
    .filter(([id]) => !covered.has(id as OperationId))
    .map(([id, path]) => ({
      of: id as OperationId,
      what: "a city",
      stage: "cities",
      make: always(get(path.replace("{place}", place))),
    }));
}

export const CELLS: readonly Cell[] = [...KNOWN, ...plainCells(KNOWN)];
