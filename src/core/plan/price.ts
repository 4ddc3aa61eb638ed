/** The pricing plan of what is taken, and what its ride costs. */
import type { PriceValue, RideCostValue, SystemPricesValue } from "#api/prices.ts";
import { costOf } from "#core/ride-cost.ts";
import { ESTIMATE, rideMinutes } from "./estimate.ts";
import type { Taking } from "./ends.ts";

/** What a ride costs, and the plan it is by. */
export type PlannedCost = { cost: RideCostValue; plan: PriceValue };

/** Returns the plan of what is taken; null: it is not known, or vehicles of the mode have several. */
export function findPlan(
  prices: readonly SystemPricesValue[],
  { kind, plan_id, network_ids, mode }: Pick<Taking, "kind" | "plan_id" | "network_ids" | "mode">,
): SystemPricesValue["plans"][number] | null {
  const own = prices.find(({ network }) => network_ids.includes(network.id));
  if (!own) return null;
  const defaults = new Set(
    own.vehicle_types.filter((type) => type.mode === mode).map(({ plan_ids }) => plan_ids[0]),
  );
  const [only = null] = defaults.size === 1 ? defaults : [];
  const id = kind === "vehicle" ? plan_id : only;
  return (id !== null && own.plans.find((plan) => plan.plan_id === id)) || null;
}

/** Returns the cost of a ride over a straight line; null: not known. Time and way are estimates. */
export function costOfRide(
  prices: readonly SystemPricesValue[],
  taking: Taking,
  ride_m: number,
): PlannedCost | null {
  const plan = findPlan(prices, taking);
  const minutes = rideMinutes(ride_m, taking.mode);
  if (!plan || minutes === null) return null;
  const cost = costOf(plan, { minutes, km: (ride_m * ESTIMATE.detour) / METRES_PER_KM });
  return cost && { cost: { ...cost, is_exact: false }, plan };
}

const METRES_PER_KM = 1_000;
