/** From places to service results (§2.3): duplicates joined, counted, ranked and cut. Pure. */
import { hash32 } from "#core/ids.ts";
import { mergePlaces } from "./merge.ts";
import { displayNameOf } from "./names.ts";
import type { Place, PlaceKind } from "./place.ts";
import { type ServiceToken, tokenOf } from "./tokens.ts";

export const PLACE_ID_PREFIX = "svc_place_";

/** A place with its distance from the question's point, metres. */
export type Found = { place: Place; distance_m: number };

export type ServiceItem = {
  id: string;
  type: "service";
  service_type: ServiceToken;
  provider: { id: string; name: string } | undefined;
  external_id: string;
  name: string;
  location: { lat: number; lon: number };
  distance_meters: number;
  attributes: Readonly<Record<string, unknown>>;
  source_id: string;
  source_type: Place["source_type"];
};

/** An item before its hours are evaluated. */
export type OpenItem = ServiceItem & { opening: Place["opening"] };

/** Returns the id of a place: the same for the same thing of the same source, everywhere and always. */
export function placeId(place: Place): string {
  return PLACE_ID_PREFIX + hash32(keyOf(place));
}

function keyOf({ source_id, kind, external_id }: Place): string {
  return `${source_id}\u0000${kind}\u0000${external_id}`;
}

const MOST_IDS = 50_000;

/** Returns a `placeId` with a memory: the same places are found repeatedly, and hashing takes longest. */
export function createPlaceIds(): (place: Place) => string {
  const ids = new Map<string, string>();
  /** What is held between questions is the same object, which needs no key. */
  const own = new WeakMap<Place, string>();
  const find = (place: Place): string => {
    const key = keyOf(place);
    const known = ids.get(key);
    if (known !== undefined) return known;
    const id = placeId(place);
    if (ids.size >= MOST_IDS) ids.clear();
    ids.set(key, id);
    return id;
  };
  return (place) => {
    let id = own.get(place);
    if (id === undefined) own.set(place, (id = find(place)));
    return id;
  };
}

/** Returns a `displayNameOf` that remembers the names of questions without a language. */
export function createPlaceNames(): typeof displayNameOf {
  const names = new WeakMap<Place, string>();
  return (place, language) => {
    if (language !== null) return displayNameOf(place, language);
    let name = names.get(place);
    if (name === undefined) names.set(place, (name = displayNameOf(place, null)));
    return name;
  };
}

type ItemOptions = {
  tokens: readonly ServiceToken[];
  /** Of the question, for names; null: each as its source gives it, labels in English. */
  language: string | null;
  /** `placeId`, with a memory (createPlaceIds) or without. */
  toId: (place: Place) => string;
  /** `displayNameOf`, with a memory (createPlaceNames) or without. */
  toName: typeof displayNameOf;
};

/**
 * Turns findings into items. `sources`: what each source found, leading ones first, perhaps a
 * little beyond the circle: a thing lies where its leading observation puts it. `name`: in the
 * language of the question.
 */
export function toItems(
  sources: readonly (readonly Found[])[],
  options: ItemOptions & { radius_m: number },
): OpenItem[] {
  const metres = new Map<Place, number>();
  for (const found of sources)
    for (const { place, distance_m } of found) metres.set(place, distance_m);
  const byKind = new Map<PlaceKind, Place[][]>();
  for (const found of sources) {
    const own = new Map<PlaceKind, Place[]>();
    for (const { place } of found) addTo(own, place.kind, place);
    for (const [kind, places] of own) addTo(byKind, kind, places);
  }
  const items = [...byKind.values()].flatMap((lists) =>
    mergePlaces(lists).flatMap(({ place, lead }) => {
      const distance_m = metres.get(lead)!;
      return distance_m <= options.radius_m ? [toItem(place, distance_m, options)] : [];
    }),
  );
  return items.sort(byStatedDistance);
}

function addTo<K, V>(lists: Map<K, V[]>, key: K, value: V): void {
  const list = lists.get(key);
  if (list) list.push(value);
  else lists.set(key, [value]);
}

function toItem(
  place: Place,
  distance_m: number,
  { tokens, language, toId, toName }: ItemOptions,
): OpenItem {
  return {
    id: toId(place),
    type: "service",
    service_type: tokenOf(place, tokens),
    // Absent in JSON where it is undefined; one shape for all is quicker than two.
    provider: place.provider,
    external_id: place.external_id,
    name: toName(place, language),
    location: { lat: place.lat, lon: place.lon },
    // Half up, as every distance that is stated (decisions, Conventions).
    distance_meters: Math.floor(distance_m + 0.5),
    attributes: place.attributes,
    source_id: place.source_id,
    source_type: place.source_type,
    opening: place.opening,
  };
}

/** Lists are ordered by the distance they state, then id (docs/decisions/0003). */
export function byStatedDistance(a: ServiceItem, b: ServiceItem): number {
  return a.distance_meters - b.distance_meters || (a.id < b.id ? -1 : 1);
}

/** Every requested token, zero included (§4.6). */
export function countByToken(
  items: readonly ServiceItem[],
  tokens: readonly ServiceToken[],
): Record<string, number> {
  const summary: Record<string, number> = Object.fromEntries(tokens.map((token) => [token, 0]));
  for (const { service_type } of items) summary[service_type]! += 1;
  return summary;
}

/** Water that is known not to be potable. */
export function isUndrinkable({ attributes }: Pick<ServiceItem, "attributes">): boolean {
  return attributes["drinking_water"] === "no";
}
