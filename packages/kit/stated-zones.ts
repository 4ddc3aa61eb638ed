/** Time zones as sources state them: one that there is goes first for its things (decisions, Clocks and holidays). */
import { isTimeZone } from "./time-zones.ts";
import type { TrailRecorder } from "./trail.ts";

/** More than there are; the names are a stranger's, and looking one up takes microseconds. */
export const MOST_ZONES = 600;

/**
 * Returns a reader of stated zones, which looks each up once; null: none is stated, or none that there
 * is, which the trail counts under `of`.
 */
export function createStatedZones(
  trail: TrailRecorder,
): (stated: string | null, of?: string) => string | null {
  const cache = new Map<string, string | null>();
  return (stated, of = stated ?? "") => {
    if (stated === null) return null;
    let zone = cache.get(stated);
    if (zone === undefined) {
      zone = cache.size < MOST_ZONES && isTimeZone(stated) ? stated : null;
      if (cache.size < MOST_ZONES) cache.set(stated, zone);
    }
    if (zone === null) trail.repair("unknown_time_zone", of);
    return zone;
  };
}
