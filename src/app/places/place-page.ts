/**
 * The page of a search for places: what fits, counted, ranked and cut, with ways on foot where they are
 * asked for. Where a time on foot decides, all counts are of what it keeps.
 */
import { LIMITS } from "#api/limits.ts";
import type { NearestKnown } from "#api/filter-match.ts";
import type { WalkBody, WalkingBody } from "#api/walk.ts";
import { alsoJudged } from "#core/filter-match.ts";
import { type Notice, ofKindCut, ofUncounted, ofUnwalked } from "#core/notices.ts";
import type { PlaceHits } from "#core/places/place-hits.ts";
import type { OpenItem } from "#core/places/place-results.ts";
import {
  FACILITIES,
  isOfTokens,
  type KindEnd,
  type PlaceSelection,
  type Selecting,
  selectPlaces,
  tallyItems,
} from "#core/places/select.ts";
import { NO_SPOTS } from "#core/places/spots.ts";
import type { Location } from "#kit/geo.ts";
import { runSteps, type Turn } from "#kit/run/turn.ts";
import type { Walks } from "#ports/walks.ts";
import { adviseMore, listPageCuts } from "../search-reply.ts";
import { listWalkPageCuts, walkToResults } from "../walk/walk-results.ts";
import { metresWithin, needsAll, type OnFoot, type WalkWish } from "../walk/walking.ts";

/** What is counted of all that was found. */
export type PlaceCounts = Pick<
  PlaceSelection,
  "total" | "by_token" | "unknown" | "undrinkable" | "uncertain"
>;

export type PlacePage = PlaceCounts & {
  items: readonly OpenItem[];
  /** Their ways; null: none are asked for. */
  walks: readonly (WalkBody | null)[] | null;
  walking: WalkingBody | null;
  /** The first that is known to fit, null: none is; absent: nothing is filtered. */
  nearest_known?: NearestKnown | null;
  /** Says up to where results were counted; null: all were. */
  uncounted: Notice | null;
  /** Where they end though more was found, and why they have no ways. */
  cuts: readonly Notice[];
};

export type PageOptions = {
  selecting: Selecting;
  limit_max: number;
  start: Location;
  walks: Walks | undefined;
  wish: WalkWish | null;
  turn: Turn;
  /** Ends the reading of streets. */
  signal?: AbortSignal;
};

/** `sources`: as `selectPlaces` takes them. */
export async function toPlacePage(
  sources: readonly PlaceHits[],
  options: PageOptions,
): Promise<PlacePage> {
  const { selecting, wish, turn } = options;
  if (wish !== null) return await walkPage(sources, options, wish);
  return toPlainPage(await runSteps(selectPlaces(sources, selecting), turn), options);
}

/** The page of a search without ways. */
export function toPlainPage(
  { items, counted_m, ends, nearest_known, ...counts }: PlaceSelection,
  { selecting, limit_max }: Pick<PageOptions, "selecting" | "limit_max">,
): PlacePage {
  const { total } = counts;
  return {
    ...counts,
    items,
    walks: null,
    walking: null,
    ...(selecting.wishes.length > 0 && { nearest_known }),
    uncounted: counted_m === null ? null : ofUncounted(total, counted_m),
    cuts: [...sayEnds(ends), ...listPageCuts(items, total, { limit: selecting.limit, limit_max })],
  };
}

