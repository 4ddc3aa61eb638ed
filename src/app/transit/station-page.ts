/** The page of a search for stations, with ways on foot where they are asked for. */
import type { NearestKnown } from "#api/filter-match.ts";
import { LIMITS } from "#api/limits.ts";
import type { StepFreeBody } from "#api/step-free.ts";
import type { WalkBody, WalkingBody } from "#api/walk.ts";
import { alsoJudged } from "#core/filter-match.ts";
import type { Notice } from "#core/notices.ts";
import type { Location } from "#kit/geo.ts";
import type { Turn } from "#kit/run/turn.ts";
import type { Walks } from "#ports/walks.ts";
import type { TransitItem } from "#transit/schedule/schedule-results.ts";
import { adviseMore, type Applied, listPageCuts } from "../search-reply.ts";
import { listWalkPageCuts, walkToResults } from "../walk/walk-results.ts";
import { type AccessQuestion, type StationAccess, withStepFree } from "./station-access.ts";
import { metresWithin, needsAll, type WalkWish } from "../walk/walking.ts";

type Station = TransitItem & { walk?: WalkBody | null; step_free?: StepFreeBody };

export type StationPage = {
  stations: readonly Station[];
  total: number;
  walking: WalkingBody | null;
  /** Of a time on foot, the one filter that may not know; absent: none is set. */
  filtered?: { nearest_known: NearestKnown | null; unknown?: { left_out: number } };
  /** Says up to where stations were looked at for their ways; null: all were. */
  uncounted: Notice | null;
  /** Where the page ends though more was found, and why it has no ways. */
  cuts: readonly Notice[];
};

/** The first that is known to be reached. */
function findKnown(kept: readonly { item: TransitItem; walk: WalkBody | null }[]) {
  const first = kept.find(({ walk }) => walk !== null);
  if (!first) return null;
  const { id, distance_meters, location } = first.item;
  return { id, distance_meters, location };
}

type OnFoot = {
  walks: Walks | undefined;
  access: StationAccess | undefined;
  query: AccessQuestion;
  start: Location;
  wish: WalkWish | null;
  turn: Turn;
};

/** `items`: all that was found, by distance. */
export async function toStationPage(
  items: readonly TransitItem[],
  { wish, access, query, ...search }: OnFoot,
  { radius_m, limit }: Applied,
): Promise<StationPage> {
  const limits = { ...LIMITS.transport, limit };
  if (wish === null) {
    const [stations, total] = [items.slice(0, limit), items.length];
    const cuts = listPageCuts(stations, total, limits);
    return { stations, total, walking: null, uncounted: null, cuts };
  }
  // What is too far by beeline is too far on foot, and counts nowhere.
  const reach_m = metresWithin(wish);
  const near = items.filter(({ distance_meters }) => distance_meters <= reach_m);
  const most = needsAll(wish) ? LIMITS.walk.candidates_max : limit;
  const candidates = { items: near.slice(0, most), total: near.length };
  const results = await walkToResults({ ...search, wish, signal: query.signal }, candidates, limit);
  const { kept, total, unwalked } = results;
  const page = kept.slice(0, limit);
  const within = await withStepFree(access, { kept, page }, { ...results, question: query });
  const isWithin = wish.within_s !== null;
  const stations = within.page.map(({ item, ...onFoot }) => ({
    ...item,
    ...onFoot,
    ...(isWithin && alsoJudged({}, "within_minutes", onFoot.walk === null ? null : true)),
  }));
  return {
    stations,
    total,
    walking: within.walking,
    ...(isWithin && {
      filtered: {
        nearest_known: findKnown(kept),
        ...(wish.strict && { unknown: { left_out: results.left_out } }),
      },
    }),
    uncounted: isWithin ? unwalked : null,
    cuts: [
      ...results.notices,
      ...(isWithin || unwalked === null ? [] : [unwalked]),
      ...(wish.sorts
        ? listWalkPageCuts(page, { total, within_m: Math.floor(radius_m) }, adviseMore(limits))
        : listPageCuts(stations, total, limits)),
    ],
  };
}
