/**
 * A search of which something outside the world decides what is kept, such as ways on foot: counts
 * are of what it keeps, as if nothing else had matched.
 */
import type { HitQuery } from "./collect-hits.ts";
import { filterHits, moveHit } from "./filter.ts";
import { type FoundItem, type NearbyMatches, toFound } from "./found.ts";
import type { Hits } from "./nearby-hits.ts";

/**
 * Says of each item of the page whether it is kept. It must not search: the list that it is asked
 * about lies in memory that a search writes to.
 */
export type Keeps = (items: readonly FoundItem[]) => readonly boolean[];

/** The items of the page that are kept; what is beyond the page is not. */
export function toKept(
  hits: Hits,
  { page, filter = null, tallied = false }: Pick<HitQuery, "page" | "filter" | "tallied">,
  keeps: Keeps,
): NearbyMatches {
  const { items } = toFound(hits, page, false);
  const kept = keeps(items);
  const from = page?.from ?? 0;
  keepHits(
    hits,
    Uint32Array.from(
      items.keys().filter((i) => kept[i]!),
      (i) => hits.order[from + i]!,
    ),
  );
  // None of them is left out again: they are judged for the counts of what is unknown.
  if (filter !== null) {
    const { unknown_left_out = 0 } = hits.unknown ?? {};
    hits.unknown = filterHits(hits, filter);
    if (filter.strict) hits.unknown.unknown_left_out = unknown_left_out;
  }
  return {
    ...toFound(hits, { from: 0, to: 0 }, tallied),
    items: items.filter((_, i) => kept[i]!),
  };
}

/** Leaves these hits in the list, in no order. */
function keepHits(hits: Hits, kept: Uint32Array): void {
  hits.matched.fill(0);
  kept.sort().forEach((hit, i) => {
    moveHit(hits, hit, i);
    hits.matched[hits.system[i]!]!++;
  });
  hits.count = kept.length;
}
