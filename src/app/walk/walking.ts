/**
 * Ways on foot to the results of a search: what the caller wishes, the ways, and the results in their
 * order. A result without a way has none: never its beeline.
 */
import { LIMITS } from "#api/limits.ts";
import type { NoWalkReason, WalkBody, WalkingBody, WalkParameters } from "#api/walk.ts";
import { type Notice, ofNoWalks } from "#core/notices.ts";
import { distance_m, type Location } from "#kit/geo.ts";
import { toEnd } from "#kit/steps.ts";
import type { LostBase } from "#osm/base/other-version.ts";
import type { PinnedWalks, Walks } from "#ports/walks.ts";

/** What a caller wishes of ways on foot. */
export type WalkWish = Pick<WalkParameters, "profile" | "speed"> & {
  /** Seconds of the longest way; null: any. */
  within_s: number | null;
  sorts: boolean;
  /** Whether what has no known way is left out where a time on foot is asked for; absent: it stays. */
  strict?: boolean;
};

/** null: no ways are asked for. */
export function readWalkWish(question: WalkParameters & { strict?: boolean }): WalkWish | null {
  const { walk, sort, within_minutes, profile, speed, strict = false } = question;
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
    ...(strict && { strict }),
  };
}

/** Whether a search must look at more than its page. */
export function needsAll(wish: WalkWish | null): boolean {
  return wish !== null && (wish.sorts || wish.within_s !== null);
}

/** Metres that are walked in the wished time: what is further by beeline is not reached. Infinity: any time. */
export function metresWithin({ within_s, speed }: WalkWish): number {
  return within_s === null ? Number.POSITIVE_INFINITY : within_s * speed;
}

type Way = WalkBody | NoWalkReason;

/** Ways from a point, in the order of their targets. */
export type Walked = {
  ways: readonly Way[];
  walking: WalkingBody;
  /** Why no result has a way; null: they were looked for. */
  notice: Notice | null;
};

/** Pins the streets that ways to these results can take; undefined: there are none. */
export async function pinWalks(
  walks: Walks | undefined,
  start: Location,
  targets: readonly Location[],
  wish: WalkWish,
  signal?: AbortSignal,
): Promise<PinnedWalks | undefined> {
  const radius_m = boundOf(wish, beelinesOf(start, targets));
  return await walks?.pin({ ...start, radius_m }, signal);
}

/** Pins those that ways to whatever lies in a circle can take. */
export async function pinWalksIn(
  walks: Walks | undefined,
  circle: Location & { radius_m: number },
  wish: WalkWish,
  signal?: AbortSignal,
): Promise<PinnedWalks | undefined> {
  return await walks?.pin({ ...circle, radius_m: boundOf(wish, [circle.radius_m]) }, signal);
}

/** Ways to the few results of a page, at once. */
export function findWalks(
  walks: PinnedWalks | undefined,
  start: Location,
  targets: readonly Location[],
  wish: WalkWish,
): Walked {
  return toEnd(walkSteps(walks, start, targets, wish));
}

/**
 * The same in steps of a few results each. `looked`: how many of the targets, the first ones, are
 * results, and are counted; absent: all.
 */
export function* walkSteps(
  walks: PinnedWalks | undefined,
  start: Location,
  targets: readonly Location[],
  wish: WalkWish,
  looked = targets.length,
): Generator<void, Walked> {
  const { profile, speed, within_s } = wish;
  const beelines = beelinesOf(start, targets);
  const most_m = boundOf(wish, beelines);
  const near = targets.filter((_, i) => beelines[i]! <= most_m);
  const base = walks?.base ?? "outside_bases";
  const reply =
    typeof base === "string"
      ? { ways: near.map(() => base), looked_m: most_m }
      : yield* base.walker.walkSteps(start, near, { most_m, profile });
  const { looked_m } = reply;
  // A way that is longer than the search went, or leads out of the base, may be short enough.
  const isWhole = (): boolean =>
    looked_m >= most_m &&
    (typeof base === "string" || base.coversCircle?.({ ...start, radius_m: most_m }) !== false);
  // Next to streets that could not be read it is not known that there are none.
  const lostAt = (point: Location): LostBase | null =>
    (typeof base !== "string" && base.lostAt?.(point)) || null;
  const isOff = reply.ways.some((way) => way === "start_off_network");
  const unread = typeof base === "string" ? walks?.lost : isOff ? lostAt(start) : null;
  const lost = unread ?? null;
  const none = isOff ? (lost ? "base_unreadable" : "start_off_network") : undefined;
  const reason = typeof base === "string" ? base : none;
  const farther = within_s !== null && !isWhole() ? "not_looked" : "not_reached";
  let next = 0;
  const ways = beelines.map((beeline_m, i): Way => {
    if (beeline_m > most_m) return "not_reached";
    const way = reply.ways[next++]!;
    // Next to it one need not go by the streets, and how else is not known.
    if (way === "no_street_between") return "not_looked";
    if (way === "start_off_network") return reason ?? way;
    if (way === "target_off_network") return lostAt(targets[i]!) ? "base_unreadable" : way;
    if (typeof way === "string") return way === "not_reached" ? farther : way;
    const body = toWalkBody(way, speed);
    return within_s !== null && body.seconds > within_s ? "not_reached" : body;
  });
  const walking: WalkingBody = {
    profile,
    speed_meters_per_second: speed,
    within_meters: Math.floor(looked_m + 1e-6),
    ...countWays(ways.slice(0, looked)),
    ...(reason === undefined ? {} : { reason }),
    base: typeof base === "string" || reason === "base_unreadable" ? null : base.statement,
  };
  return { ways, walking, notice: reason === undefined ? null : ofNoWalks(reason, lost) };
}

