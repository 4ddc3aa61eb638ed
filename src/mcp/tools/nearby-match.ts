/** What results of search_mobility_nearby say of its filters, with the intent and the time on foot (core/filter-match). */
import type { NearestKnown } from "#api/filter-match.ts";
import type { NearbyBodyValue } from "#api/nearby.ts";
import type { OnFoot } from "#app/walk/walking.ts";
import { alsoJudged, type Fits } from "#core/filter-match.ts";
import type { Location } from "#kit/geo.ts";
import type { Judged } from "../brief.ts";

type Results = NearbyBodyValue["results"];
type Item = Results["stations"][number] | Results["vehicles"][number] | Results["places"][number];
type Ranked = { item: Item; id: string; distance: number; location: Location | undefined };

/** What the search asks beyond what its dataset has been filtered by. */
type Beyond = { intent: string | null; isWithin: boolean };

/** `possible`: what is not known to be impossible now; `usable`: of it what is shown. */
export function keepPossible<R extends Ranked>(
  all: readonly R[],
  { intent, strict }: { intent: string | null; strict: boolean },
): { possible: R[]; usable: R[] } {
  const possible = all.filter(({ item }) => fitsIntent(item, intent) !== false);
  const usable = strict ? possible.filter(({ item }) => fitsIntent(item, intent)) : possible;
  return { possible, usable };
}

/** Whether it is possible now; of a place or another intent nothing is known. */
function fitsIntent(item: Item, intent: string | null): Fits {
  if (intent === null) return true;
  const { action_state = {} } = "source" in item ? item.source : (item as Results["stations"][0]);
  const state = action_state[intent];
  return state === "unavailable_now" ? false : state === "available_now" ? true : null;
}

/** Judges a row that is shown. */
export function judgeRow(
  { item: { item }, walk }: OnFoot<Ranked>,
  { intent, isWithin }: Beyond,
): Judged {
  let judged: Judged = "source" in item ? item.source : item;
  const fits = fitsIntent(item, intent);
  if (intent !== null && fits !== false) judged = alsoJudged(judged, "intent", fits);
  if (isWithin) judged = alsoJudged(judged, "within_minutes", walk === null ? null : true);
  return judged;
}

/** `left_out`: how many a strict search leaves out beyond its dataset; null: it is not strict. */
export function toSummary(
  { summary }: NearbyBodyValue,
  left_out: number | null,
): { summary?: NearbyBodyValue["summary"] } {
  if (left_out === null) return summary === undefined ? {} : { summary };
  const { unknown_left_out = 0 } = summary ?? {};
  return { summary: { ...summary, unknown_left_out: unknown_left_out + left_out } };
}

/** The first row that is known to fit; nothing where no filter is set. */
export function toNearestKnown(
  { nearest_known }: NearbyBodyValue,
  rows: readonly OnFoot<Ranked>[],
  beyond: Beyond,
): { nearest_known?: NearestKnown | null } {
  const isAsStored = beyond.intent === null && !beyond.isWithin;
  if (nearest_known === undefined && isAsStored) return {};
  const row = rows.find((each) => judgeRow(each, beyond).match === "known");
  // What a dataset could not keep is not among its rows.
  if (row?.item.location === undefined)
    return { nearest_known: (isAsStored ? nearest_known : null) ?? null };
  const { id, distance, location } = row.item;
  return { nearest_known: { id, distance_meters: distance, location } };
}
