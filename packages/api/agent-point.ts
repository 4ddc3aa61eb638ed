/** Where a tool looks: `near`, or `lat` and `lon` in its place (docs/agents.md). */
import { LIMITS } from "./limits.ts";
import { LAT, LON_ALONE, textParameter } from "./primitives.ts";

export const POINT_ARGUMENTS = {
  near: {
    ...textParameter({
      min: LIMITS.geocode.q_min,
      max: LIMITS.geocode.q_max,
      example: "Gare de Lyon, Paris",
      description: "Name, address or lat,lon, in place of lat and lon.",
    }),
    required: false,
  },
  lat: { ...LAT, required: false, description: "Latitude." },
  lon: { ...LON_ALONE, required: false, description: "Longitude." },
} as const;
