/** What lies nearest outside a circle without stations and vehicles, as answers state it. */
import type { NearbyMatch, NearbyQuestion } from "#app/answer-types.ts";
import type { WalkWish } from "#app/walk/walking.ts";
import { describeState } from "#core/nearby/action-state.ts";
import { bearing_deg } from "#kit/geo.ts";
import { modeMask } from "#stations/shard/bits.ts";
import { findBeyond } from "#world/beyond.ts";
import type { HitConditions } from "#world/collect-hits.ts";
import { toHitFilter } from "#world/filter.ts";
import { type FoundItem, itemId, itemPoint } from "#world/found.ts";
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
  return { beyond: toBeyond(circle, findBeyond(world, circle, { ...conditions, tallied: false })) };
}

type Beyond = Exclude<NearbyMatch["beyond"], undefined>;
type Question = Pick<NearbyQuestion, "lat" | "lon" | "modes" | "include"> &
  Parameters<typeof toHitFilter>[0];

/** What an intent asks of a thing: that it is possible now, or as far as is known. */
type Intended = { intent: string; strict: boolean; radius_m: number; now_ms: number };

/** The nearest outside of a circle of which nothing allows an intent; undefined: no things are asked for. */
export type FindIntended = (question: Question, intended: Intended) => Beyond | undefined;

export function createFindIntended(world: Pick<World, "covering" | "search">): FindIntended {
  return (question, { intent, strict, radius_m, now_ms }) => {
    const [stations, vehicles] = ["stations" as const, "vehicles" as const].map((family) =>
      question.include.includes(family),
    );
    if (!stations && !vehicles) return undefined;
    const { lat, lon } = question;
    const circle = { lat, lon, radius_m };
    const conditions = {
      ...{ modes: modeMask(question.modes), stations: stations!, vehicles: vehicles!, now_ms },
      filter: toHitFilter(question),
    };
    const fits = ({ state }: FoundItem): boolean => {
      const value = (describeState(state).action_state as Record<string, string>)[intent];
      return strict ? value === "available_now" : value !== "unavailable_now";
    };
    return toBeyond(circle, findBeyond(world, circle, conditions, fits));
  };
}

function toBeyond(circle: Circle, item: FoundItem | null): Beyond {
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
