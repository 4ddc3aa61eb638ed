/**
 * State → what the item says about itself: entity_type (R3), service_status (R7), capabilities
 * (R8), action_state (R9), context_actions (R10). Pure and total: every integer gives an answer.
 */
import { CAPABILITIES, type INTENTS } from "#api/nearby-items.ts";
import type { Mode } from "#stations/entities.ts";
import { CLASS, COUNT, getField, modesOf, TRI } from "#stations/shard/bits.ts";

export type ActionValue = "available_now" | "unavailable_now" | "unknown";
export type ServiceState = "operational" | "degraded" | "unavailable" | "maintenance" | "unknown";
type DataClass = "realtime" | "semi_static" | "static";

export type Capability = (typeof CAPABILITIES)[number];
/** `navigate` is a capability, never an intent (R10). */
export type Intent = (typeof INTENTS)[number];

export type StateAction = { id: string; intent: Intent; mode: Mode };

export type ItemState = {
  entity_type: string | null;
  mode: Mode;
  data_class: DataClass;
  service_status: { state: ServiceState };
  capabilities: Record<Capability, boolean>;
  action_state: Record<Capability, ActionValue>;
  context_actions: StateAction[];
};

const DATA_CLASSES: readonly DataClass[] = ["static", "semi_static", "realtime"];
const VEHICLE_ENTITY: Record<Mode, string | null> = {
  bicycle: "bicycle_vehicle",
  scooter: "scooter_vehicle",
  moped: "motorscooter_vehicle",
  car: "car_vehicle",
  other: null,
};

export function describeState(state: number): ItemState {
  const isVehicle = getField(state, "vehicle") === 1;
  const capabilities = isVehicle ? vehicleCapabilities(state) : stationCapabilities(state);
  const action_state = actionStates(state, capabilities, isVehicle);
  const matched = modesOf(getField(state, "matched"));
  const mode = matched[0] ?? "other";
  return {
    entity_type: isVehicle ? VEHICLE_ENTITY[mode] : stationEntity(state),
    mode,
    data_class: DATA_CLASSES[getField(state, "data_class")] ?? "static",
    service_status: { state: isVehicle ? vehicleService(state) : stationService(state) },
    capabilities,
    action_state,
    context_actions: contextActions(matched, capabilities, action_state),
  };
}

/** R3. A pure drop-off zone is recognised first: it has no rentable type, so it is no bicycle station. */
function stationEntity(state: number): string | null {
  if (getField(state, "parking")) return "parking";
  return modesOf(getField(state, "modes")).includes("bicycle") ? "bicycle_station" : null;
}

/** R7, first hit. No status at all leaves the class `static` and the state unknown. */
function stationService(state: number): ServiceState {
  if (getField(state, "closed")) return "unavailable";
  if (getField(state, "unknown") || getField(state, "data_class") === CLASS.static)
    return "unknown";
  const installed = getField(state, "installed");
  const renting = getField(state, "renting");
  const returning = getField(state, "returning");
  if (installed === TRI.no) return "unavailable";
  if (renting === TRI.no && returning === TRI.no) return "unavailable";
  if (renting === TRI.no || returning === TRI.no) return "degraded";
  const allTrue = installed === TRI.yes && renting === TRI.yes && returning === TRI.yes;
  return allTrue ? "operational" : "unknown";
}

function vehicleService(state: number): ServiceState {
  if (getField(state, "closed")) return "unavailable";
  if (getField(state, "unknown")) return "unknown";
  const reserved = getField(state, "reserved");
  const disabled = getField(state, "disabled");
  if (disabled === TRI.yes) return "maintenance";
  if (reserved === TRI.yes) return "unavailable";
  return reserved === TRI.no && disabled === TRI.no ? "operational" : "unknown";
}

