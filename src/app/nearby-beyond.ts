/** What lies nearest outside a circle without stations and vehicles, as answers state it. */
import type { NearbyMatch } from "#app/answer-types.ts";
import { bearing_deg } from "#kit/geo.ts";
import { findBeyond } from "#world/beyond.ts";
import type { HitConditions } from "#world/collect-hits.ts";
import { itemId, itemPoint } from "#world/found.ts";
import { isVehicle } from "#world/nearby-hits.ts";
import type { Circle } from "#world/system-entry.ts";
import type { World } from "#world/world.ts";

/** null: nothing is known. */
export function lookBeyond(
  world: Pick<World, "covering" | "search">,
  { circle, ...conditions }: HitConditions & { circle: Circle },
): Exclude<NearbyMatch["beyond"], undefined> {
  const item = findBeyond(world, circle, { ...conditions, tallied: false });
  if (item === null) return null;
  const point = itemPoint(item);
  return {
    kind: isVehicle(item.state) ? "vehicle" : "station",
    id: itemId(item),
    distance_meters: item.decimetres / 10,
    bearing: bearing_deg(circle, point),
    ...point,
  };
}
