/**
 * The page of GET /v1/nearby, with ways on foot where they are asked for (docs/walking.md). Where they
 * decide what is listed, or in which order, the nearest by beeline are looked at before the page is
 * cut; else those of the page. All of it is one synchronous call, as is the rest of an answer.
 */
import { LIMITS } from "#api/limits.ts";
import type { NearestKnown } from "#api/filter-match.ts";
import type { WalkBody, WalkingBody } from "#api/walk.ts";
import { type Notice, ofUnwalked } from "#core/notices.ts";
import { alsoJudged } from "#core/filter-match.ts";
import type { OpenItem, ServiceItem } from "#core/places/place-results.ts";
import type { Location } from "#kit/geo.ts";
import type { PinnedWalks } from "#ports/walks.ts";
import type { HeldPlaces } from "#app/places/held.ts";
import type { OpenStates } from "#app/places/open-states.ts";
import { isFound, joinInOrder, splitPage } from "#app/places/page.ts";
import {
  countLeftOut,
  findWalks,
  metresWithin,
  needsAll,
  type OnFoot,
  selectOnFoot,
  type Walked,
  type WalkWish,
} from "#app/walk/walking.ts";
import type { HitConditions } from "#world/collect-hits.ts";
import { type FoundItem, itemPoint, type NearbyMatches, nearestOf } from "#world/found.ts";
import type { Page } from "#world/nearby-hits.ts";
import type { Circle, SystemEntry } from "#world/system-entry.ts";
import type { World } from "#world/world.ts";

const { candidates_max } = LIMITS.walk;

/** A page, and what is counted of the list that it is cut from. */
export type ListedPage = Pick<NearbyMatches, "items" | "unknown" | "tally"> & {
  places: readonly OpenItem[];
  total: number;
  /** The first that is known to fit, null: none is; undefined: no filter is set. */
  nearest_known: NearestKnown | null | undefined;
  foot: FootOfPage | null;
};

/** How the ways of a page were found. */
export type FootOfPage = {
  walking: WalkingBody;
  /** How long the list is that pages are cut from. */
  listed: number;
  /** To the last result of the page in an order on foot, s; null: not known, or the order is another. */
  last_s: number | null;
  sorts: boolean;
  /** Why no result has a way; null: they were looked for. */
  notice: Notice | null;
  /** Says that there is more than was looked at; null: there is not, or the page does not depend on it. */
  unwalked: Notice | null;
};

type Sources = {
  world: Pick<World, "search">;
  /** Those of the circle; undefined: none are known, or asked for. */
  walks: PinnedWalks | undefined;
  systems: readonly SystemEntry[];
  places: Pick<HeldPlaces, "items" | "total">;
};
type Query = HitConditions & { circle: Circle; page: Page };

/** How many places of the list a page needs. */
export function countNeeded(wish: WalkWish | null, page: Page): number {
  return needsAll(wish) ? candidates_max + 1 : page.to;
}

/** `wish`: of ways on foot; null: none are asked for. */
export function listPage(sources: Sources, query: Query, wish: WalkWish | null): ListedPage {
  if (wish === null) return listNearest(sources, query);
  if (needsAll(wish) && query.only === undefined) return listOnFoot(sources, query, wish);
  const listed = listNearest(sources, query);
  const joined = joinInOrder(listed);
  const walked = findWalks(sources.walks, query.circle, joined.map(pointOf), wish);
  const page = joined.map((item, i) => ({ item, walk: toWalk(walked.ways[i]!) }));
  const { total } = listed;
  const foot = { ...toFoot(walked), listed: total, last_s: null, sorts: false, unwalked: null };
  return { ...listed, ...part(page), foot };
}

function listNearest({ world, systems, places: stored }: Sources, query: Query): ListedPage {
  const { page } = query;
  const { items: places, total } = stored;
  // Places are counted in from the first on.
  const first = total === 0 ? query : { ...query, page: { from: 0, to: page.to } };
  const search = world.search(systems, first);
  const { count, items, unknown, tally } = search;
  const nearest_known = unknown === null ? undefined : search.nearest_known;
  const listed = total === 0 ? { items, places } : splitPage(items, places, page);
  return { ...listed, total: count + total, unknown, nearest_known, tally, foot: null };
}

/** A place as answers state it. */
export function showPlace({ show }: Pick<OpenStates, "show">, place: OpenItem): ServiceItem {
  const { walk } = place;
  return walk === undefined ? show(place) : { ...show(place), walk };
}

