/**
 * Location of a defibrillator of the register (places.md 4.1): its geometry, else its own columns,
 * when that is in France at all. Swapped and misplaced digits put many of them elsewhere.
 */
import type { Location } from "#kit/geo.ts";
import { type Row, toList, toRow } from "#kit/coerce.ts";
import { readLocation } from "#stations/gbfs/gbfs-rows.ts";
import { isFrench } from "#providers/french-land.ts";

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

/** French numbers have a comma. */
function withPoint(value: unknown): unknown {
  return typeof value === "string" ? value.replace(",", ".") : value;
}
