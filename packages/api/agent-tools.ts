/**
 * The tools of /mcp, as data (docs/agents.md): each asks one operation and costs what that costs.
 * Their arguments are parameters of the operations, so their rules are the same.
 */
import type { TSchema } from "typebox";
import { ASK_ARGUMENTS, AskShown } from "./agent-ask.ts";
import { COMPARE_ARGUMENTS, CompareShown } from "./agent-compare.ts";
import { ClassPlacesShown, PlacesAtShown, PlacesShown, ServicesShown } from "./agent-places.ts";
import { DEPARTURE_ARGUMENTS, DeparturesShown } from "./agent-departures.ts";
import { PLACE_ARGUMENTS, PlaceShown } from "./agent-place.ts";
import { PLAN_ARGUMENTS, PlanShown } from "./agent-plan.ts";
import { NearbyShown, SHOWN, StationsShown } from "./agent-results.ts";
import { WEATHER_ARGUMENTS, WeatherShown } from "./agent-weather.ts";
import { CLASS_PARAMETERS } from "./class-places.ts";
import { PROFILE_ARGUMENT, WALK_ARGUMENTS } from "./agent-walk.ts";
import { CHANGES_ARGUMENTS, ChangesShown } from "./agent-changes.ts";
import { POINT_ARGUMENTS } from "./agent-point.ts";
import { DATASET_PARAMETERS, SEARCH_PARAMETERS } from "./capabilities.ts";
import { GEOCODE_PARAMETERS, REVERSE_PARAMETERS } from "./geocoding.ts";
import type { OperationId } from "./operations.ts";
import { integerParameter, LON_ALONE, type Parameters } from "./primitives.ts";
import { SERVICES_PARAMETERS } from "./services.ts";
import { TRANSPORT_PARAMETERS } from "./transit.ts";
import { STRICT_PARAMETERS } from "./filter-match.ts";
import { CHARGING_FILTERS, USABLE_PARAMETERS } from "./usable.ts";

export type AgentTool = {
  title: string;
  /** For the model that chooses: what it finds, and when to use another tool. */
  description: string;
  /** Whose scope, units, limits and deadline hold. */
  operation: OperationId;
  /** Operations that it may ask besides, or in its place: each one that answers costs what it costs. */
  others?: readonly OperationId[];
  /** Whether it is one of the few that a host with little room is offered. */
  essential?: true;
  /** Some questions need no point. */
  point?: "optional";
  /** With this argument nothing is asked: the call is then one of readDataset, which costs nothing. */
  reads_with?: string;
  /**
   * Arguments that are places, as texts: the operation is executed, and charged, once for each of
   * them, all within its one deadline. Absent: it is executed once.
   */
  each?: readonly string[];
  /** Arguments that have no effect unless a list, which is another argument, has a value. */
  idle_without?: Readonly<Record<string, { argument: string; value: string }>>;
  /** Arguments that have no effect where one of these is true. */
  idle_with?: Readonly<Record<string, readonly string[]>>;
  parameters: Parameters;
  output: TSchema;
  /** Resource that draws the answer, where the host can (SEP-1865). */
  view?: string;
};

/** URI of the map among the resources of /mcp. */
export const MAP_RESOURCE = "ui://vicinity/map";

/** How much one answer shows, and from where on: what is searched for does not depend on it. */
const PAGE_ARGUMENTS = {
  limit: integerParameter({
    minimum: 1,
    default: SHOWN.items_max,
    example: "20",
    reduced_to: SHOWN.items_max,
    description: "How many to show.",
  }),
  offset: integerParameter({
    minimum: 0,
    default: 0,
    example: "20",
    description: "`next_offset` of the answer before.",
  }),
} as const;

const STRICT_ARGUMENT = {
  strict: { ...STRICT_PARAMETERS.strict, description: "Also leaves out what has match unknown." },
} as const;
const FITTING = "Leaves out what is known to have none.";
const TAG = "Of names, BCP 47.";

