/**
 * Results of a search with their ways on foot: those of its page, or, where the order or a time on
 * foot decides, those of all results up to a bound.
 */
import { LIMITS } from "#api/limits.ts";
import type { WalkingBody } from "#api/walk.ts";
import type { CoverageInput } from "#core/coverage.ts";
import { type Notice, ofUnwalked, ofWalkPageCut } from "#core/notices.ts";
import type { Location } from "#kit/geo.ts";
import { runSteps, type Turn } from "#kit/run/turn.ts";
import type { Walks } from "#ports/walks.ts";
import {
  countLeftOut,
  metresWithin,
  type OnFoot,
  pinWalks,
  selectOnFoot,
  walkSteps,
  type WalkWish,
} from "./walking.ts";

type Result = { location: Location; distance_meters: number };

type Search = {
  walks: Walks | undefined;
  start: Location;
  wish: WalkWish;
  turn: Turn;
  signal?: AbortSignal;
};

/** Results by their distance from the point. */
type Candidates<I> = {
  items: readonly I[];
  /** How many there are, with those that are not looked at. */
  total: number;
  /** Results of a lower rank go before all others; absent: they have one. */
  rankOf?: (item: I) => number;
  /** Further points that are no results. */
  others?: readonly Location[];
};

export type ResultsOnFoot<I> = {
  /** What the wish keeps, in its order. */
  kept: readonly OnFoot<I>[];
  /** How many of the further points it keeps. */
  others: number;
  total: number;
  /** How many a strict wish leaves out. */
  left_out: number;
  walking: WalkingBody;
  /** Why no result has a way; empty: they were looked for. */
  notices: readonly Notice[];
  /** Says where results end that the time on foot was asked of; null: all were. */
  unwalked: Notice | null;
};

export async function walkToResults<I extends Result>(
  { walks, start, wish, turn, signal }: Search,
  { items, total, rankOf, others = [] }: Candidates<I>,
  limit: number,
): Promise<ResultsOnFoot<I>> {
  const targets = [...items.map(({ location }) => location), ...others];
  using pinned = await pinWalks(walks, start, targets, wish, signal);
  const steps = walkSteps(pinned, start, targets, wish, items.length);
  const { ways, walking, notice } = await runSteps(steps, turn);
  const kept = selectOnFoot(items, ways, wish, rankOf);
  const isWithin = wish.within_s !== null;
  const away = isWithin ? ways.slice(items.length).filter((way) => way === "not_reached") : [];
  const last = items.length < total ? items.at(-1) : undefined;
  const mayDiffer =
    last !== undefined &&
    (isWithin || (wish.sorts && !isSettled(kept.slice(0, limit), last, rankOf)));
  return {
    kept,
    others: others.length - away.length,
    total: isWithin ? kept.length : total,
    left_out: countLeftOut(ways.slice(0, items.length), wish),
    walking,
    notices: notice === null ? [] : [notice],
    unwalked: mayDiffer
      ? ofUnwalked(
          items.length,
          last.distance_meters,
          isWithin ? "missing" : "nearer on foot than what is shown",
        )
      : null,
  };
}

/** Whether nothing behind the last result that was looked at can go before the end of a page. */
function isSettled<I extends Result>(
  page: readonly OnFoot<I>[],
  last: I,
  rankOf: (item: I) => number = () => 0,
): boolean {
  const end = page.at(-1);
  if (end === undefined || rankOf(end.item) < rankOf(last)) return true;
  return end.walk !== null && end.walk.meters < last.distance_meters;
}

/** Says where a page in order of time on foot ends; `within_m`: the radius of the question. */
export function listWalkPageCuts(
  page: readonly OnFoot<unknown>[],
  { total, from = 0, within_m }: { total: number; from?: number; within_m: number },
  next: string,
): Notice[] {
  const last = page.at(-1);
  if (last === undefined || from + page.length >= total) return [];
  const last_s = last.walk?.seconds ?? null;
  return [ofWalkPageCut({ shown: page.length, total, within_m, from, last_s }, next)];
}

/** What coverage says of a time on foot. */
export function toOnFoot(wish: WalkWish | null): NonNullable<CoverageInput["on_foot"]> | null {
  if (wish === null || wish.within_s === null) return null;
  const { minutes_max } = LIMITS.walk;
  return { minutes: wish.within_s / 60, minutes_max, reach_m: metresWithin(wish) };
}