/** R8: what the thing is for, whatever the time. */
function stationCapabilities(state: number): Record<Capability, boolean> {
  return {
    pickup: !getField(state, "parking"),
    return: true,
    park: getField(state, "park") === 1,
    charge: getField(state, "charge") === 1,
    reserve: getField(state, "reserve") === 1,
    navigate: true,
  };
}

function vehicleCapabilities(state: number): Record<Capability, boolean> {
  const reserve = getField(state, "reserve") === 1;
  return { pickup: true, return: false, park: false, charge: false, reserve, navigate: true };
}

/** R9: a false capability is unavailable_now; the rest by kind of thing. */
function actionStates(
  state: number,
  capabilities: Record<Capability, boolean>,
  isVehicle: boolean,
): Record<Capability, ActionValue> {
  const pickup = isVehicle ? vehiclePickup(state) : stationPickup(state);
  const returning = isVehicle ? "unavailable_now" : stationReturn(state);
  const values: Record<Capability, ActionValue> = {
    pickup,
    return: returning,
    park: returning,
    charge: isVehicle ? "unavailable_now" : stationCharge(state),
    reserve: pickup,
    navigate: "available_now",
  };
  for (const key of CAPABILITIES) if (!capabilities[key]) values[key] = "unavailable_now";
  return values;
}

function stationPickup(state: number): ActionValue {
  if (getField(state, "closed")) return "unavailable_now";
  if (isUnknown(state)) return "unknown";
  const installed = getField(state, "installed");
  const renting = getField(state, "renting");
  const vehicles = getField(state, "vehicles");
  if (installed === TRI.no || renting === TRI.no || vehicles === COUNT.none)
    return "unavailable_now";
  const isKnown = installed === TRI.yes && renting === TRI.yes && vehicles === COUNT.some;
  return isKnown ? "available_now" : "unknown";
}

function stationReturn(state: number): ActionValue {
  if (getField(state, "closed")) return "unavailable_now";
  if (isUnknown(state)) return "unknown";
  const installed = getField(state, "installed");
  const returning = getField(state, "returning");
  const docks = getField(state, "docks");
  if (installed === TRI.no || returning === TRI.no || docks === COUNT.none)
    return "unavailable_now";
  const isKnown = installed === TRI.yes && returning === TRI.yes && docks === COUNT.some;
  return isKnown ? "available_now" : "unknown";
}

function stationCharge(state: number): ActionValue {
  if (getField(state, "closed")) return "unavailable_now";
  if (isUnknown(state)) return "unknown";
  const installed = getField(state, "installed");
  if (installed === TRI.no) return "unavailable_now";
  const usable = installed === TRI.yes && getField(state, "returning") === TRI.yes;
  return usable ? "available_now" : "unknown";
}

function vehiclePickup(state: number): ActionValue {
  if (getField(state, "closed")) return "unavailable_now";
  if (getField(state, "unknown")) return "unknown";
  const reserved = getField(state, "reserved");
  const disabled = getField(state, "disabled");
  if (reserved === TRI.yes || disabled === TRI.yes || getField(state, "expired"))
    return "unavailable_now";
  return reserved === TRI.no && disabled === TRI.no ? "available_now" : "unknown";
}

function isUnknown(state: number): boolean {
  return getField(state, "unknown") === 1 || getField(state, "data_class") === CLASS.static;
}

/** R10: explore always, then what can be done or might be; pickup once for each matching mode. */
function contextActions(
  matched: Mode[],
  capabilities: Record<Capability, boolean>,
  states: Record<Capability, ActionValue>,
): StateAction[] {
  const mode = matched[0] ?? "other";
  const actions = [action("explore", mode)];
  for (const intent of ["pickup", "return", "park", "charge", "reserve"] as const) {
    if (!capabilities[intent] || states[intent] === "unavailable_now") continue;
    const modes = intent === "pickup" ? matched : [mode];
    for (const each of modes) actions.push(action(intent, each));
  }
  return actions;
}

export function action(intent: Intent, mode: Mode): StateAction {
  return { id: `${intent}:${mode}`, intent, mode };
}
