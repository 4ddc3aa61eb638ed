/**
 * Whether bases have a place that a question names (decisions, Named places bind), which decides what is
 * said of it: a cell that holds something of a base may be full of what is around a town, and the middle
 * of a region lie outside of a base that has towns of it.
 */
import { Budget } from "#kit/budget.ts";
import type { CandidateType } from "#osm/geocoder/candidate.ts";
import type { GeocodeItem } from "#osm/geocoder/present-answers.ts";
import type { Location } from "#kit/geo.ts";
import { distance_m } from "#kit/geo.ts";
import type { NamedPlace } from "#core/places/named-place.ts";
import { addOnce, type BaseHit } from "./base-hits.ts";
import type { PinnedBases } from "./pinned-bases.ts";
import type { GeocodingBase } from "#ports/geocoding-base.ts";

/** What it may cost to ask one base whether it has a place. */
export const LOOK_UP = { looks: 10_000, keeps: 16 } as const;
/** Bases that are asked. */
const MOST_REQUESTED = 4;
/** Part of a name that is explained where it is written so, or spelled otherwise. */
export const EXACTLY = 0.965;
/** A place of a base and one of the index that are called alike are one as near as this: a town is large. */
export const SAME_PLACE_M = 30_000;

/** Types of what has others in it. */
export const PLACES: ReadonlySet<CandidateType> = new Set<CandidateType>([
  ...(["locality", "city", "neighborhood", "region", "country"] as const),
]);

export function isCovered(bases: readonly GeocodingBase[], { lat, lon }: Location): boolean {
  return bases.some(({ covers }) => covers(lat, lon));
}

/** The settlement itself in the bases that cover it, by the text that names it; none: no base has it. */
export function findPlace(
  { bases, pinned }: { bases: readonly GeocodingBase[]; pinned: PinnedBases },
  place: NamedPlace,
  { text, language }: { text: string; language: string | null },
): BaseHit[] {
  const covering = bases.filter(
    (base) => pinned.has(base) && base.covers(place.lat, place.lon),
  );
  const query = { q: text, language, country: null, near: null, limit: 5 };
  const hits: BaseHit[] = [];
  for (const base of covering.slice(0, MOST_REQUESTED))
    for (const geocoder of pinned.of(base))
      for (const item of geocoder.geocode({ ...query, budget: new Budget(LOOK_UP) }))
        if (isPlaceAt(item, place)) addOnce(hits, { item, base });
  return hits;
}

/** A place that is called as the question has it, where the other one is. */
export function isPlaceAt(
  { osm_key, unexplained, explained, location }: GeocodeItem,
  { lat, lon }: Location,
): boolean {
  return (
    osm_key === "place" &&
    unexplained.length === 0 &&
    explained >= EXACTLY &&
    distance_m(location.lat, location.lon, lat, lon) <= SAME_PLACE_M
  );
}
