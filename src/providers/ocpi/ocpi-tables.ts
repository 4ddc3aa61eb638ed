/** Words of OCPI and what they mean here (places.md 7.2). */
import type { ConnectorType, ElectricCurrent, UnitState } from "#core/places/charging-facts.ts";

/** The last three are in no version of the protocol and in some of the data. */
export const STANDARDS: ReadonlyMap<string, ConnectorType> = new Map([
  ["IEC_62196_T1", "J1772"],
  ["IEC_62196_T1_COMBO", "CCS1"],
  ["IEC_62196_T2", "Type 2"],
  ["IEC_62196_T2_COMBO", "CCS2"],
  ["CHADEMO", "CHAdeMO"],
  ["GBT_AC", "GB/T"],
  ["GBT_DC", "GB/T"],
  ["TESLA_R", "Tesla"],
  ["TESLA_S", "Tesla"],
  ["SAE_J3400", "NACS"],
  ["TYPE 2 OUTLET", "Type 2"],
  ["GB/T (AC)", "GB/T"],
  ["GB/T (DC)", "GB/T"],
]);

/** UNKNOWN, and whatever is not in the protocol, is no state. */
export const STATES: ReadonlyMap<string, UnitState> = new Map([
  ["AVAILABLE", "available"],
  ["CHARGING", "occupied"],
  ["RESERVED", "occupied"],
  ["BLOCKED", "occupied"],
  ["INOPERATIVE", "out_of_service"],
  ["OUTOFORDER", "out_of_service"],
]);

/** Statuses of what is not there yet, or no more. */
export const GONE_STATUSES: ReadonlySet<string> = new Set(["PLANNED", "REMOVED"]);

export const CURRENTS: ReadonlyMap<string, ElectricCurrent> = new Map([
  ["AC_1_PHASE", "ac_1"],
  ["AC_3_PHASE", "ac_3"],
  ["DC", "dc"],
]);
