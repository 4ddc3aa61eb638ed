/** Places for tests: one plain thing, changed where it matters, and circles over the whole globe. */
import fc from "fast-check";
import type { Location } from "#core/entities.ts";
import { EARTH_RADIUS_M, wrapLon } from "#core/geo.ts";
import { KIND_NAMES, type Place, type PlaceKind } from "#core/places/place.ts";
import { placeId } from "#core/places/results.ts";
import type { Circle } from "#world/world.ts";
import { anyPoint, HERE } from "./domain.ts";

/** Unnamed, unless the change names it. */
export function aPlace(external_id: string, change: Partial<Place> = {}): Place {
  const kind = change.kind ?? "toilets";
  return {
    kind,
    source_id: "openstreetmap",
    source_type: "community",
    external_id,
    name: change.name ?? KIND_NAMES[kind],
    named: change.name !== undefined,
    ...HERE,
    attributes: {},
    keys: [],
    ...change,
  };
}

const RAD = Math.PI / 180;

/** Where one comes to from a point, so many metres along a great circle: right at the poles too. */
export function travelled({ lat, lon }: Location, metres: number, bearing: number): Location {
  const r = metres / EARTH_RADIUS_M;
  const sinLat =
    Math.sin(lat * RAD) * Math.cos(r) + Math.cos(lat * RAD) * Math.sin(r) * Math.cos(bearing);
  const east = Math.sin(bearing) * Math.sin(r) * Math.cos(lat * RAD);
  const turned = Math.atan2(east, Math.cos(r) - Math.sin(lat * RAD) * sinLat) / RAD;
  return { lat: Math.asin(Math.max(-1, Math.min(1, sinLat))) / RAD, lon: wrapLon(lon + turned) };
}

/** Circles anywhere, poles and seam included, up to the largest radius of §4.6 and its margins. */
export const anyCircle: fc.Arbitrary<Circle> = fc
  .tuple(anyPoint, fc.oneof(fc.double({ min: 1, max: 11_000, noNaN: true }), fc.constant(1)))
  .map(([point, radius_m]) => ({ ...point, radius_m }));

/** A circle, and points in it and on its edge. */
export const circleWithPoints: fc.Arbitrary<[Circle, Location[]]> = fc
  .tuple(anyCircle, someWays())
  .map(([circle, ways]) => [
    circle,
    ways.map(({ share, bearing }) => travelled(circle, circle.radius_m * share, bearing)),
  ]);

function someWays(): fc.Arbitrary<{ share: number; bearing: number }[]> {
  const share = fc.oneof(fc.double({ min: 0, max: 1, noNaN: true }), fc.constant(1));
  const bearing = fc.oneof(
    fc.double({ min: 0, max: 2 * Math.PI, noNaN: true }),
    fc.constantFrom(0, Math.PI / 2, Math.PI, (3 * Math.PI) / 2),
  );
  return fc.array(fc.record({ share, bearing }), { minLength: 1, maxLength: 20 });
}

/** Points around a circle, mostly in it, some beyond: brute force has something to tell apart. */
export const circleWithNeighbours: fc.Arbitrary<[Circle, Location[]]> = fc
  .tuple(
    anyCircle,
    fc.array(
      fc.tuple(
        fc.double({ min: 0, max: 2, noNaN: true }),
        fc.double({ min: 0, max: 7, noNaN: true }),
      ),
      { maxLength: 40 },
    ),
  )
  .map(([circle, ways]) => [
    circle,
    ways.map(([share, bearing]) => travelled(circle, circle.radius_m * share, bearing)),
  ]);

export const idsOf = (found: readonly { place: Place }[]): string[] =>
  found.map(({ place }) => placeId(place)).sort();

export const anyKind: fc.Arbitrary<PlaceKind> = fc.constantFrom("aed", "toilets", "water", "wifi");
