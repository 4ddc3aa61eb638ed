/**
 * Location of a defibrillator of the register (places.md 4.1): its geometry, else its own columns,
 * when that is in France at all. Swapped and misplaced digits put many of them elsewhere.
 */
import type { Box, Location } from "#kit/geo.ts";
import { type Row, toList, toRow } from "#kit/coerce.ts";
import { readLocation } from "#stations/gbfs/gbfs-rows.ts";

/** European France, then the lands overseas, generously. */
const FRANCE: readonly Box[] = [
  { south: 41.2, west: -5.3, north: 51.2, east: 9.7 },
  { south: 14.2, west: -63.3, north: 18.3, east: -60.7 },
  { south: 2, west: -54.7, north: 6, east: -51.5 },
  { south: -21.5, west: 55.1, north: -20.8, east: 55.9 },
  { south: -13.1, west: 44.9, north: -12.5, east: 45.4 },
  { south: 46.6, west: -56.5, north: 47.2, east: -56.1 },
  { south: -28, west: -155, north: -7.7, east: -134.3 },
  { south: -23, west: 157, north: -17, east: 173 },
  { south: -14.5, west: -178.3, north: -13.1, east: -176 },
];

/** The place, or why there is none. */
export function geodaeLocation(feature: Row, properties: Row): Location | string {
  const geometry = toRow(feature["geometry"]);
  const [lon, lat] = geometry?.["type"] === "Point" ? toList(geometry["coordinates"]) : [];
  const drawn = inFrance({ lat, lon });
  if (typeof drawn !== "string") return drawn;
  const written = inFrance({
    lat: withPoint(properties["c_lat_coor1"]),
    lon: withPoint(properties["c_long_coor1"]),
  });
  return typeof written === "string" && drawn !== "coordinates_missing" ? drawn : written;
}

function inFrance(at: Row): Location | string {
  const location = readLocation(at);
  if (typeof location === "string") return location;
  if (isFrench(location)) return location;
  const swapped = { lat: location.lon, lon: location.lat };
  return isFrench(swapped) ? "coordinates_swapped" : "coordinates_elsewhere";
}

function isFrench({ lat, lon }: Location): boolean {
  return FRANCE.some(
    ({ south, west, north, east }) => lat >= south && lat <= north && lon >= west && lon <= east,
  );
}

/** French numbers have a comma. */
function withPoint(value: unknown): unknown {
  return typeof value === "string" ? value.replace(",", ".") : value;
}