/** A way is rarely longer than this many beelines (docs/lab/walking.md). */
const MOST_DETOUR = 3;
/** What is near may be a detour away. */
const DETOUR_M = 1_500;

function beelinesOf(start: Location, targets: readonly Location[]): number[] {
  return targets.map(({ lat, lon }) => distance_m(start.lat, start.lon, lat, lon));
}

/** How long ways may be: within a time all that is walked in it, else what so far targets may take. */
function boundOf(wish: WalkWish, beelines: readonly number[]): number {
  const { meters_max } = LIMITS.walk;
  if (wish.within_s !== null) return Math.min(meters_max, metresWithin(wish));
  const farthest_m = beelines.reduce((most, beeline_m) => Math.max(most, beeline_m), 0);
  return Math.min(meters_max, Math.max(DETOUR_M, MOST_DETOUR * farthest_m));
}

function countWays(
  ways: Walked["ways"],
): Pick<WalkingBody, "reached" | "not_reached" | "unknown" | "step_free_unknown"> {
  const reached = ways.filter((way) => typeof way !== "string");
  const not_reached = ways.filter((way) => way === "not_reached").length;
  return {
    reached: reached.length,
    not_reached,
    unknown: ways.length - reached.length - not_reached,
    step_free_unknown: reached.filter(({ step_free }) => step_free === null).length,
  };
}

/** Metres half up, as every distance that is stated; seconds up, so that who leaves by them is in time. */
export function toWalkBody(
  { meters, step_free }: { meters: number; step_free: boolean | null },
  speed: number,
): WalkBody {
  return { meters: Math.floor(meters + 0.5), seconds: Math.ceil(meters / speed), step_free };
}

/**
 * Ways that end before a station's platform: of no one is it certain that it has no step, since the
 * platform may be below stairs.
 */
export function withoutInside({ ways, walking, notice }: Walked): Walked {
  const ended = ways.map((way) =>
    typeof way === "string" ? way : { ...way, step_free: way.step_free === false ? false : null },
  );
  const step_free_unknown = countWays(ended).step_free_unknown;
  return { ways: ended, walking: { ...walking, step_free_unknown }, notice };
}

export type OnFoot<I> = { item: I; walk: WalkBody | null };

/**
 * The items that the wish keeps, each with its way: what is known not to be reached in time is left
 * out, what is unknown stays unless it is strict. Sorted by time on foot, unknown ones last, else in their order; items of
 * a lower rank go before all others.
 */
export function selectOnFoot<I>(
  items: readonly I[],
  ways: Walked["ways"],
  { within_s, sorts, strict = false }: WalkWish,
  rankOf: (item: I) => number = () => 0,
): OnFoot<I>[] {
  const rows = items.map((item, i) => ({ item, way: ways[i]! }));
  const isKept = (way: Way): boolean => way !== "not_reached" && !(strict && isUnknownWay(way));
  const kept = within_s === null ? rows : rows.filter(({ way }) => isKept(way));
  if (sorts)
    kept.sort((a, b) => rankOf(a.item) - rankOf(b.item) || secondsOf(a.way) - secondsOf(b.way));
  return kept.map(({ item, way }) => ({ item, walk: typeof way === "string" ? null : way }));
}

/** Whether it is not known if there is a way that is short enough. */
function isUnknownWay(way: Way): boolean {
  return typeof way === "string" && way !== "not_reached";
}

/** Counts what a strict wish leaves out of results with these ways. */
export function countLeftOut(ways: Walked["ways"], { within_s, strict }: WalkWish): number {
  return strict && within_s !== null ? ways.filter(isUnknownWay).length : 0;
}

/** A finite number for those without a way, so that two of them compare as equal. */
function secondsOf(way: Way): number {
  return typeof way === "string" ? Number.MAX_SAFE_INTEGER : way.seconds;
}