/** What is known not to fit is left out; `match` of a result says what is unknown. */
const FILTER_ARGUMENTS = {
  ...USABLE_PARAMETERS,
  ...CHARGING_FILTERS,
  usable: {
    ...USABLE_PARAMETERS.usable,
    description: "now, or an RFC 3339 time: leaves out what is known to be closed then.",
  },
  wheelchair: { ...USABLE_PARAMETERS.wheelchair, description: "yes: fully accessible." },
  fee: { ...USABLE_PARAMETERS.fee, description: "no: free of charge." },
  access: { ...USABLE_PARAMETERS.access, description: "public: for all, not for customers only." },
  connector: {
    ...CHARGING_FILTERS.connector,
    description: "One of them, with min_kw; with usable now also free.",
  },
  min_kw: { ...CHARGING_FILTERS.min_kw, description: "Power of a connector, kW." },
} as const;

/** What is found is kept up to a bound of its own (KEPT_MIN), whatever is shown of it. */
const SEARCH_ARGUMENTS = {
  ...SEARCH_PARAMETERS,
  limit: PAGE_ARGUMENTS.limit,
  intent: {
    ...SEARCH_PARAMETERS.intent,
    description: "Leaves out what is known not to allow it now.",
  },
  include: {
    ...SEARCH_PARAMETERS.include,
    description:
      "places: urban services; lines: public transport; alerts: of shared mobility; zones: riding and parking.",
  },
  min_vehicles: {
    ...SEARCH_PARAMETERS.min_vehicles,
    description: "Leaves out stations known to have fewer.",
  },
  min_docks: { ...SEARCH_PARAMETERS.min_docks, description: "As min_vehicles." },
  propulsion: { ...SEARCH_PARAMETERS.propulsion, description: FITTING },
  form_factors: { ...SEARCH_PARAMETERS.form_factors, description: FITTING },
  operators: {
    ...SEARCH_PARAMETERS.operators,
    description: "Ids or whole names, as in answers.",
  },
  language: { ...SEARCH_PARAMETERS.language, description: TAG },
  ...STRICT_ARGUMENT,
  ...WALK_ARGUMENTS,
} as const;

const SERVICES_ARGUMENTS = {
  lat: SERVICES_PARAMETERS.lat,
  lon: SERVICES_PARAMETERS.lon,
  types: {
    ...SERVICES_PARAMETERS.types,
    description: "drinking_water finds fountains too, those known to be drinking water first.",
  },
  radius: SERVICES_PARAMETERS.radius,
  ...PAGE_ARGUMENTS,
  country: { ...SERVICES_PARAMETERS.country, description: "ISO 3166-1 alpha-2." },
  ...FILTER_ARGUMENTS,
  ...STRICT_ARGUMENT,
  ...WALK_ARGUMENTS,
} as const;

const CLASS_ARGUMENTS = {
  lat: CLASS_PARAMETERS.lat,
  lon: CLASS_PARAMETERS.lon,
  classes: {
    ...CLASS_PARAMETERS.classes,
    description:
      "English singular: pharmacy, supermarket, restaurant, cafe, atm, doctor, museum. An unknown one is refused with those that are meant.",
  },
  radius: CLASS_PARAMETERS.radius,
  ...PAGE_ARGUMENTS,
  language: { ...CLASS_PARAMETERS.language, description: "Of names." },
  usable: FILTER_ARGUMENTS.usable,
  wheelchair: FILTER_ARGUMENTS.wheelchair,
  ...STRICT_ARGUMENT,
  ...WALK_ARGUMENTS,
} as const;

const GEOCODE_ARGUMENTS = {
  q: GEOCODE_PARAMETERS.q,
  country: GEOCODE_PARAMETERS.country,
  language: { ...GEOCODE_PARAMETERS.language, description: TAG },
} as const;

const REVERSE_ARGUMENTS = {
  lat: REVERSE_PARAMETERS.lat,
  lon: REVERSE_PARAMETERS.lon,
  language: { ...REVERSE_PARAMETERS.language, description: TAG },
} as const;

