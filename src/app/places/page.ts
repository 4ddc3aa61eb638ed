/**
 * One list of stations, vehicles and places (decisions, Global nearby): by stated distance, then id.
 * Both sides are sorted already, so a page is a run of each.
 */
import type { ServiceItem } from "#core/places/results.ts";
import { hitId, type Hits } from "#world/hits.ts";

export type Page = { from: number; to: number };
export type Pages = { hits: Page; places: Page };

export function splitPage(hits: Hits, places: readonly ServiceItem[], page: Page): Pages {
  if (places.length === 0) return { hits: page, places: { from: 0, to: 0 } };
  const at = { hits: 0, places: 0 };
  const step = (until: number): { hits: number; places: number } => {
    while (at.hits + at.places < until) {
      if (placeIsNext(hits, places, at)) at.places++;
      else at.hits++;
    }
    return { ...at };
  };
  const from = step(page.from);
  const to = step(page.to);
  return {
    hits: { from: from.hits, to: to.hits },
    places: { from: from.places, to: to.places },
  };
}

function placeIsNext(
  hits: Hits,
  places: readonly ServiceItem[],
  at: { hits: number; places: number },
): boolean {
  const place = places[at.places];
  if (!place) return false;
  if (at.hits >= hits.count) return true;
  const hit = hits.order[at.hits]!;
  const tenths = place.distance_meters * 10 - hits.decimetres[hit]!;
  return tenths < 0 || (tenths === 0 && isBefore(place.id, hitId(hits, hit)));
}

/** By bytes, as every order of ids. */
function isBefore(a: string, b: string): boolean {
  return Buffer.compare(Buffer.from(a), Buffer.from(b)) < 0;
}
