/** The gazetteer as columns: those of a geocoder over its rows, and how far each settlement reaches. */
import { columnName } from "#osm/base/base-layout.ts";
import {
  createGeocoderSection,
  type GeocoderMeta,
  type PlaceRow,
} from "#osm/geocoder/geocoder-section.ts";
import type { Columns } from "#kit/pack.ts";

/** How the pack names the column of reaches, in metres by document; 0: nothing is near to it. */
export const REACH_COLUMN = columnName("gazetteer", "reach_m");

/** Settlements that a point may be near to. Parts of cities are left to them. */
const SETTLEMENTS: ReadonlySet<string> = new Set(["city", "town", "village"]);
const LEAST_REACH_M = 2_500;
const MOST_REACH_M = 30_000;

/** In steps, since it takes some seconds. */
export function* buildGazetteer(
  rows: Iterable<PlaceRow>,
): Generator<void, { columns: Columns; meta: GeocoderMeta }> {
  const reaches: [id: number, reach_m: number][] = [];
  const section = createGeocoderSection();
  section.addPlaces(
    (function* () {
      for (const row of rows) {
        reaches.push([row.id, reachOf(row)]);
        yield row;
      }
    })(),
  );
  const { columns, meta } = yield* section.finish();
  const own = Object.entries(columns).map(([name, column]) => [
    columnName(section.name, name),
    column,
  ]);
  // Documents of places are in the order of their ids.
  reaches.sort(([a], [b]) => a - b);
  return {
    columns: {
      ...Object.fromEntries(own),
      [REACH_COLUMN]: Uint16Array.from(reaches, ([, reach_m]) => reach_m),
    },
    meta: meta as GeocoderMeta,
  };
}

/** Grows with the root of third degree of the people: 2.5 km for a thousand, 25 km for a million. */
function reachOf({ kind, population }: PlaceRow): number {
  if (!SETTLEMENTS.has(kind)) return 0;
  const reach = LEAST_REACH_M * Math.cbrt((population ?? 0) / 1000);
  return Math.round(Math.min(MOST_REACH_M, Math.max(LEAST_REACH_M, reach)));
}
