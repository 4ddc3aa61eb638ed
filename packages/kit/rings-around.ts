/** Points on rings around a point: where something near is looked for that is known point by point only. */
import type { Location } from "./geo.ts";
import { METRES_PER_DEGREE, wrapLon } from "./geo.ts";

const BEARINGS = 16;

/** The points of each ring in turn, from the north on; radii in kilometres. */
export function* ringsAround(
  { lat, lon }: Location,
  radii_km: readonly number[],
): Generator<Location> {
  for (const km of radii_km) {
    const up = (km * 1_000) / METRES_PER_DEGREE;
    const right = up / Math.max(0.01, Math.cos((lat * Math.PI) / 180));
    for (let i = 0; i < BEARINGS; i++) {
      const bearing = (i * 2 * Math.PI) / BEARINGS;
      yield {
        lat: Math.max(-90, Math.min(90, lat + up * Math.cos(bearing))),
        lon: wrapLon(lon + right * Math.sin(bearing)),
      };
    }
  }
}
