/** How much it adds to a candidate that it is near to the point of a question. */
import type { Location } from "#kit/geo.ts";
import { distance_m } from "#kit/geo.ts";

const WEIGHT = 0.2;
/** Half the Earth's circumference: nothing is further away. */
const FARTHEST_KM = 20_040;

/** By the logarithm of the distance: 10 km and 100 km differ as much as 100 km and 1,000 km do. */
export function byNearness(near: Location | null, at: Location): number {
  if (near === null) return 0;
  const km = distance_m(near.lat, near.lon, at.lat, at.lon) / 1_000;
  return WEIGHT * Math.max(0, 1 - Math.log1p(km) / Math.log1p(FARTHEST_KM));
}
