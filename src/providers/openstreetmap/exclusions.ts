/** Exclusions by tags: it is there, but not for everybody, or no longer (places.md 3). */
import type { PlaceKind } from "#core/places/place.ts";
import { isForCars } from "./osm-charging.ts";
import { type Tags, valuesOf } from "./element.ts";
import { isFountain } from "./osm-water.ts";

/** Customers, permissive, destination, unknown stay; indoors is no exclusion, it is reported. */
const CLOSED_ACCESS: ReadonlySet<string> = new Set(
  ["private", "no", "permit", "residents", "employees"].concat("delivery"),
);
/**
 * Old style, next to the live tag. As prefixes they change the key, and match no filter; where both
 * are tagged with one value (`disused:amenity=toilets`, `amenity=toilets`), the later word is the prefix.
 */
const LIFECYCLE = [
  ...["disused", "abandoned", "removed", "demolished", "razed", "was"],
  ...["proposed", "construction", "planned"],
] as const;
/** Words of `operational_status` for what cannot be used now; others (`operational`) leave it in. */
const OUT_OF_ORDER: ReadonlySet<string> = new Set([
  ...["closed", "broken", "out_of_order", "out_of_service", "inoperable", "not_operational"],
  ...["non-operational", "disused", "abandoned", "missing", "removed", "defective", "damaged"],
  ...["nonoperational", "non_operational", "inoperative", "decommissioned", "dismantled"],
  ...["out_of_use", "not_in_use", "construction", "under_construction", "proposed", "planned"],
]);

/** Keys that say what a thing is. */
const MAIN_KEYS = [
  ...(["amenity", "emergency", "man_made", "natural", "internet_access"] as const),
  ...(["shop", "tourism", "leisure", "healthcare", "office", "historic"] as const),
] as const;

type Exclusion = readonly [reason: string, holds: (tags: Tags, kind: PlaceKind) => boolean];

const GENERAL: readonly Exclusion[] = [
  ["not_in_use", isNotInUse],
  ["out_of_order", isOutOfOrder],
  ["not_public", hasClosedAccess],
  // A line whose vehicles have Wi-Fi is no place.
  ["moves", (tags) => is(tags, "type", "route")],
];

const OF_KIND: Readonly<Partial<Record<PlaceKind, readonly Exclusion[]>>> = {
  aed: [["locked", (tags) => is(tags, "locked", "yes")]],
  water: [
    ["for_animals", isForAnimals],
    ["not_potable", (tags) => !isFountain(tags) && is(tags, "drinking_water", "no")],
  ],
  wifi: [["no_internet", (tags) => is(tags, "internet_access", "no")]],
  charging: [["not_for_cars", (tags) => !isForCars(tags)]],
};

/** Returns why it is not shown; null: it is. */
export function exclusionOf(tags: Tags, kind: PlaceKind): string | null {
  const match = [...GENERAL, ...(OF_KIND[kind] ?? [])].find(([, holds]) => holds(tags, kind));
  return match?.[0] ?? null;
}

function is(tags: Tags, key: string, value: string): boolean {
  return tags.get(key)?.toLowerCase() === value;
}

/** Reports whether it has gone or has not come, by its own words; of any kind of thing. */
export function isNotInUse(tags: Tags): boolean {
  return LIFECYCLE.some(
    (key) =>
      is(tags, key, "yes") ||
      MAIN_KEYS.some((main) => {
        const value = tags.get(main);
        return value !== undefined && tags.get(`${key}:${main}`) === value;
      }),
  );
}

/** Reports whether it is there and cannot be used, by its own words; of any kind of thing. */
export function isOutOfOrder(tags: Tags): boolean {
  const isSaid = valuesOf(tags, "operational_status").some((word) => OUT_OF_ORDER.has(word));
  return isSaid || is(tags, "out_of_order", "yes") || is(tags, "missing", "yes");
}

/** A list is closed when nothing on it is open; toilets may be open in a house that is not. */
export function hasClosedAccess(tags: Tags, kind: PlaceKind | null): boolean {
  const isOwn = kind === "toilets" && tags.has("toilets:access");
  const values = valuesOf(tags, isOwn ? "toilets:access" : "access");
  return values.length > 0 && values.every((value) => CLOSED_ACCESS.has(value));
}

function isForAnimals(tags: Tags): boolean {
  return (
    is(tags, "amenity", "watering_place") ||
    is(tags, "fountain", "dog_bowl") ||
    is(tags, "dog_bowl", "only")
  );
}
