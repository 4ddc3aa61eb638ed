/** What lies nearest outside a circle without stations and vehicles, as answers state it. */
import type { NearbyMatch } from "#app/answer-types.ts";
import type { WalkWish } from "#app/walk/walking.ts";
import { bearing_deg } from "#kit/geo.ts";
import { findBeyond } from "#world/beyond.ts";
import type { HitConditions } from "#world/collect-hits.ts";
import { itemId, itemPoint } from "#world/found.ts";
import { isVehicle } from "#world/nearby-hits.ts";
import type { Circle } from "#world/system-entry.ts";
import type { World } from "#world/world.ts";

type Query = HitConditions & { circle: Circle };

/** `found`: stations and vehicles of the circle. No member where there are some, or none were asked for. */
export function lookBeyond(
  world: Pick<World, "covering" | "search">,
  { circle, ...conditions }: Query,
  { found, wish }: { found: number; wish: WalkWish | null },
): Pick<NearbyMatch, "beyond"> {
  // A time on foot leaves out what lies in the circle.
  if (found > 0 || wish?.within_s != null || conditions.only !== undefined) return {};
  if (!conditions.stations && !conditions.vehicles) return {};
  const item = findBeyond(world, circle, { ...conditions, tallied: false });
  if (item === null) return { beyond: null };
  const point = itemPoint(item);
  return {
    beyond: {
      kind: isVehicle(item.state) ? "vehicle" : "station",
      id: itemId(item),
      distance_meters: item.decimetres / 10,
      bearing: bearing_deg(circle, point),
      ...point,
    },
  };
}
