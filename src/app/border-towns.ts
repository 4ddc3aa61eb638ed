/**
 * The country of a point next to a town that the map of countries, which is drawn for editors and is
 * coarse by some kilometres, puts on the wrong side of a border (Tornio, Halluin). The nearest town
 * decides; the table is made by scripts/pages/border-towns.ts.
 */
import { distance_m } from "#kit/geo.ts";
import towns from "./border-towns.json" with { type: "json" };

type Row = readonly [lat: number, lon: number, country: string];

const ROWS = towns as unknown as readonly Row[];
/** Further from every town of the table the map of countries decides. */
const REACH_M = 5_000;
/** The table has all towns this near to a misplaced one, so that the nearest of a point is in it. @public */
export const NEIGHBOURS_M = 2 * REACH_M;
const REACH_DEGREES = 0.05;

/** ISO 3166-1 alpha-2 of the nearest town of the table; null: none is near. */
export function countryOfBorderTown(lat: number, lon: number): string | null {
  let [country, nearest_m]: [string | null, number] = [null, REACH_M];
  for (const [town_lat, town_lon, town_country] of ROWS) {
    if (Math.abs(town_lat - lat) > REACH_DEGREES) continue;
    const metres = distance_m(lat, lon, town_lat, town_lon);
    if (metres <= nearest_m) [country, nearest_m] = [town_country, metres];
  }
  return country;
}

/** Boxes in which a town may decide: south, west, north, east. */
export function boxesOfTowns(): [number, number, number, number][] {
  return ROWS.map(([lat, lon]) => {
    const wide = REACH_DEGREES / Math.max(0.01, Math.cos((lat * Math.PI) / 180));
    return [lat - REACH_DEGREES, lon - 2 * wide, lat + REACH_DEGREES, lon + 2 * wide];
  });
}