async function walkPage(
  sources: readonly PlaceHits[],
  { selecting, limit_max, start, walks, turn, signal }: PageOptions,
  wish: WalkWish,
): Promise<PlacePage> {
  const { tokens, limit, radius_m, facilities_max } = selecting;
  const { candidates_max } = LIMITS.walk;
  const isWithin = wish.within_s !== null;
  // What is too far by beeline is too far on foot, and counts nowhere.
  const selected = selectPlaces(sources, {
    ...selecting,
    radius_m: Math.min(radius_m, metresWithin(wish)),
    limit: needsAll(wish) ? candidates_max : limit,
    list_undrinkable: isWithin ? candidates_max : 0,
    // The time on foot is a filter, and goes before the cut.
    ...(isWithin && facilities_max !== undefined && { facilities_max: candidates_max }),
  });
  const found = await runSteps(selected, turn);
  await turn();
  const { counted_m, undrinkable_at = NO_SPOTS } = found;
  const results = await walkToResults(
    { walks, start, wish, turn, ...(signal && { signal }) },
    {
      items: found.items,
      total: found.total,
      rankOf: (item) => (isOfTokens(item, tokens) ? 0 : 1),
      others: undrinkable_at.at,
    },
    limit,
  );
  const { unwalked, left_out } = results;
  const { kept, ends } = isWithin
    ? endFacilities(results.kept, facilities_max)
    : { kept: results.kept, ends: [] };
  const total = isWithin ? kept.length : results.total;
  if (isWithin)
    for (const { item, walk } of kept)
      Object.assign(item, alsoJudged(item, "within_minutes", walk === null ? null : true));
  const page = kept.slice(0, limit);
  const items = page.map(({ item }) => item);
  const limits = { limit, limit_max };
  const uncounted = counted_m === null ? null : ofUncounted(total, counted_m);
  const uncounted_water =
    undrinkable_at.cut_m === null
      ? null
      : ofUnwalked(undrinkable_at.at.length, undrinkable_at.cut_m, "missing");
  return {
    ...(isWithin
      ? toCounts(
          kept.map(({ item }) => item),
          selecting,
          { undrinkable: results.others, left_out: left_out + (found.unknown.left_out ?? 0) },
        )
      : found),
    items,
    ...((isWithin || selecting.wishes.length > 0) && {
      nearest_known: needsAll(wish)
        ? (findKnown(kept, selecting) ?? (isWithin ? null : found.nearest_known))
        : found.nearest_known,
    }),
    walks: page.map(({ walk }) => walk),
    walking: results.walking,
    uncounted: uncounted ?? (isWithin ? (unwalked ?? uncounted_water) : null),
    cuts: [
      ...sayEnds([...found.ends, ...ends]),
      ...results.notices,
      ...(isWithin || unwalked === null ? [] : [unwalked]),
      ...(wish.sorts
        ? listWalkPageCuts(page, { total, within_m: Math.floor(radius_m) }, adviseMore(limits))
        : listPageCuts(items, total, limits)),
    ],
  };
}

/** Leaves out of each facility what comes after its first `most` in the order of the list. */
function endFacilities(
  rows: readonly OnFoot<OpenItem>[],
  most = Number.POSITIVE_INFINITY,
): { kept: readonly OnFoot<OpenItem>[]; ends: KindEnd[] } {
  const beyond = FACILITIES.map((kind) => ({
    kind,
    rest: rows.filter(({ item }) => item.service_type === kind).slice(most),
  })).filter(({ rest }) => rest.length > 0);
  if (beyond.length === 0) return { kept: rows, ends: [] };
  const dropped = new Set(beyond.flatMap(({ rest }) => rest));
  return {
    kept: rows.filter((row) => !dropped.has(row)),
    ends: beyond.map(({ kind, rest }) => {
      const within_m = Math.min(...rest.map(({ item }) => item.distance_meters));
      return { kind, shown: most, within_m };
    }),
  };
}

function sayEnds(ends: readonly KindEnd[]): Notice[] {
  return ends.map(({ kind, ...cut }) => ofKindCut(kind, cut));
}

function toCounts(
  kept: readonly OpenItem[],
  selecting: Selecting,
  { undrinkable, left_out }: { undrinkable: number; left_out: number },
): PlaceCounts {
  const { total, by_token, unknown, uncertain } = tallyItems(kept, selecting);
  const counted = selecting.strict ? { ...unknown, left_out } : unknown;
  return { total, by_token, unknown: counted, uncertain, undrinkable };
}

/** The first in the order of a list on foot; null: none of what was looked at. */
function findKnown(kept: readonly OnFoot<OpenItem>[], { tokens }: Selecting): NearestKnown | null {
  const first = kept.find(({ item }) => item.match === "known" && isOfTokens(item, tokens));
  if (!first) return null;
  const { id, distance_meters, location } = first.item;
  return { id, distance_meters, location };
}
