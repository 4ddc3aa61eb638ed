/**
 * GET /v1/reach: what can be reached on foot within some minutes, of what is held: its steps are
 * numbered. No source is asked.
 */
import { LIMITS } from "#api/limits.ts";
import type { ReplyAt } from "#api/operations.ts";
import type { Decoded } from "#api/primitives.ts";
import { REACH_FAMILIES, type REACH_PARAMETERS, type ReachFamily } from "#api/reach.ts";
import type { WalkBody, WalkingBody } from "#api/walk.ts";
import { type Coverage, isPartial, judgeCoverage, judgeStatus } from "#core/coverage.ts";
import {
  type Notice,
  ofNoWalks,
  ofUnlookedFamily,
  ofUnlookedStreets,
  toEnded,
  toSentence,
} from "#core/notices.ts";
import type { Location } from "#kit/geo.ts";
import { type LostBase, toUnopenedSource } from "#osm/base/other-version.ts";
import { createTurn, runSteps } from "#kit/run/turn.ts";
import { REPLY_MARGIN_MS } from "#kit/time.ts";
import type { Clock } from "#ports.ts";
import type { PinnedWalks, Walks } from "#ports/walks.ts";
import { createDeadline } from "#upstream/deadline.ts";
import type { Search, SearchReply } from "../search-reply.ts";
import type { Candidate, Candidates, FindHeldFamilies, Gaps } from "./reach-candidates.ts";
import { findWalks, walkSteps, type WalkWish, withoutInside } from "./walking.ts";

export type ReachQuestion = Decoded<typeof REACH_PARAMETERS>;
type Body = ReplyAt<"/v1/reach">;
type Reached = NonNullable<Body["reached"][ReachFamily]>;
export type FindReach = Search<ReachQuestion, Body>;

export type ReachDeps = {
  clock: Clock;
  walks: Walks;
  /** Each knows families of its own. */
  held: readonly FindHeldFamilies[];
};

export function createFindReach(deps: ReachDeps): FindReach {
  return async (input) => {
    const { question, deadline_ms, now_ms } = input;
    const { lat, lon, minutes, profile, speed } = question;
    // 1. Where no way begins, nothing is known of what is reached.
    const wish = { profile, speed, within_s: minutes * 60, sorts: false };
    const most_m = Math.min(LIMITS.walk.meters_max, wish.within_s * speed);
    using deadline = createDeadline(deps.clock, deadline_ms - REPLY_MARGIN_MS, input.signal);
    const { signal } = deadline;
    using pinned = await deps.walks.pin({ lat, lon, radius_m: most_m }, signal);
    const { base } = pinned;
    const { walking: none, notice } = findWalks(pinned, question, [], wish);
    if (typeof base === "string") return toUnreached(question, none, notice!);
    const turn = createTurn({});
    const steps = base.walker.outlineSteps(question, { most_m, profile });
    const { outline, ...looked_at } = await runSteps(steps, turn);
    const looked_m = Math.floor(looked_at.looked_m);
    if (outline === null) {
      const lost = base.lostAt?.(question) ?? null;
      const why = lost
        ? ({ reason: "base_unreadable", base: null } as const)
        : ({ reason: "start_off_network" } as const);
      return toUnreached(question, { ...none, ...why }, ofNoWalks(why.reason, lost));
    }
    // 2. What is held within the beeline: nothing further is reached.
    const families = REACH_FAMILIES.filter((family) => question.families.includes(family));
    const circle = { lat, lon, radius_m: most_m };
    const stored = await Promise.all(
      deps.held.map((find) => find(families, circle, { now_ms, signal })),
    );
    const candidates = new Map(stored.flatMap((each) => [...each.families]));
    // 3. Ways to all of it.
    const walk = createWalkAll({ walks: pinned, start: question, wish, signal });
    const looked: Looked[] = [];
    for (const family of families) looked.push(await walk(family, candidates.get(family) ?? null));
    // 4. Coverage decides the status.
    const found = looked.reduce((sum, { reached }) => sum + (reached?.count ?? 0), 0);
    const coverage = judge(
      looked,
      stored.map(({ gaps }) => gaps),
      { found, radius_m: most_m, looked_m, lost: pinned.lost ?? null },
    );
    const { status, notices } = coverage;
    return toFound(coverage, {
      status,
      ...sayStatus(coverage, minutes),
      ...(notices.length === 0 ? {} : { notices }),
      query_origin: { lat, lon },
      minutes,
      reached: Object.fromEntries(looked.map(({ family, reached }) => [family, reached])),
      walking: looked.reduce((sum, { walking }) => addWalking(sum, walking), {
        ...none,
        within_meters: looked_m,
      }),
      outline: { type: "MultiPolygon", coordinates: outline },
    });
  };
}

/** What came of one family. */
type Looked = {
  family: ReachFamily;
  /** null: it is not held, or its time was up. */
  reached: Reached | null;
  walking: WalkingBody | null;
  isLate: boolean;
  cut: Notice | null;
};

type Walking = { walks: PinnedWalks; start: Location; wish: WalkWish; signal: AbortSignal };

