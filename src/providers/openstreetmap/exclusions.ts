/** Exclusions by tags: it is there, but not for everybody, or no longer (places.md 3). */
import type { PlaceKind } from "#core/places/place.ts";
import { isForCars } from "./charging.ts";
import { type Tags, valuesOf } from "./element.ts";
import { isFountain } from "./water.ts";

/** Customers, permissive, destination, unknown stay; indoors is no exclusion, it is reported. */
const CLOSED_ACCESS: ReadonlySet<string> = new Set(
  ["private", "no", "permit", "residents", "employees"].concat("delivery"),
);
/** Old style, next to the live tag; as prefixes they change the key and never match a filter. */
const LIFECYCLE = [
  ...["disused", "abandoned", "removed", "demolished", "razed", "was"],
  ...["proposed", "construction", "planned"],
] as const;
const AED_OUT: ReadonlySet<string> = new Set(["closed", "broken"]);

type Exclusion = readonly [reason: string, holds: (tags: Tags) => boolean];

const GENERAL: readonly Exclusion[] = [
  ["not_in_use", (tags) => LIFECYCLE.some((key) => is(tags, key, "yes"))],
  ["not_public", hasClosedAccess],
  // A line whose vehicles have Wi-Fi is no place.
  ["moves", (tags) => is(tags, "type", "route")],
];

const OF_KIND: Readonly<Partial<Record<PlaceKind, readonly Exclusion[]>>> = {
  aed: [
    ["locked", (tags) => is(tags, "locked", "yes")],
    ["out_of_order", (tags) => valuesOf(tags, "operational_status").some((v) => AED_OUT.has(v))],
  ],
  water: [
    ["for_animals", isForAnimals],
    ["not_potable", (tags) => !isFountain(tags) && is(tags, "drinking_water", "no")],
  ],
  wifi: [["no_internet", (tags) => is(tags, "internet_access", "no")]],
  charging: [["not_for_cars", (tags) => !isForCars(tags)]],
};

/** Returns why it is not shown; null: it is. */
export function exclusionOf(tags: Tags, kind: PlaceKind): string | null {
  const found = [...GENERAL, ...(OF_KIND[kind] ?? [])].find(([, holds]) => holds(tags));
  return found?.[0] ?? null;
}

function is(tags: Tags, key: string, value: string): boolean {
  return tags.get(key)?.toLowerCase() === value;
}

/** A list is closed when nothing on it is open. */
function hasClosedAccess(tags: Tags): boolean {
  const values = valuesOf(tags, "access");
  return values.length > 0 && values.every((value) => CLOSED_ACCESS.has(value));
}

function isForAnimals(tags: Tags): boolean {
  return (
    is(tags, "amenity", "watering_place") ||
    is(tags, "fountain", "dog_bowl") ||
    is(tags, "dog_bowl", "only")
  );
}
