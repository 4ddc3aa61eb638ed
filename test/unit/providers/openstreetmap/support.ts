/** Elements of the open map by their tags, and the services that are made of them. */
import type { Place, PlaceKind } from "#core/places/place.ts";
import { createTrail } from "#kit/trail.ts";
import { type Element, toTags } from "#providers/openstreetmap/element.ts";
import { placesOf } from "#providers/openstreetmap/tags.ts";

export type TagList = Readonly<Record<string, string>>;

/** An element the given metres north of the origin. */
export function elementOf(id: string, tags: TagList, north_m = 0): Element {
  return { id, lat: 48.8 + north_m / 111_195, lon: 2.3, tags: toTags(tags) };
}

/** With the reasons of what was dropped. */
export function read(kind: PlaceKind, elements: readonly Element[]) {
  const trail = createTrail();
  const places = placesOf(elements, [kind], trail);
  return { places, reasons: trail.toTrail().dropped.map(({ reason }) => reason) };
}

export function placeOf(kind: PlaceKind, tags: TagList): Place | undefined {
  return read(kind, [elementOf("node/1", tags)]).places[0];
}

export function reasonOf(kind: PlaceKind, tags: TagList): string | undefined {
  return read(kind, [elementOf("node/1", tags)]).reasons[0];
}