function createWalkAll({ walks, start, wish, signal }: Walking) {
  const turn = createTurn({});
  return async (family: ReachFamily, candidates: Candidates | null): Promise<Looked> => {
    const nothing = { family, reached: null, walking: null, isLate: false, cut: null };
    if (candidates === null) return nothing;
    const { items, within_m, hasInside = false } = candidates;
    const points = items.map(({ location }) => location);
    await turn();
    if (signal.aborted && points.length > 0) return { ...nothing, isLate: true };
    const walked = await runSteps(walkSteps(walks, start, points, wish), turn);
    const { ways, walking } = hasInside ? withoutInside(walked) : walked;
    let nearest: { item: Candidate; walk: WalkBody } | null = null;
    for (const [i, way] of ways.entries())
      if (typeof way !== "string" && (nearest === null || way.seconds < nearest.walk.seconds))
        nearest = { item: items[i]!, walk: way };
    const reached = {
      count: walking.reached,
      unknown: walking.unknown,
      nearest: nearest && toNearest(nearest),
    };
    const cut =
      within_m === null
        ? null
        : ofUnlookedFamily(wordsOf(family), items.length, Math.floor(within_m));
    return { ...nothing, reached, walking, cut };
  };
}

function toNearest({ item, walk }: { item: Candidate; walk: WalkBody }): Reached["nearest"] {
  const { location, distance_meters } = item;
  return { ...item.describe(), location, distance_meters, walk };
}

function addWalking(sum: WalkingBody, more: WalkingBody | null): WalkingBody {
  if (more === null) return sum;
  return {
    ...sum,
    reached: sum.reached + more.reached,
    not_reached: sum.not_reached + more.not_reached,
    unknown: sum.unknown + more.unknown,
    step_free_unknown: sum.step_free_unknown + more.step_free_unknown,
  };
}

type Extent = {
  found: number;
  radius_m: number;
  /** How far all ways are known. */
  looked_m: number;
  /** The base of whose streets some could not be read. */
  lost: LostBase | null;
};

function judge(
  looked: readonly Looked[],
  gaps: readonly Gaps[],
  { found, radius_m, looked_m, lost }: Extent,
): Coverage {
  const late = looked
    .filter(({ isLate }) => isLate)
    .map(({ family }) => ({
      ...{ source_id: family, name: `the search for ways to ${wordsOf(family)}` },
      ...{ status: "timeout" as const, reason: "deadline" },
    }));
  const queried = [...gaps.flatMap(({ requested = [] }) => requested), ...late];
  const streets = lost && toUnopenedSource(lost);
  // Its services may have said so already.
  if (streets && queried.every(({ source_id }) => source_id !== streets.source_id))
    queried.push(streets);
  return judgeCoverage({
    requested: queried,
    unserved: gaps.flatMap(({ unserved = [] }) => unserved.map(wordsOf)),
    unstored: gaps.flatMap(({ unstored = [] }) => unstored.map(wordsOf)),
    uncovered: gaps.flatMap(({ uncovered = [] }) => uncovered),
    unheld: gaps.flatMap(({ unheld = [] }) => unheld),
    unsurveyed: gaps.reduce((sum, { unsurveyed = 0 }) => sum + unsurveyed, 0),
    unread: gaps.flatMap(({ unread = [] }) => unread),
    stored: true,
    found,
    radius_m,
    cuts: [
      ...gaps.flatMap(({ notices = [] }) => notices),
      ...looked.flatMap(({ cut }) => cut ?? []),
      ...(looked_m < Math.floor(radius_m) ? [ofUnlookedStreets(looked_m)] : []),
    ],
  });
}

/** Nothing in reach is said of minutes, and not of a radius. */
function sayStatus({ status, message }: Coverage, minutes: number): { message?: string } {
  if (status === "empty") {
    const span = `${minutes} ${minutes === 1 ? "minute" : "minutes"}`;
    return {
      message: toSentence(`nothing of what is known here is reached on foot within ${span}`),
    };
  }
  return message === null ? {} : { message };
}

function toFound(coverage: Coverage, body: Body): SearchReply<Body> {
  const isWhole = !isPartial(coverage);
  const objects = Object.values(body.reached).filter((each) => each && each.count > 0).length;
  return {
    body,
    max_age_s: isWhole ? LIMITS.cache_max_age_s : null,
    metered: { void: !isWhole && objects === 0, objects, maps_categories: 0 },
  };
}

/** Of a point where no way begins: each family is unknown. */
function toUnreached(
  { lat, lon, minutes, families }: ReachQuestion,
  walking: WalkingBody,
  why: Notice,
): SearchReply<Body> {
  const isIncomplete = walking.reason !== "start_off_network";
  const status = judgeStatus({ isIncomplete, found: false });
  const notice = toEnded(why);
  return {
    body: {
      status,
      message: notice.message,
      notices: [notice],
      query_origin: { lat, lon },
      minutes,
      reached: Object.fromEntries(families.map((family) => [family, null])),
      walking,
      outline: null,
    },
    max_age_s: isIncomplete ? null : LIMITS.cache_max_age_s,
    metered: { void: isIncomplete, objects: 0, maps_categories: 0 },
  };
}

function wordsOf(family: string): string {
  return family.replaceAll("_", " ");
}