/** `lon` has no alias here: members of an object have one name. */
const STATIONS_ARGUMENTS = {
  lat: TRANSPORT_PARAMETERS.lat,
  lon: LON_ALONE,
  radius: TRANSPORT_PARAMETERS.radius,
  modes: {
    ...TRANSPORT_PARAMETERS.modes,
    description: "Stations that one of them serves.",
  },
  providers: {
    ...TRANSPORT_PARAMETERS.providers,
    description: "To ask alone; else all that cover.",
  },
  ...PAGE_ARGUMENTS,
  ...STRICT_ARGUMENT,
  ...WALK_ARGUMENTS,
  language: { ...TRANSPORT_PARAMETERS.language, description: TAG },
} as const;

const DEPARTURES_ARGUMENTS = {
  ...DEPARTURE_ARGUMENTS,
  ...PAGE_ARGUMENTS,
  limit: integerParameter({
    minimum: 1,
    default: SHOWN.departures_max,
    reduced_to: SHOWN.departures_max,
    example: "12",
    description: "How many to show.",
  }),
  ...PROFILE_ARGUMENT,
} as const;

const READ_ARGUMENTS = {
  id: { ...DATASET_PARAMETERS.id, description: "Of `dataset` in an answer." },
  version: {
    ...DATASET_PARAMETERS.version,
    description: "Of `dataset`.",
  },
  ...PAGE_ARGUMENTS,
  within_minutes: { ...WALK_ARGUMENTS.within_minutes, description: "As the search had it." },
  profile: { ...WALK_ARGUMENTS.profile, description: "As the search had it." },
} as const;

const MAP_ARGUMENTS = {
  id: { ...READ_ARGUMENTS.id, description: "The dataset's id." },
  version: { ...READ_ARGUMENTS.version, description: "Its version." },
} as const;

const MORE = "`next_offset` leads to more; show `attribution`.";
const SMALL = `Nearest first, on foot where streets are known; ${MORE}`;

