/** The `prices` family of `include`: plans of the systems around, with what a ride costs by each. */
import { LIMITS } from "#api/limits.ts";
import type { SystemPricesValue } from "#api/prices.ts";
import { costOf } from "#core/ride-cost.ts";
import type { Mode, VehicleType } from "#stations/entities.ts";
import { toPublicType } from "#stations/shard/vehicle-type.ts";
import type { StaticsMeta } from "#stations/shard/shard-statics.ts";
import type { SystemEntry } from "#world/system-entry.ts";

/** The prices of the systems that state any for these modes, in the order of the systems. */
export function listPrices(
  systems: readonly SystemEntry[],
  { modes, ride_minutes }: { modes: readonly Mode[]; ride_minutes: number },
): SystemPricesValue[] {
  return systems.flatMap(({ shard }) =>
    shard ? pricesOf(shard.statics.meta, { modes, ride_minutes }) : [],
  );
}

function pricesOf(
  { network, plans = [], types }: StaticsMeta,
  { modes, ride_minutes }: { modes: readonly Mode[]; ride_minutes: number },
): SystemPricesValue[] {
  const of_modes = types.filter(({ mode }) => modes.includes(mode));
  if (plans.length === 0 || (types.length > 0 && of_modes.length === 0)) return [];
  const known = new Set(plans.map(({ plan_id }) => plan_id));
  return [
    {
      network,
      plans: plans.map((plan) => ({
        ...plan,
        ride: costOf(plan, { minutes: ride_minutes, km: null }),
      })),
      vehicle_types: of_modes.flatMap((type) => toPlanType(type, known)),
    },
  ];
}

/** A plan that the file does not have is unknown, and is not named. */
function toPlanType(
  type: VehicleType,
  known: ReadonlySet<string | undefined>,
): SystemPricesValue["vehicle_types"] {
  const named = [type.pricing_plan_id, ...(type.pricing_plan_ids ?? [])];
  const plan_ids = [...new Set(named)].filter((id) => id != null && known.has(id)) as string[];
  if (plan_ids.length === 0) return [];
  return [
    {
      mode: type.mode,
      ...toPublicType(type),
      plan_ids: plan_ids.slice(0, LIMITS.prices.type_plans_max),
    },
  ];
}
