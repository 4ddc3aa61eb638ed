/** The point of tools whose descriptions must be short: `near`, or `lat` and `lon`. */
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
  lat: { ...LAT, description: "Latitude." },
  lon: { ...LON_ALONE, description: "Longitude." },
} as const;
