/** Numbers of Open Charge Map's reference lists and what they mean here (places.md 7.1). */
import type { ConnectorType, ElectricCurrent, UnitState } from "#core/places/charging-facts.ts";

/** Tesla's plug of North America (27) is the NACS now; 30 is its direct current on Type 2 in Europe. */
export const CONNECTION_TYPES: ReadonlyMap<number, ConnectorType> = new Map([
  [1, "J1772"],
  [25, "Type 2"],
  [1036, "Type 2"],
  [2, "CHAdeMO"],
  [32, "CCS1"],
  [33, "CCS2"],
  [27, "NACS"],
  [8, "Tesla"],
  [30, "Tesla"],
  [1038, "GB/T"],
  [1039, "GB/T"],
  [1040, "GB/T"],
]);

/** 0, 50 and 75 ("operational") say nothing of whether one can charge now: they are not here. */
export const LIVE_STATES: ReadonlyMap<number, UnitState> = new Map([
  [10, "available"],
  [20, "occupied"],
  [30, "out_of_service"],
  [100, "out_of_service"],
]);
/** Kinds whose time of the last report means something: they are written by machines. */
export const AUTOMATED: ReadonlySet<number> = new Set([10, 20]);

/** States of a whole site in which none of its connections can be used for a time. */
export const CLOSED_SITES: ReadonlySet<number> = new Set([30]);
/** States of a whole site that is of no use to anybody, and why. */
export const DEAD_SITES: ReadonlyMap<number, string> = new Map([[100, "not_operational"]]);

/** A point or a connection that is not there, and why. */
export const GONE_STATUSES: ReadonlyMap<number, string> = new Map([
  [150, "planned"],
  [200, "removed"],
  [210, "duplicate"],
]);

export const CURRENTS: ReadonlyMap<number, ElectricCurrent> = new Map([
  [10, "ac_1"],
  [20, "ac_3"],
  [30, "dc"],
]);
