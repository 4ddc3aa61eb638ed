/** What holds of every list of things around a point: each once, where it says, inside, in order. */
import { greatCircle, orderProblem, type Point } from "./geo.ts";

export type Listed = Parameters<typeof orderProblem>[0][number] & { location: Point };

/** Distances are whole metres, rounded half up; of /v1/nearby tenths (GeoJSON: places to a centimetre). */
export const WHOLE_M = 0.5 + 1e-6;
export const TENTH_M = 0.08;

export function findListProblem(
  { lat, lon, radius }: Point & { radius: number },
  items: readonly Listed[],
  tolerance_m: number,
): string | null {
  const ids = new Set<string>();
  for (const { id, distance, location } of items) {
    if (ids.has(id)) return `${id} occurs twice`;
    ids.add(id);
    const own = greatCircle({ lat, lon }, location);
    if (Math.abs(own - distance) > tolerance_m)
      return `${id}: says ${distance} m, is ${own} m away`;
    const isOutside = tolerance_m === TENTH_M ? distance > radius + 0.05 : own > radius + 1e-6;
    if (isOutside) return `${id}: ${own} m is outside ${radius} m`;
  }
  return orderProblem(items);
}

/** By bytes, none twice. */
export function ascends(ids: readonly string[]): boolean {
  return ids.every(
    (id, at) => at === 0 || Buffer.compare(Buffer.from(ids[at - 1]!), Buffer.from(id)) < 0,
  );
}
