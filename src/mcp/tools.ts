/** Which function answers which tool of contract/agent-tools. */
import type { AgentToolName } from "#contract/agent-tools.ts";
import type { Run, ToolDeps } from "./tool.ts";
import { createReadDatasetTool, createSearchNearby } from "./tools/nearby.ts";
import {
  createFindServices,
  createFindStations,
  createGeocode,
  createReverseGeocode,
} from "./tools/places.ts";

export function createTools(deps: ToolDeps): Record<AgentToolName, Run<never>> {
  return {
    search_mobility_nearby: createSearchNearby(deps),
    find_urban_services: createFindServices(deps),
    find_transit_stations: createFindStations(deps),
    geocode: createGeocode(deps),
    reverse_geocode: createReverseGeocode(deps),
    read_dataset: createReadDatasetTool(deps),
  };
}
