/** Limit on the stations of one system at one place. */
import type { Statics } from "../shard/shard-statics.ts";
import { METRES_PER_DEGREE } from "#kit/geo.ts";
import { indexPlaces, visitNear } from "./neighbours.ts";

/** Real systems have up to 12. */
const MAX_AT_ONE_PLACE = 64;
const PLACE_M = 1;

/**
 * Reports whether more stations are within one metre of one of them than any system has. Ends at
 * the first such place, so that no station is compared with many more than that.
 */
export function isDense({ index: { lat, lon }, count }: Pick<Statics, "index" | "count">): boolean {
  const rows = Array.from({ length: count }, (_, row) => row);
  const places = indexPlaces({ lat, lon }, rows, PLACE_M);
  return rows.some((row) => {
    const at = { lat: lat[row]!, lon: lon[row]! };
    const cos = Math.cos((at.lat * Math.PI) / 180);
    let near = 0;
    visitNear(places, at, (other) => {
      let east = Math.abs(lon[other]! - at.lon);
      if (east > 180) east = 360 - east;
      const distance_m = Math.hypot(lat[other]! - at.lat, east * cos) * METRES_PER_DEGREE;
      if (other !== row && distance_m <= PLACE_M) near++;
      return near <= MAX_AT_ONE_PLACE;
    });
    return near > MAX_AT_ONE_PLACE;
  });
}
