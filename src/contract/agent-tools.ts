/**
 * The tools of /mcp, as data (docs/agents.md): each asks one operation and costs what that costs.
 * Their arguments are parameters of the operations, so their rules are the same.
 */
import type { TSchema } from "typebox";
import { NearbyShown, PlacesShown, ServicesShown, SHOWN, StationsShown } from "./agent-results.ts";
import { DATASET_PARAMETERS, SEARCH_PARAMETERS } from "./capabilities.ts";
import { GEOCODE_PARAMETERS, REVERSE_PARAMETERS } from "./geocoding.ts";
import { QUERY_MODES } from "./nearby-items.ts";
import type { OperationId } from "./operations.ts";
import { integerParameter, LON_ALONE, type Parameters } from "./primitives.ts";
import { SERVICES_PARAMETERS } from "./services.ts";
import { TRANSPORT_PARAMETERS } from "./transit.ts";
import { USABLE_PARAMETERS } from "./usable.ts";

export type AgentTool = {
  title: string;
  /** For the model that chooses: what it finds, and when to use another tool. */
  description: string;
  /** Whose scope, units, limits and deadline hold. */
  operation: OperationId;
  parameters: Parameters;
  output: TSchema;
};

const SERVICES_ARGUMENTS = {
  lat: SERVICES_PARAMETERS.lat,
  lon: SERVICES_PARAMETERS.lon,
  types: SERVICES_PARAMETERS.types,
  radius: SERVICES_PARAMETERS.radius,
  limit: SERVICES_PARAMETERS.limit,
  country: SERVICES_PARAMETERS.country,
  ...USABLE_PARAMETERS,
} as const;

const GEOCODE_ARGUMENTS = {
  q: GEOCODE_PARAMETERS.q,
  country: GEOCODE_PARAMETERS.country,
  language: GEOCODE_PARAMETERS.language,
} as const;

const REVERSE_ARGUMENTS = {
  lat: REVERSE_PARAMETERS.lat,
  lon: REVERSE_PARAMETERS.lon,
  language: REVERSE_PARAMETERS.language,
} as const;

/** `lon` has no alias here: members of an object have one name. */
const STATIONS_ARGUMENTS = {
  lat: TRANSPORT_PARAMETERS.lat,
  lon: LON_ALONE,
  radius: TRANSPORT_PARAMETERS.radius,
  modes: TRANSPORT_PARAMETERS.modes,
  providers: TRANSPORT_PARAMETERS.providers,
  limit: TRANSPORT_PARAMETERS.limit,
  language: TRANSPORT_PARAMETERS.language,
} as const;

const READ_ARGUMENTS = {
  id: { ...DATASET_PARAMETERS.id, description: "The dataset's id, as given in an answer." },
  version: {
    ...DATASET_PARAMETERS.version,
    description: "The dataset's version, as given in an answer.",
  },
  offset: integerParameter({
    minimum: 0,
    default: 0,
    example: "20",
    description: "How many of its results to skip: `next_offset` of the answer before.",
  }),
  limit: integerParameter({
    minimum: 1,
    default: SHOWN.items_max,
    example: "20",
    description: `How many to show. Above ${SHOWN.items_max} it is reduced.`,
  }),
} as const;

const SMALL =
  "The answer shows the nearest results only; `total` says how many there are and `attribution` must be shown with them.";

export const AGENT_TOOLS = {
  search_mobility_nearby: {
    title: "Shared mobility nearby",
    description: `Bikes, scooters, mopeds and shared cars that can be used right now within at most 400 m of a point, anywhere on Earth: docking stations with live counts, and free-floating vehicles. ${SMALL} All that was found is kept as a dataset that never changes; page through it with read_dataset, which costs nothing. Modes: ${QUERY_MODES.join(", ")}. Unknown counts are null, never 0.`,
    operation: "executeCapability",
    parameters: SEARCH_PARAMETERS,
    output: NearbyShown,
  },
  find_urban_services: {
    title: "Urban services nearby",
    description: `Toilets, drinking water, fountains, defibrillators (aed), wifi, parking, EV charging and parcel lockers around a point, up to 10 km. ${SMALL}`,
    operation: "getServicesNearby",
    parameters: SERVICES_ARGUMENTS,
    output: ServicesShown,
  },
  find_transit_stations: {
    title: "Public transport stations nearby",
    description: `Stations of bus, tram, metro, rail, ferry and other public transport around a point, up to 5 km, with the names of the lines that call there. Static data: no departures. ${SMALL}`,
    operation: "getTransportNearby",
    parameters: STATIONS_ARGUMENTS,
    output: StationsShown,
  },
  geocode: {
    title: "Address or place to coordinates",
    description:
      "At most five candidates for an address or a place in any language, the most relevant first. Use it before the tools that need lat and lon. No candidate is no error.",
    operation: "geocode",
    parameters: GEOCODE_ARGUMENTS,
    output: PlacesShown,
  },
  reverse_geocode: {
    title: "Coordinates to address",
    description: "The addresses and places at a point, at most five, the most precise first.",
    operation: "reverseGeocode",
    parameters: REVERSE_ARGUMENTS,
    output: PlacesShown,
  },
  read_dataset: {
    title: "Read a stored search again",
    description:
      "More of what search_mobility_nearby found, from the dataset named in its answer: no source is asked, it costs nothing, and the same id and version give the same results until they expire.",
    operation: "readDataset",
    parameters: READ_ARGUMENTS,
    output: NearbyShown,
  },
} as const satisfies Readonly<Record<string, AgentTool>>;

export type AgentToolName = keyof typeof AGENT_TOOLS;

/** URI template of a dataset among the resources of /mcp: the path of GET /v1/datasets. */
export const DATASET_RESOURCE = "vicinity:///v1/datasets/{id}/{version}";