/** What may be on the page is looked at, and the page is cut from what is left of it. */
function listOnFoot(sources: Sources, query: Query, wish: WalkWish): ListedPage {
  const { world, systems, places } = sources;
  const { from, to } = query.page;
  const candidates = { ...query, page: { from: 0, to: candidates_max + 1 } };
  const isWithin = wish.within_s !== null;
  const made = { choice: null as Choice | null };
  const keeps = (items: readonly FoundItem[]): boolean[] => {
    const { kept } = (made.choice = chooseOnFoot(sources, query, wish, items));
    const left = new Set(kept.map(({ item }) => item));
    return items.map((item) => left.has(item));
  };
  const search = world.search(systems, candidates, isWithin ? keeps : undefined);
  const { tally } = search;
  const choice = made.choice ?? chooseOnFoot(sources, query, wish, search.items);
  const { walked } = choice;
  const kept = isWithin ? choice.kept.map(judgeOnFoot) : choice.kept;
  const page = kept.slice(from, to);
  const last_s = wish.sorts ? (page.at(-1)?.walk?.seconds ?? null) : null;
  const total = isWithin ? kept.length : search.count + places.total;
  const unwalked = sayUnwalked(choice, query.page, wish);
  const foot = { ...toFoot(walked), listed: kept.length, sorts: wish.sorts, last_s, unwalked };
  const unknown = addLeftOut(search.unknown, walked, wish);
  const isFiltered = isWithin || search.unknown !== null;
  const nearest_known = isFiltered
    ? (findKnown(kept) ?? (isWithin ? null : search.nearest_known))
    : undefined;
  return { ...part(page), total, unknown, nearest_known, tally, foot };
}

/** The counts of the filters, with what a strict wish leaves out since its way is not known. */
function addLeftOut(
  unknown: ListedPage["unknown"],
  { ways }: Walked,
  wish: WalkWish,
): ListedPage["unknown"] {
  if (!wish.strict || wish.within_s === null) return unknown;
  const { unknown_left_out = 0 } = unknown ?? {};
  return { ...unknown, unknown_left_out: unknown_left_out + countLeftOut(ways, wish) };
}

function findKnown(kept: readonly OnFoot<Entry>[]): NearestKnown | null {
  for (const { item } of kept) {
    if (isFound(item)) {
      if (item.match?.match === "known") return nearestOf(item);
    } else if (item.match === "known") {
      const { id, distance_meters, location } = item;
      return { id, distance_meters, location };
    }
  }
  return null;
}

/** What a result says of its filters once a time on foot is one of them. */
function judgeOnFoot({ item, walk }: OnFoot<Entry>): OnFoot<Entry> {
  const fits = walk === null ? null : true;
  if (isFound(item))
    return { item: { ...item, match: alsoJudged(item.match ?? {}, "within_minutes", fits) }, walk };
  return { item: { ...item, ...alsoJudged(item, "within_minutes", fits) }, walk };
}

type Entry = FoundItem | OpenItem;
/** What was looked at, the nearest by beeline; `isAll`: there was no more. */
type Choice = { looked: readonly Entry[]; isAll: boolean; walked: Walked; kept: OnFoot<Entry>[] };

function chooseOnFoot(
  { walks, places: { items: places } }: Sources,
  { circle }: Query,
  wish: WalkWish,
  items: readonly FoundItem[],
): Choice {
  const joined = joinInOrder({ items, places });
  const looked = joined.slice(0, candidates_max);
  const walked = findWalks(walks, circle, looked.map(pointOf), wish);
  const isAll = looked.length === joined.length;
  return { looked, isAll, walked, kept: selectOnFoot(looked, walked.ways, wish) };
}

/** null: what was not looked at would change nothing of the page. */
function sayUnwalked({ looked, isAll, kept }: Choice, page: Page, wish: WalkWish): Notice | null {
  if (isAll) return null;
  const within_m = distanceOf(looked.at(-1)!);
  const say = (lacks: Parameters<typeof ofUnwalked>[2]): Notice =>
    ofUnwalked(looked.length, Math.floor(within_m), lacks);
  if (wish.within_s !== null) return within_m <= metresWithin(wish) ? say("missing") : null;
  if (page.to >= kept.length) return say("missing");
  const last_m = kept[page.to - 1]?.walk?.meters ?? Number.POSITIVE_INFINITY;
  return last_m < within_m ? null : say("nearer on foot than what is shown");
}

function toFoot({ walking, notice }: Walked): Pick<FootOfPage, "walking" | "notice"> {
  return { walking, notice };
}

function part(page: readonly OnFoot<Entry>[]): Pick<ListedPage, "items" | "places"> {
  return {
    items: page.flatMap(({ item, walk }) => (isFound(item) ? [{ ...item, walk }] : [])),
    places: page.flatMap(({ item, walk }) => (isFound(item) ? [] : [{ ...item, walk }])),
  };
}

function toWalk(way: Walked["ways"][number]): WalkBody | null {
  return typeof way === "string" ? null : way;
}

function pointOf(each: Entry): Location {
  return isFound(each) ? itemPoint(each) : each.location;
}

/** As stated, in metres. */
function distanceOf(each: Entry): number {
  return isFound(each) ? each.decimetres / 10 : each.distance_meters;
}
