/** The walks of a plan: along streets where these are known, else estimated from a straight line. */
import type { NoWalkReason, WalkBody } from "#api/walk.ts";
import { walkMinutes } from "./estimate.ts";

/** One walk. `straight_m`: metres of the straight line. */
export type PlanWalk = { straight_m: number } & (
  | { by: "streets"; minutes: number; way: WalkBody }
  | { by: "straight_line"; minutes: number }
  /** Not known, and so neither is what it is a part of. */
  | { by: null; minutes: null; reason: NoWalkReason }
);

/**
 * Makes a walk of what is known of its way. `estimates`: whether a straight line may be in its place,
 * as where the streets of neither end are known.
 */
export function toPlanWalk(
  straight_m: number,
  way: WalkBody | NoWalkReason,
  { estimates }: { estimates: boolean },
): PlanWalk {
  const rounded_m = Math.round(straight_m);
  if (typeof way !== "string")
    return { straight_m: rounded_m, by: "streets", minutes: toTenthsUp(way.seconds), way };
  return estimates
    ? { straight_m: rounded_m, by: "straight_line", minutes: walkMinutes(rounded_m) }
    : { straight_m: rounded_m, by: null, minutes: null, reason: way };
}

/** Seconds on foot along streets, by which equally quick plans differ; 0: no streets are known. */
export function secondsOf(walk: PlanWalk | null): number {
  return walk?.by === "streets" ? walk.way.seconds : 0;
}

function toTenthsUp(seconds: number): number {
  return Math.ceil((seconds * 10) / SECONDS_PER_MINUTE) / 10;
}

const SECONDS_PER_MINUTE = 60;
