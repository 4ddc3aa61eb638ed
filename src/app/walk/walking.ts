/**
 * Ways on foot to the results of a search: what the caller wishes, the ways, and the results in their
 * order. A result without a way has none: never its beeline.
 */
import { LIMITS } from "#api/limits.ts";
import type { NoWalkReason, WalkBody, WalkingBody, WalkParameters } from "#api/walk.ts";
import { type Notice, ofNoWalks } from "#core/notices.ts";
import type { Location } from "#kit/geo.ts";
import type { Walks } from "#ports/walks.ts";

/** What a caller wishes of ways on foot. */
export type WalkWish = Pick<WalkParameters, "profile" | "speed"> & {
  /** Seconds of the longest way; null: any. */
  within_s: number | null;
  sorts: boolean;
};

/** null: no ways are asked for. */
export function readWalkWish(question: WalkParameters): WalkWish | null {
  const { walk, sort, within_minutes, profile, speed } = question;
  const sorts = sort === "walk";
  const isImplied =
    sorts ||
    within_minutes !== undefined ||
    profile !== "foot" ||
    speed !== LIMITS.walk.speed_default;
  if (!walk && !isImplied) return null;
  return {
    profile,
    speed,
    within_s: within_minutes === undefined ? null : within_minutes * 60,
    sorts,
  };
}

/** Whether a search must look at more than its page. */
export function needsAll(wish: WalkWish | null): boolean {
  return wish !== null && (wish.sorts || wish.within_s !== null);
}

/** Ways from a point, in the order of their targets. */
export type Walked = {
  ways: readonly (WalkBody | NoWalkReason)[];
  walking: WalkingBody;
  /** Why no result has a way; null: they were looked for. */
  notice: Notice | null;
};

export function findWalks(
  walks: Walks,
  start: Location,
  targets: readonly Location[],
  wish: WalkWish,
): Walked {
  const { profile, speed, within_s } = wish;
  const most_m = Math.min(LIMITS.walk.meters_max, (within_s ?? Infinity) * speed);
  const base = walks.at(start);
  const ways =
    typeof base === "string"
      ? targets.map(() => base)
      : base.walker
          .walkTo(start, targets, { most_m, profile })
          .map((way) => (typeof way === "string" ? way : toWalkBody(way, speed)));
  const reached = ways.filter((way) => typeof way !== "string");
  const not_reached = ways.filter((way) => way === "not_reached").length;
  const reason =
    typeof base === "string"
      ? base
      : ways.find((way): way is "start_off_network" => way === "start_off_network");
  const walking: WalkingBody = {
    profile,
    speed_meters_per_second: speed,
    within_meters: Math.floor(typeof base === "string" ? most_m : base.walker.looked_m),
    reached: reached.length,
    not_reached,
    unknown: ways.length - reached.length - not_reached,
    step_free_unknown: reached.filter(({ step_free }) => step_free === null).length,
    ...(reason === undefined ? {} : { reason }),
    base: typeof base === "string" ? null : base.statement,
  };
  return { ways, walking, notice: reason === undefined ? null : ofNoWalks(reason) };
}

/** Metres half up, as every distance that is stated; seconds up, so that nobody comes too late. */
export function toWalkBody(
  { meters, step_free }: { meters: number; step_free: boolean | null },
  speed: number,
): WalkBody {
  return { meters: Math.floor(meters + 0.5), seconds: Math.ceil(meters / speed), step_free };
}

export type OnFoot<I> = { item: I; walk: WalkBody | null };

/**
 * The items that the wish keeps, each with its way: what is known not to be reached in time is left
 * out, what is unknown stays. Sorted by time on foot, unknown ones last, else in their order.
 */
export function selectOnFoot<I>(
  items: readonly I[],
  ways: Walked["ways"],
  { within_s, sorts }: WalkWish,
): OnFoot<I>[] {
  const rows = items.map((item, i) => ({ item, way: ways[i]! }));
  const kept = rows.filter(({ way }) => within_s === null || isWithin(way, within_s));
  if (sorts) kept.sort((a, b) => secondsOf(a.way) - secondsOf(b.way) || 0);
  return kept.map(({ item, way }) => ({ item, walk: typeof way === "string" ? null : way }));
}

function isWithin(way: WalkBody | NoWalkReason, within_s: number): boolean {
  if (typeof way === "string") return way !== "not_reached";
  return way.seconds <= within_s;
}

/** A finite number for those without a way, so that two of them compare as equal. */
function secondsOf(way: WalkBody | NoWalkReason): number {
  return typeof way === "string" ? Number.MAX_SAFE_INTEGER : way.seconds;
}
