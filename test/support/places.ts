/** Places for tests: one plain thing, changed where it matters, and circles over the whole globe. */
import { toEnd } from "#kit/steps.ts";
import fc from "fast-check";
import { defaultsOf } from "#api/primitives.ts";
import { CHARGING_FILTERS, USABLE_PARAMETERS } from "#api/usable.ts";
import type { Location } from "#kit/geo.ts";
import { EARTH_RADIUS_M, wrapLon } from "#kit/geo.ts";
import { type MergedPlace, mergePlaces } from "#core/places/merge-places.ts";
import type { Place, PlaceKind } from "#core/places/place.ts";
import { placeId } from "#core/places/place-results.ts";
import { createPlaceBudget } from "#core/places/select.ts";
import { createBasePlaces, type HeldTiles, inFrontOf } from "#world/places/base-places.ts";
import type { Tiles } from "#world/places/place-tiles.ts";
import type { Circle } from "#world/system-entry.ts";
import { anyPoint, HERE } from "./domain.ts";
import { NO_WALKS } from "./walks.ts";

/** What a question for places says where it leaves out nothing and asks for no ways. */
export const NO_FILTERS = {
  ...defaultsOf({ ...USABLE_PARAMETERS, ...CHARGING_FILTERS }),
  ...NO_WALKS,
};

/** Unnamed, unless the change names it. */
export function aPlace(external_id: string, change: Partial<Place> = {}): Place {
  const kind = change.kind ?? "toilets";
  return {
    kind,
    source_id: "openstreetmap",
    source_type: "community",
    external_id,
    name: null,
    ...HERE,
    attributes: {},
    keys: [],
    ...change,
  };
}

const RAD = Math.PI / 180;

/** The destination from a point along a great circle, after the given metres: exact at the poles too. */
export function travelled({ lat, lon }: Location, metres: number, bearing: number): Location {
  const r = metres / EARTH_RADIUS_M;
  const sinLat =
    Math.sin(lat * RAD) * Math.cos(r) + Math.cos(lat * RAD) * Math.sin(r) * Math.cos(bearing);
  const east = Math.sin(bearing) * Math.sin(r) * Math.cos(lat * RAD);
  const turned = Math.atan2(east, Math.cos(r) - Math.sin(lat * RAD) * sinLat) / RAD;
  return { lat: Math.asin(Math.max(-1, Math.min(1, sinLat))) / RAD, lon: wrapLon(lon + turned) };
}

/** Even over its range: fast-check's doubles crowd at its ends. */
const share = (most: number): fc.Arbitrary<number> =>
  fc.integer({ min: 0, max: 1_000_000 }).map((part) => (part / 1_000_000) * most);

const evenPoint: fc.Arbitrary<Location> = fc
  .tuple(share(180), share(360))
  .map(([lat, lon]) => ({ lat: lat - 90, lon: lon - 180 }));

/** Circles anywhere, poles and seam included, up to the largest radius of §4.6 and its margins. */
export const anyCircle: fc.Arbitrary<Circle> = fc
  .tuple(fc.oneof(anyPoint, evenPoint), fc.oneof(share(11_000), fc.constantFrom(1, 1500, 10_000)))
  .map(([point, radius_m]) => ({ ...point, radius_m: Math.max(1, radius_m) }));

const bearing = fc.oneof(
  share(2 * Math.PI),
  fc.constantFrom(0, Math.PI / 2, Math.PI, (3 * Math.PI) / 2),
);

/** A circle, and points around it at the given multiples of its radius. */
function circleWith(
  radii: fc.Arbitrary<number>,
  maxLength: number,
): fc.Arbitrary<[Circle, Location[]]> {
  return fc
    .tuple(anyCircle, fc.array(fc.tuple(radii, bearing), { minLength: 1, maxLength }))
    .map(([circle, ways]) => [
      circle,
      ways.map(([part, angle]) => travelled(circle, circle.radius_m * part, angle)),
    ]);
}

/** Points in it, many of them on its edge. */
export const circleWithPoints: fc.Arbitrary<[Circle, Location[]]> = circleWith(
  fc.oneof(share(1), fc.constant(1)),
  20,
);

/** Points in it and beyond: brute force has something to distinguish. */
export const circleWithNeighbours: fc.Arbitrary<[Circle, Location[]]> = circleWith(share(2), 40);

export const idsOf = (matches: Iterable<{ place: Place }>): string[] =>
  Array.from(matches, ({ place }) => placeId(place)).sort();

/** What a question for places may cost. */
export const options = () => ({ budget: createPlaceBudget() });

export const anyKind: fc.Arbitrary<PlaceKind> = fc.constantFrom("aed", "toilets", "water", "wifi");

/** As many as there are. */
export function mergeAll(sources: readonly (readonly Place[])[]): MergedPlace[] {
  return toEnd(mergePlaces(sources, Number.POSITIVE_INFINITY))!;
}

/** Tiles where no base is in front of them. */
export function tilesAlone(tiles: Pick<Tiles, "search" | "oldest">): HeldTiles {
  return inFrontOf(
    tiles,
    createBasePlaces(() => []),
    () => 0,
  );
}
