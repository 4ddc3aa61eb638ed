/** Area of Paris, and locations in its open data. */
import type { Box, Location } from "#kit/geo.ts";
import { type Row, toList, toRow } from "#kit/coerce.ts";
import { type Dropped, toLocation } from "#providers/place-rows.ts";

/** The city with its two woods, to the next hundredth of a degree. */
const PARIS: Box = { south: 48.81, west: 2.22, north: 48.91, east: 2.48 };

export function isInParis({ lat, lon }: Location): boolean {
  return lat >= PARIS.south && lat <= PARIS.north && lon >= PARIS.west && lon <= PARIS.east;
}

/** Returns `geo_point_2d`, else the point of `geo_shape`; or why there is neither. */
export function areaLocation(row: Row): Location | Dropped {
  const point = pointOf(row["geo_point_2d"]) ?? shapeOf(row["geo_shape"]);
  if (point === null) return "coordinates_missing";
  const location = toLocation(point[0], point[1]);
  if (typeof location === "string") return location;
  if (isInParis(location)) return location;
  const swapped = { lat: location.lon, lon: location.lat };
  return isInParis(swapped) ? "coordinates_swapped" : "coordinates_elsewhere";
}

type Pair = readonly [lat: unknown, lon: unknown];

/** An object in v2, a list of latitude and longitude in v1. */
function pointOf(value: unknown): Pair | null {
  const row = toRow(value);
  if (row) return [row["lat"], row["lon"]];
  const [lat, lon] = toList(value);
  return lat === undefined ? null : [lat, lon];
}

/** GeoJSON, bare or as the geometry of a feature: longitude comes first. */
function shapeOf(value: unknown): Pair | null {
  const shape = toRow(value);
  const geometry = toRow(shape?.["geometry"]) ?? shape;
  const coordinates = toList(geometry?.["coordinates"]);
  const [lon, lat] = Array.isArray(coordinates[0]) ? (coordinates[0] as unknown[]) : coordinates;
  return lat === undefined ? null : [lat, lon];
}
