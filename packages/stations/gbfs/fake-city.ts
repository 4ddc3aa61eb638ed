/** One station that represents a whole city, docks without end (mobility.md 1.12 #5; Lime). */
import type { StationStatus } from "../entities.ts";

/** Docks or capacity from here on mean "anywhere". */
export const ABSURD_DOCKS = 99_999;
/** More vehicles than any real station holds, when it is the only one of its system. */
const CITY_VEHICLES = 2_000;

export function isFakeCity(status: StationStatus, siblings: number): boolean {
  return siblings === 1 && (status.vehicles ?? 0) > CITY_VEHICLES;
}

/**
 * Marks such a status. It also counts as not installed (no such station is on the street), so that
 * it disappears even where the station was read before its status.
 */
export function asPlaceholder(status: StationStatus): StationStatus {
  return { ...status, is_installed: false, placeholder: true };
}
