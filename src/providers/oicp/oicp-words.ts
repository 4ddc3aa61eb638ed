/** Words of OICP and what they mean here (Hubject, OICP 2.3, EVSE data and status). */
import type { ConnectorType, UnitState } from "#core/places/charging-facts.ts";

/** `dc`: the connector takes direct current. Others are no connectors of a car that this service names. */
export const PLUGS: ReadonlyMap<string, { type: ConnectorType; dc: boolean }> = new Map([
  ["type 2 outlet", { type: "Type 2", dc: false }],
  ["type 2 connector (cable attached)", { type: "Type 2", dc: false }],
  ["type 1 connector (cable attached)", { type: "J1772", dc: false }],
  ["ccs combo 2 plug (cable attached)", { type: "CCS2", dc: true }],
  ["ccs combo 1 plug (cable attached)", { type: "CCS1", dc: true }],
  ["chademo", { type: "CHAdeMO", dc: true }],
  ["tesla connector", { type: "Tesla", dc: true }],
  ["nacs", { type: "NACS", dc: true }],
]);

/** Unknown and EvseNotFound are no state. */
export const STATES: ReadonlyMap<string, UnitState> = new Map([
  ["available", "available"],
  ["occupied", "occupied"],
  ["reserved", "occupied"],
  ["outofservice", "out_of_service"],
]);

export const ACCESS: ReadonlyMap<string, "yes" | "customers" | "restricted"> = new Map([
  ["free publicly accessible", "yes"],
  ["paying publicly accessible", "yes"],
  ["restricted access", "restricted"],
  ["test station", "restricted"],
]);
