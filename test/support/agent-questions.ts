/** Questions of agents whose answers are the largest. */
import { FAMILIES } from "#api/nearby.ts";
import { SERVICE_TYPES } from "#api/tokens.ts";

export type AgentQuestion = [name: string, args: Record<string, unknown>];

/** Everything that is known around a point, as far and as much as may be asked. */
export function askEverything({ lat, lon }: { lat: number; lon: number }): AgentQuestion[] {
  const here = { lat, lon };
  return [
    ["search_mobility_nearby", { ...here, include: FAMILIES, limit: 1000 }],
    ["find_urban_services", { ...here, types: SERVICE_TYPES, radius: 10_000, limit: 200 }],
    ["find_transit_stations", { ...here, radius: 5000, limit: 200 }],
    ["find_departures", { ...here, radius: 2000, within: 120, limit: 200 }],
    ["reverse_geocode", here],
  ];
}
