/** What the zones of a network state about ending a ride at a point. */
import type { NearbyBodyValue } from "#api/nearby.ts";
import { isAmong } from "#stations/shard/vehicle-type.ts";
import type { PlanVehicleType } from "./ends.ts";

type Zones = NonNullable<NearbyBodyValue["results"]["zones"]>;
type Rule = Zones[number]["rules"][number];

/**
 * What is stated for a ride that ends at the point. None of them is a permission to park: what a
 * rule does not state, and what the law says, is unknown.
 */
export type LeaveRule = "unknown" | "ends_permitted" | "stations_only" | "forbidden";

/**
 * Returns the rule for one kind of vehicle; `unknown` where the network states none, or several
 * that differ.
 */
export function leaveRuleOf(
  zones: Zones,
  network_ids: readonly string[],
  type: PlanVehicleType | null,
): LeaveRule {
  const rules = zones
    .filter(({ network }) => network_ids.includes(network.id))
    .flatMap((each) => each.rules);
  const stated = rules.map((rule) => toStated(rule, type));
  const matches = new Set(stated.filter((each) => each !== null));
  const [only = "unknown", ...others] = matches;
  return others.length > 0 ? "unknown" : only;
}

/** Null: it is of other kinds of vehicle. */
function toStated(rule: Rule, type: PlanVehicleType | null): LeaveRule | null {
  const { vehicle_types, ride_end_allowed, station_parking } = rule;
  const among = vehicle_types === undefined ? true : isAmong(vehicle_types, type);
  if (among === null) return "unknown";
  if (!among) return null;
  if (station_parking === true) return "stations_only";
  if (ride_end_allowed === undefined) return "unknown";
  return ride_end_allowed ? "ends_permitted" : "forbidden";
}
