/** Vehicles of a station by kind: form factor and propulsion, in the words of the API. */
import type { StationStatus, VehicleType } from "../entities.ts";
import { type Kind, toKind } from "./vehicle-type.ts";

export type KindCount = Kind & { count: number };

/**
 * Returns a function that counts by kind, kinds without a vehicle included, where the source counts by
 * type, or has one kind alone. Counts that do not add up to the vehicles say nothing: null (violation 7).
 */
export function createKindCounter(
  types: readonly VehicleType[],
): (status: Pick<StationStatus, "by_type" | "vehicles">) => KindCount[] | null {
  const kinds = new Map(types.map((type) => [type.id, toKind(type)]));
  const keys = new Set([...kinds.values()].map(keyOf));
  const [only] = keys.size === 1 ? kinds.values() : [];
  return ({ by_type, vehicles }) => {
    if (vehicles === null) return null;
    if (by_type.length === 0)
      return only && keyOf(only) !== UNSTATED ? [{ ...only, count: vehicles }] : null;
    const counts = new Map<string, KindCount>();
    let sum = 0;
    for (const { type_id, count } of by_type) {
      const kind = kinds.get(type_id) ?? {};
      const key = keyOf(kind);
      counts.set(key, { ...kind, count: (counts.get(key)?.count ?? 0) + count });
      sum += count;
    }
    return sum === vehicles ? [...counts.values()] : null;
  };
}

function keyOf({ form_factor, propulsion }: Kind): string {
  return `${form_factor ?? ""} ${propulsion ?? ""}`;
}

const UNSTATED = keyOf({});
