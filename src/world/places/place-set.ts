/**
 * A register of places, packed: coordinates as columns, the places as JSON in shared bytes, a list
 * of rows per tile. A hundred thousand defibrillators are some fifty megabytes outside the heap, and
 * only what a circle holds becomes objects.
 */
import { distance_m } from "#core/geo.ts";
import { parseJsonBytes } from "#core/json.ts";
import type { Place } from "#core/places/place.ts";
import { tileAt, tilesOf } from "#core/places/tiles.ts";
import type { Found } from "#core/places/results.ts";
import type { Circle } from "#world/system-entry.ts";

export type PlaceSet = {
  count: number;
  fetched_at_ms: number;
  search(circle: Circle): Found[];
};

export type PlaceSetBuilder = { add(place: Place): void; finish(fetched_at_ms: number): PlaceSet };

const encoder = new TextEncoder();
const FIRST_ROWS = 1024;
const FIRST_BYTES = 1 << 16;

export function createPlaceSetBuilder(): PlaceSetBuilder {
  let lats = new Float64Array(FIRST_ROWS);
  let lons = new Float64Array(FIRST_ROWS);
  let ends = new Float64Array(FIRST_ROWS);
  let bytes = new Uint8Array(FIRST_BYTES);
  let count = 0;
  let length = 0;
  const rows = new Map<number, number[]>();
  return {
    add(place) {
      if (count === lats.length) {
        lats = grown(lats, count * 2);
        lons = grown(lons, count * 2);
        ends = grown(ends, count * 2);
      }
      const json = encoder.encode(JSON.stringify(place));
      if (length + json.length > bytes.length)
        bytes = grownBytes(bytes, Math.max(bytes.length * 2, length + json.length));
      bytes.set(json, length);
      length += json.length;
      lats[count] = place.lat;
      lons[count] = place.lon;
      ends[count] = length;
      const tile = tileAt(place.lat, place.lon);
      const inside = rows.get(tile);
      if (inside) inside.push(count);
      else rows.set(tile, [count]);
      count++;
    },
    finish: (fetched_at_ms) => ({
      count,
      fetched_at_ms,
      search: ({ lat, lon, radius_m }) => {
        const found: Found[] = [];
        for (const tile of tilesOf(lat, lon, radius_m))
          for (const row of rows.get(tile) ?? []) {
            const metres = distance_m(lat, lon, lats[row]!, lons[row]!);
            if (metres > radius_m) continue;
            const start = row === 0 ? 0 : ends[row - 1]!;
            const place = parseJsonBytes(bytes.subarray(start, ends[row])) as Place;
            found.push({ place, distance_m: metres });
          }
        return found;
      },
    }),
  };
}

function grown(column: Float64Array<ArrayBuffer>, to: number): Float64Array<ArrayBuffer> {
  const larger = new Float64Array(to);
  larger.set(column);
  return larger;
}

function grownBytes(bytes: Uint8Array<ArrayBuffer>, to: number): Uint8Array<ArrayBuffer> {
  const larger = new Uint8Array(to);
  larger.set(bytes);
  return larger;
}
