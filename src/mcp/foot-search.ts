/**
 * Ways on foot that a tool looks for itself: to what a stored search holds, and to the ends of a plan.
 * Searches around a point find their own.
 */
import { LIMITS } from "#api/limits.ts";
import type { NoWalkReason, WalkBody } from "#api/walk.ts";
import { findWalks, type OnFoot, selectOnFoot, type WalkWish } from "#app/walk/walking.ts";
import { distance_m, type Location } from "#kit/geo.ts";
import { type FootArguments, type Looked, sayWalking } from "./on-foot.ts";
import type { ToolDeps } from "./tool.ts";

type Deps = Pick<ToolDeps, "walks" | "pause">;
type Ways = readonly (WalkBody | NoWalkReason)[];

export type WalkedList<I> = {
  rows: OnFoot<I>[];
  /** Whether ways are known at the point. */
  known: boolean;
  walking: string;
};

/** What is in a small circle and farther than this on foot is across a river. */
const LONGEST_S = LIMITS.walk.minutes_max * 60;

/**
 * Items in the order of their ways on foot, those without one last, and without those that are known
 * to be farther than asked for. `items`: the nearest in a straight line first.
 */
export async function listOnFoot<I extends { location: Location | undefined }>(
  deps: Deps,
  start: Location,
  items: readonly I[],
  { profile, within_minutes }: FootArguments,
): Promise<WalkedList<I>> {
  const within_s = within_minutes === undefined ? null : within_minutes * 60;
  const wish = { profile, speed: LIMITS.walk.speed_default, sorts: true };
  const locations = items.map(({ location }) => location);
  const bounded = { ...wish, within_s: within_s ?? LONGEST_S };
  const { ways, walking } = await walkToAll(deps, start, locations, bounded);
  const rows = selectOnFoot(items, ways, { ...wish, within_s });
  const unknown = rows.filter(({ walk }) => walk === null).length;
  const left_out = items.length - rows.length;
  const counts = { within_minutes, unknown, left_out };
  const known = walking.reason === undefined;
  return { rows, known, walking: sayWalking(walking, counts) };
}

/** Targets of one turn: each is put on its street, which is most of the work. */
const TARGETS_OF_A_TURN = 100;

/**
 * Ways to points, in turns. Of those that have no location, and of those after the bound of
 * candidates, nothing is known.
 */
export async function walkToAll(
  { walks, pause }: Deps,
  start: Location,
  locations: readonly (Location | undefined)[],
  wish: WalkWish,
): Promise<{ ways: Ways; walking: Looked }> {
  const { walking } = findWalks(walks, start, [], wish);
  const ways: (WalkBody | NoWalkReason)[] = locations.map(
    () => walking.reason ?? "target_off_network",
  );
  if (walking.reason !== undefined) return { ways, walking };
  const looked: { at: number; location: Location }[] = [];
  for (const [at, location] of locations.slice(0, LIMITS.walk.candidates_max).entries()) {
    if (!location) continue;
    // A way is never shorter than the straight line.
    if (isWithin(start, location, walking.within_meters)) looked.push({ at, location });
    else ways[at] = "not_reached";
  }
  let last = walking;
  for (let n = 0; n < looked.length && last.reason === undefined; n += TARGETS_OF_A_TURN) {
    if (n > 0) await pause?.();
    const turn = looked.slice(n, n + TARGETS_OF_A_TURN);
    const targets = turn.map(({ location }) => location);
    const found = findWalks(walks, start, targets, wish);
    for (const [i, { at }] of turn.entries()) ways[at] = found.ways[i]!;
    last = found.walking;
  }
  if (last.reason !== undefined) ways.fill(last.reason);
  const doubtful = ways.filter((way) => typeof way !== "string" && way.step_free === null);
  return { ways, walking: { ...last, step_free_unknown: doubtful.length } };
}

/** A metre more: lengths of streets are rounded piece by piece. */
function isWithin(start: Location, end: Location, most_m: number): boolean {
  return distance_m(start.lat, start.lon, end.lat, end.lon) <= most_m + 1;
}
