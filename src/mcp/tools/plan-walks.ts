/** The walks of plan_nearby: along the streets of each end, and what is said where they are not known. */
import { LIMITS } from "#api/limits.ts";
import type { NoWalkReason, WalkBody } from "#api/walk.ts";
import { walkInTurns } from "#app/walk/walk-in-turns.ts";
import type { Walked, WalkWish } from "#app/walk/walking.ts";
import { ofNoWalks, toSentence } from "#core/notices.ts";
import type { Leaving, Taking } from "#core/plan/ends.ts";
import { type PlanWalk, toPlanWalk } from "#core/plan/foot.ts";
import { distance_m, type Location } from "#kit/geo.ts";
import { sayWalking } from "../on-foot.ts";
import type { AnswerOf, ToolDeps } from "../tool.ts";

export type PlanWalks = {
  /** All the way. */
  whole: PlanWalk;
  to: ReadonlyMap<Taking, PlanWalk>;
  from: ReadonlyMap<Leaving, PlanWalk>;
  /** One sentence about all of them. */
  walking: string;
};

type Ends = {
  from: Location;
  to: Location;
  takings: readonly Taking[];
  leavings: readonly Leaving[];
  profile: WalkWish["profile"];
};

/**
 * Finds them. Where the streets of neither end are known, straight lines are in their place, as
 * estimates; of steps these say nothing, so that `step_free` has none.
 */
export async function findPlanWalks(
  { walks }: Pick<ToolDeps, "walks">,
  ends: Ends,
): Promise<PlanWalks> {
  const { from, to, takings, leavings, profile } = ends;
  const wish = { profile, speed: LIMITS.walk.speed_default, within_s: null, sorts: false };
  const start = await walkInTurns(walks, from, takings.map(locationOf), wish);
  // A way is walked in both directions.
  const end = await walkInTurns(walks, to, leavings.map(locationOf), wish);
  const whole = await walkInTurns(walks, from, [to], wish);
  const estimates = profile === "foot" && isUnmapped(start) && isUnmapped(end);
  const how = { estimates };
  const straight_m = distance_m(from.lat, from.lon, to.lat, to.lon);
  return {
    whole: toPlanWalk(straight_m, whole.ways[0]!, how),
    to: zip(takings, start.ways, how),
    from: zip(leavings, end.ways, how),
    walking: sayPlanWalks(start, end, estimates),
  };
}

function locationOf({ location }: Taking | Leaving): Location {
  return location;
}

function zip<E extends Taking | Leaving>(
  ends: readonly E[],
  ways: readonly (WalkBody | NoWalkReason)[],
  how: { estimates: boolean },
): Map<E, PlanWalk> {
  return new Map(ends.map((end, i) => [end, toPlanWalk(end.distance_m, ways[i]!, how)]));
}

/** No streets are known there, whatever is near. */
function isUnmapped({ walking: { base } }: Walked): boolean {
  return base === null;
}

function sayPlanWalks(start: Walked, end: Walked, estimates: boolean): string {
  if (estimates && start.notice)
    return toSentence(
      `${start.notice.message}; walks are estimated from straight lines, by \`estimate\``,
    );
  const ends = Object.entries({ from: start, to: end });
  const known = ends.find(([, { notice }]) => notice === null);
  const how = known ? [sayWalking(known[1].walking, null)] : [];
  const missing = ends.flatMap(([name, { notice }]) =>
    notice === null ? [] : [toSentence(`around \`${name}\` ${notice.message}`)],
  );
  const ending = missing.length === 0 ? [] : ["Minutes with such a walk are null."];
  return [...how, ...missing, ...ending].join(" ");
}

type Leg = AnswerOf<"plan_nearby">["walk"];

/** Members of a walk in an answer. */
export function toWalkMembers(walk: PlanWalk): Leg {
  const { straight_m: distance_meters, minutes } = walk;
  switch (walk.by) {
    case "streets": {
      const { meters: walk_meters, seconds, step_free } = walk.way;
      return { distance_meters, by: walk.by, walk_meters, seconds, step_free, minutes };
    }
    case "straight_line":
      return { distance_meters, by: walk.by, minutes };
    case null:
      return { distance_meters, minutes, reason: walk.reason };
  }
}

/** Why a leg on foot has no minutes. */
export function sayNoWay(reason: NoWalkReason): string {
  switch (reason) {
    case "outside_bases":
    case "base_without_walking":
    case "base_unreadable":
    case "start_off_network":
      return ofNoWalks(reason).message;
    case "target_off_network":
      return "no street is within 100 metres of it";
    case "not_looked":
      return "ways were not looked for that far";
    case "not_reached":
      return "no way on foot without a long detour is known";
  }
}
