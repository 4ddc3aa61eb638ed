/** What a place is in an answer (§2.3): its id, its name, its distance, and the order of lists. Pure. */
import type { MatchBody } from "#api/filter-match.ts";
import type { WalkBody } from "#api/walk.ts";
import { hash32 } from "#kit/ids.ts";
import type { Opening } from "./opening.ts";
import { displayNameOf } from "./place-naming.ts";
import type { Place } from "./place.ts";
import { type ServiceToken, tokenOf } from "./place-tokens.ts";

export const PLACE_ID_PREFIX = "svc_place_";

export type ServiceItem = {
  id: string;
  type: "service";
  service_type: ServiceToken;
  provider: { id: string; name: string } | undefined;
  external_id: string;
  name: string;
  location: { lat: number; lon: number };
  distance_meters: number;
  /** null: not known; absent: not asked for. */
  walk?: WalkBody | null;
  /** Absent where no filter is set. */
  match?: MatchBody["match"];
  unknown?: MatchBody["unknown"];
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
    const known_id = ids.get(key);
    if (known_id !== undefined) return known_id;
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

/** Returns a `displayNameOf` that remembers the name of each place in the language that was last wanted. */
export function createPlaceNames(): typeof displayNameOf {
  const names = new WeakMap<Place, { language: string | null; name: string }>();
  return (place, language) => {
    let entry = names.get(place);
    if (entry?.language !== language) {
      entry = { language, name: displayNameOf(place, language) };
      names.set(place, entry);
    }
    return entry.name;
  };
}

export type ItemOptions = {
  tokens: readonly ServiceToken[];
  /** Of the question, for names; null: each as its source gives it, labels in English. */
  language: string | null;
  /** `placeId`, with a memory (createPlaceIds) or without. */
  toId: (place: Place) => string;
  /** `displayNameOf`, with a memory (createPlaceNames) or without. */
  toName: typeof displayNameOf;
};

/** An item that is counted, and perhaps shown: id and name are made for those that are. */
export type ResultDraft = { item: OpenItem; place: Place; distance_m: number };

export function toDraft(
  place: Place,
  distance_m: number,
  tokens: readonly ServiceToken[],
): ResultDraft {
  const item: OpenItem = {
    id: "",
    type: "service",
    service_type: tokenOf(place, tokens),
    // Absent in JSON where it is undefined; one shape for all is quicker than two.
    provider: place.provider,
    external_id: place.external_id,
    name: "",
    location: { lat: place.lat, lon: place.lon },
    distance_meters: statedOf(distance_m),
    attributes: place.attributes,
    source_id: place.source_id,
    source_type: place.source_type,
    opening: openingOf(place),
  };
  return { item, place, distance_m };
}

/** The hours of a place; what a live source says of now goes before them, also before those of another source. */
function openingOf({ opening, attributes }: Place): Opening | undefined {
  const { availability } = attributes as { availability?: { is_open?: boolean } };
  if (availability?.is_open === undefined) return opening;
  return { ...opening, now: { state: availability.is_open ? "open" : "closed", until_ms: null } };
}

export function toVisible(
  { item, place }: ResultDraft,
  { language, toId, toName }: ItemOptions,
): OpenItem {
  item.id = toId(place);
  item.name = toName(place, language);
  return item;
}

/** Half up, as every distance that is stated (decisions, Conventions). */
export function statedOf(metres: number): number {
  return Math.floor(metres + 0.5);
}

/** Lists are ordered by the distance they state, then id (docs/decisions/0003). */
export function byStatedDistance(a: ServiceItem, b: ServiceItem): number {
  return a.distance_meters - b.distance_meters || (a.id < b.id ? -1 : 1);
}