const TOOLS = {
  ask_here: {
    title: "Wishes around a point",
    description:
      "Call this first: up to six wishes, each with the nearest known answer, walk, price, end and proof. 1 or 2 units a wish, one with ~ up to 6.",
    essential: true,
    operation: "getServicesNearby",
    others: ["getNearby", "getTransportNearby", "getDeparturesNearby", "getPlacesNearby"],
    parameters: ASK_ARGUMENTS,
    output: AskShown,
  },
  search_mobility_nearby: {
    title: "Shared mobility nearby",
    description: `Bikes, scooters, mopeds and shared cars within 400 m of a point: stations with live counts, free-floating vehicles. intent pickup shows only what may be picked up now. ${SMALL} read_dataset pages through the rest free.`,
    essential: true,
    operation: "executeCapability",
    parameters: SEARCH_ARGUMENTS,
    output: NearbyShown,
  },
  find_urban_services: {
    title: "Urban services nearby",
    description: `Toilets, water, defibrillators (aed), wifi, parking, EV charging and parcel lockers around a point, up to 10 km. match unknown may not fit the filters; nearest_known does. ${SMALL}`,
    operation: "getServicesNearby",
    idle_without: {
      connector: { argument: "types", value: "charging" },
      min_kw: { argument: "types", value: "charging" },
    },
    parameters: SERVICES_ARGUMENTS,
    output: ServicesShown,
  },
  find_places: {
    title: "Places by what they are",
    description: `Shops, food, health, money, schools, culture, parks and more by class around a point, up to 10 km. ${SMALL}`,
    operation: "getPlacesNearby",
    parameters: CLASS_ARGUMENTS,
    output: ClassPlacesShown,
  },
  find_transit_stations: {
    title: "Public transport stations nearby",
    description: `Stations of bus, rail, ferry and other public transport around a point, up to 5 km, with their lines. ${SMALL}`,
    operation: "getTransportNearby",
    parameters: STATIONS_ARGUMENTS,
    output: StationsShown,
  },
  find_departures: {
    title: "Next departures nearby",
    description: `Public transport around a point, up to 2 km, or of one stop: next, at a time, last or first. expected_at null: not known, never on time. Earliest first; ${MORE}`,
    essential: true,
    operation: "getDeparturesNearby",
    others: ["getStationDepartures"],
    point: "optional",
    idle_with: { within: ["first", "last"] },
    parameters: DEPARTURES_ARGUMENTS,
    output: DeparturesShown,
  },
  geocode: {
    title: "Address or place to coordinates",
    description:
      "At most five candidates for an address or a place in any language. Other tools take it as near.",
    operation: "geocode",
    parameters: GEOCODE_ARGUMENTS,
    output: PlacesShown,
  },
  reverse_geocode: {
    title: "Coordinates to address",
    description: "At most five addresses and places at a point, the most precise first.",
    operation: "reverseGeocode",
    parameters: REVERSE_ARGUMENTS,
    output: PlacesAtShown,
  },
  get_place: {
    title: "One result in full",
    description:
      "Everything known now of one result of another tool: links, battery, connectors, codes, lines, rules, and with from the walk there. Not for searching.",
    essential: true,
    operation: "getServicesNearby",
    others: ["getNearby", "getTransportNearby", "getStationDepartures"],
    point: "optional",
    parameters: PLACE_ARGUMENTS,
    output: PlaceShown,
  },
  get_weather: {
    title: "Weather now and soon",
    description: "Weather now and in the next hours; not for other days.",
    operation: "getWeather",
    others: ["getForecast"],
    parameters: WEATHER_ARGUMENTS,
    output: WeatherShown,
  },
  read_dataset: {
    title: "Read a stored search again",
    description:
      "More of what search_mobility_nearby found, from the dataset named in its answer, free.",
    essential: true,
    operation: "readDataset",
    parameters: READ_ARGUMENTS,
    output: NearbyShown,
  },
  plan_nearby: {
    title: "Ride from one place to another",
    description:
      "Legs of a short ride by shared vehicle between two places, and walking alone. Estimates, no route.",
    operation: "getNearby",
    each: ["from", "to"],
    parameters: PLAN_ARGUMENTS,
    output: PlanShown,
  },
  compare_places: {
    title: "Compare places",
    description: "Counts vehicles and free docks around two to five places.",
    operation: "getNearby",
    each: ["places"],
    parameters: COMPARE_ARGUMENTS,
    output: CompareShown,
  },
  changes_since: {
    title: "What changed since a search",
    description:
      "What entered, left and changed since a search_mobility_nearby, asked again at its price; with to_id and to_version free.",
    operation: "executeCapability",
    reads_with: "to_id",
    parameters: CHANGES_ARGUMENTS,
    output: ChangesShown,
  },
  show_map: {
    title: "Map of a stored search",
    description: "Draws a stored search for the person; call it last.",
    operation: "readDataset",
    parameters: MAP_ARGUMENTS,
    output: NearbyShown,
    view: MAP_RESOURCE,
  },
} as const satisfies Readonly<Record<string, AgentTool>>;

/**
 * The tools by name. One that takes a point takes `near` in its place (docs/agents.md); the types are
 * those of the arguments it runs with, when the point is known.
 */
export const AGENT_TOOLS: typeof TOOLS = withNear(TOOLS);

function withNear<T extends Readonly<Record<string, AgentTool>>>(tools: T): T {
  const rows = Object.entries(tools).map(([name, tool]): [string, AgentTool] => {
    const { near: _near, lat, lon, ...rest } = tool.parameters;
    if (!lat || !lon) return [name, tool];
    return [name, { ...tool, parameters: { ...POINT_ARGUMENTS, ...rest } }];
  });
  return Object.fromEntries(rows) as T;
}

export type AgentToolName = keyof typeof AGENT_TOOLS;

/** URI template of a dataset among the resources of /mcp: the path of GET /v1/datasets. */
export const DATASET_RESOURCE = "vicinity:///v1/datasets/{id}/{version}";
export const STATION_RESOURCE = "vicinity:///v1/stations/{id}";
/** Of an answer of ask_here. */
export const ANSWER_RESOURCE = "vicinity:///v1/answers/{id}";
/** Of a box, by west, south, east and north. */
export const BOX_RESOURCE = "vicinity:///v1/boxes/{bbox}";
