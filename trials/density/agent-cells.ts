/** Cells of /mcp: each tool, its lists and its resources. */
import { type AgentToolName, MAP_RESOURCE } from "#api/agent-tools.ts";
import { always, type Cell, CITY, search } from "./cell.ts";
import { FEEDS } from "./feeds.ts";
import { MISSPELT } from "./place-cells.ts";
import { findText, get, message, storeSearch, tool } from "./ways.ts";
import { CALLS, NAMED, POINT, RUNS, SPREAD, STREETS } from "./worlds.ts";

const { vehicles, stations, alerts, zones } = FEEDS;
const near = ({ at }: { at: { lat: number; lon: number } }): string => `${at.lat},${at.lon}`;

/** By the arguments, the same each time. */
function of(name: AgentToolName, what: string, args: object): Cell {
  return { of: `tool ${name}`, what, stage: "dense", make: always(tool(name, args)) };
}

export const AGENT_CELLS: readonly Cell[] = [
  {
    of: "tool search_mobility_nearby",
    what: "the dense vehicles",
    stage: "dense",
    make: () =>
      Promise.resolve((number) =>
        tool("search_mobility_nearby", { ...vehicles.at, radius: 399 - number / 1000 }),
      ),
  },
  of("find_urban_services", "all toilets at one point", { ...POINT, types: "toilets" }),
  of("find_urban_services", "car parks over 10 km", {
    ...{ ...SPREAD, types: "parking,charging", radius: 10_000 },
  }),
  {
    ...of("find_urban_services", "a city, 7 types, radius 10000", {
      ...CITY,
      types: "toilets,drinking_water,aed,wifi,parking,charging,locker",
      radius: 10_000,
    }),
    stage: "cities",
  },
  of("find_places", "all toilets at one point, and cafes", { ...POINT, classes: "toilets,cafe" }),
  of("ask_here", "all toilets at one point", {
    ...{ ...POINT, wishes: ["toilet:wheelchair", "charger:free", "cafe:open"] },
  }),
  of("find_places", "100,000 shops in one circle, open now", {
    ...{ ...NAMED, classes: ["books"], usable: "now" },
  }),
  of("ask_here", "car parks and chargers over 5 km, shops", {
    ...{ ...SPREAD, wishes: ["charger:CCS2:free>=50kW", "parking:open", "books:open"] },
  }),
  of("find_transit_stations", "200 stops, radius 5000", { ...CALLS, radius: 5000 }),
  {
    ...of("find_transit_stations", "a city, radius 5000", { ...CITY, radius: 5000 }),
    stage: "cities",
  },
  of("find_departures", "2,000 rows of headway 1 s", { ...RUNS }),
  of("geocode", "16 misspelt words, ten bases", { q: MISSPELT }),
  of("reverse_geocode", "among the dense addresses", { ...STREETS }),
  {
    of: "tool get_place",
    what: "one of all toilets at one point",
    stage: "dense",
    async make({ ask }) {
      const request = get("/v1/services/nearby", { ...POINT, types: "toilets", limit: 1 });
      const id = await findText(ask, request, /"id":"([^"]+)"/);
      return () => tool("get_place", { id, ...POINT });
    },
  },
  {
    of: "tool get_place",
    what: "one of the dense stations",
    stage: "dense",
    async make({ ask }) {
      const request = get("/v1/nearby", { ...stations.at, limit: 1, include: "stations" });
      const id = await findText(ask, request, /"id":"(svc_station_[^"]+)"/);
      return () => tool("get_place", { id });
    },
  },
  { ...of("get_weather", "a city", { ...CITY }), stage: "cities" },
  {
    of: "tool read_dataset",
    what: "200 objects",
    stage: "dense",
    async make({ ask }) {
      const dataset = await storeSearch(ask, search(stations.at, 600));
      return () => tool("read_dataset", dataset);
    },
  },
  {
    ...of("plan_nearby", "between the dense stations and vehicles", {
      ...{ from: near(stations), to: near(vehicles) },
    }),
  },
  {
    ...of("compare_places", "five of the dense feeds", {
      places: [near(vehicles), near(stations), near(alerts), near(zones), "12.001,10"],
    }),
  },
  {
    of: "tool changes_since",
    what: "a dataset compared with itself",
    stage: "dense",
    async make({ ask }) {
      const { id, version } = await storeSearch(ask, search(vehicles.at, 700));
      return () => tool("changes_since", { id, version, to_id: id, to_version: version });
    },
  },
  {
    of: "tool changes_since",
    what: "two datasets, repeatedly",
    stage: "dense",
    async make({ ask }) {
      const { id, version } = await storeSearch(ask, search(vehicles.at, 800));
      const to = await storeSearch(ask, search(vehicles.at, 800.5));
      return () => tool("changes_since", { id, version, to_id: to.id, to_version: to.version });
    },
  },
  {
    of: "tool show_map",
    what: "a stored search",
    stage: "dense",
    async make({ ask }) {
      const dataset = await storeSearch(ask, search(vehicles.at, 900));
      return () => tool("show_map", dataset);
    },
  },
  { of: "mcp", what: "tools/list", stage: "dense", make: always(message("tools/list", {})) },
  {
    of: "mcp",
    what: "resources/read of the map",
    stage: "dense",
    make: always(message("resources/read", { uri: MAP_RESOURCE })),
  },
];
