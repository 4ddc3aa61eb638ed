/** Modes of MOTIS as the contract's (mobility.md 4.3). */
import type { TransitMode } from "#transit/schedule/station.ts";

/** METRO is the older word for SUBURBAN; what is not here is `other`. */
const MODES: Readonly<Record<string, TransitMode>> = {
  TRAM: "tram",
  SUBWAY: "metro",
  SUBURBAN: "rapid_transit",
  METRO: "rapid_transit",
  BUS: "bus",
  COACH: "coach",
  FERRY: "ferry",
  HIGHSPEED_RAIL: "rail",
  LONG_DISTANCE: "rail",
  NIGHT_RAIL: "rail",
  REGIONAL_RAIL: "rail",
  REGIONAL_FAST_RAIL: "rail",
  FUNICULAR: "cable_transport",
  AERIAL_LIFT: "cable_transport",
  CABLE_CAR: "cable_transport",
  ODM: "demand_responsive",
  FLEX: "demand_responsive",
  RIDE_SHARING: "carpool",
};

export function modeOf(mode: string): TransitMode {
  return Object.hasOwn(MODES, mode) ? MODES[mode]! : "other";
}

/** "de-DELFI_de:11000:900100003": the tag of the feed ends at the first underscore. */
export function motisFeed(id: string): string | null {
  const end = id.indexOf("_");
  return end > 0 ? id.slice(0, end) : null;
}
