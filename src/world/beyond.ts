/**
 * The nearest thing outside an empty circle, from memory: rings are searched until one has something, as
 * far as a bound of rows allows. Systems that are looked at are not woken, and nothing is fetched.
 */
import { aimAt } from "#kit/geo.ts";
import { countInBands } from "#stations/shard/band-index.ts";
import type { HitConditions } from "#world/collect-hits.ts";
import type { FoundItem } from "#world/found.ts";
import type { Circle, SystemEntry } from "#world/system-entry.ts";
import type { World } from "#world/world.ts";

/** How far one looks, metres, and how much wider each ring is than the one before. */
const BEYOND_M = 10_000;
const WIDER = 1.5;
/** Rows of all rings: 1 ms of processor time; a filter looks at each of them eight times as long. */
export const MOST_BEYOND_ROWS = 10_000;
const FILTERED_ROWS = 8;

/** Things that are judged by `fits`, of all rings. */
const MOST_JUDGED = 400;

/**
 * Finds the nearest that `fits` outside of a circle in which nothing does. null: nothing is known within
 * BEYOND_M, or more lies nearer than is looked at.
 */
export function findBeyond(
  world: Pick<World, "covering" | "search">,
  { lat, lon, radius_m: inner_m }: Circle,
  conditions: HitConditions,
  fits?: (item: FoundItem) => boolean,
): FoundItem | null {
  let rows = conditions.filter ? MOST_BEYOND_ROWS / FILTERED_ROWS : MOST_BEYOND_ROWS;
  const search = (radius_m: number, page: { from: number; to: number }) => {
    const circle = { lat, lon, radius_m };
    const systems: SystemEntry[] = [];
    world.covering(circle, systems);
    rows -= countRows(systems, circle, conditions);
    return rows < 0 ? null : world.search(systems, { ...conditions, circle, page });
  };
  // What lies in the circle comes first in every ring, and does not fit: without `fits` there is nothing.
  let from = fits ? (search(inner_m, { from: 0, to: 0 })?.count ?? 0) : 0;
  const to = from + MOST_JUDGED;
  for (let radius_m = inner_m; radius_m < BEYOND_M;) {
    radius_m = Math.min(radius_m * WIDER, BEYOND_M);
    const ring = search(radius_m, { from, to });
    const nearest = ring?.items.find((item) => fits?.(item) ?? true);
    if (nearest || ring === null || ring.count > to) return nearest ?? null;
    from = ring.count;
  }
  return null;
}

/** No fewer than the circle has. */
function countRows(
  systems: readonly SystemEntry[],
  circle: Circle,
  { stations, vehicles }: HitConditions,
): number {
  const aim = aimAt(circle, circle.radius_m);
  let rows = 0;
  for (const { shard } of systems) {
    if (shard && stations) rows += countInBands(shard.statics.index, aim);
    if (shard?.vehicles?.data && vehicles) rows += countInBands(shard.vehicles.data.index, aim);
  }
  return rows;
}
