/**
 * One list of stations, vehicles and places (decisions, Global nearby): by stated distance, then id.
 * Both sides are sorted already, so a page is a run of each.
 */
import type { OpenItem } from "#core/places/place-results.ts";
import type { Page } from "#world/nearby-hits.ts";
import { type FoundItem, itemId } from "#world/found.ts";

export type PageItems = { items: readonly FoundItem[]; places: readonly OpenItem[] };

/** Cuts a page; all before its end are given. */
export function splitPage(
  items: readonly FoundItem[],
  places: readonly OpenItem[],
  page: Page,
): PageItems {
  let [item, place] = [0, 0];
  const step = (until: number): void => {
    while (item + place < until && (item < items.length || place < places.length)) {
      if (isPlaceNext(items[item], places[place])) place++;
      else item++;
    }
  };
  step(page.from);
  const from = { item, place };
  step(page.to);
  return { items: items.slice(from.item, item), places: places.slice(from.place, place) };
}

/** The one list of both. */
export function joinInOrder({ items, places }: PageItems): (FoundItem | OpenItem)[] {
  const joined: (FoundItem | OpenItem)[] = [];
  let [item, place] = [0, 0];
  while (item < items.length || place < places.length)
    joined.push(isPlaceNext(items[item], places[place]) ? places[place++]! : items[item++]!);
  return joined;
}

export function isFound(each: FoundItem | OpenItem): each is FoundItem {
  return "shard" in each;
}

function isPlaceNext(item: FoundItem | undefined, place: OpenItem | undefined): boolean {
  if (!place) return false;
  if (!item) return true;
  const tenths = place.distance_meters * 10 - item.decimetres;
  return tenths < 0 || (tenths === 0 && isBefore(place.id, itemId(item)));
}

/** By bytes, as every order of ids. */
function isBefore(a: string, b: string): boolean {
  return Buffer.compare(Buffer.from(a), Buffer.from(b)) < 0;
}
