/**
 * GTFS route_type, basic and extended, to the contract's modes (mobility.md 3.2; the full list of
 * extended types: `interline-io/transitland-lib:tt/routetypes.go`). Also what TRANSPORT_MODES needs of
 * order.
 */
import { TRANSPORT_MODES } from "#api/tokens.ts";
import { type TransitMode } from "./station.ts";

/** From, to (inclusive), mode. 5 is the cable tram, for which the contract has a mode of its own. */
const ROUTE_TYPES: readonly (readonly [from: number, to: number, mode: TransitMode])[] = [
  [0, 0, "tram"],
  [1, 1, "metro"],
  [2, 2, "rail"],
  [3, 3, "bus"],
  [4, 4, "ferry"],
  [5, 7, "cable_transport"],
  [11, 11, "bus"],
  [12, 12, "rapid_transit"],
  [100, 108, "rail"],
  [109, 109, "rapid_transit"],
  [110, 117, "rail"],
  [200, 209, "coach"],
  [300, 300, "rapid_transit"],
  [400, 402, "metro"],
  [403, 403, "rapid_transit"],
  [404, 404, "metro"],
  [405, 405, "rapid_transit"],
  [700, 714, "bus"],
  [715, 715, "demand_responsive"],
  [716, 716, "bus"],
  [717, 717, "taxi"],
  [800, 800, "bus"],
  [900, 906, "tram"],
  [907, 907, "cable_transport"],
  [1000, 1021, "ferry"],
  [1100, 1114, "other"],
  [1200, 1200, "ferry"],
  [1300, 1307, "cable_transport"],
  [1400, 1402, "cable_transport"],
  [1500, 1507, "taxi"],
  [1600, 1603, "car_share"],
  [1604, 1604, "bicycle"],
  [1700, 1700, "other"],
  [1701, 1701, "cable_transport"],
  [1702, 1702, "other"],
];

const BY_TYPE: ReadonlyMap<number, TransitMode> = new Map(
  ROUTE_TYPES.flatMap(([from, to, mode]) =>
    Array.from({ length: to - from + 1 }, (_, i): [number, TransitMode] => [from + i, mode]),
  ),
);

/** An unknown value of four digits is one of its hundred; any other unknown value is `other`. */
export function modeOfRouteType(route_type: number): TransitMode {
  const entry = BY_TYPE.get(route_type);
  if (entry !== undefined) return entry;
  const isExtended = route_type >= 1_000 && route_type <= 9_999;
  return (isExtended && BY_TYPE.get(Math.floor(route_type / 100) * 100)) || "other";
}

/** Each once, in the contract's order. */
export function orderModes(modes: Iterable<TransitMode>): TransitMode[] {
  const present = new Set(modes);
  return TRANSPORT_MODES.filter((mode) => present.has(mode));
}
