/**
 * A register of places, packed: coordinates as columns, the places as JSON in shared bytes, rows in
 * the order of tiles. A hundred thousand defibrillators are some fifty megabytes outside the heap, and
 * only what a question shows becomes objects.
 */
import { parseJsonBytes } from "#kit/json.ts";
import { Crowd } from "#core/places/crowd.ts";
import { countedFactsOf } from "#core/places/facts.ts";
import type { Hits } from "#core/places/hits.ts";
import { cellKeyAt, orderOfKeys, tileOfKey } from "#core/places/order.ts";
import { type Place, PLACE_KINDS } from "#core/places/place.ts";
import { type PlaceRows, searchRows, type SearchOptions } from "#core/places/rows.ts";
import { indexTiles } from "#kit/tile-index.ts";
import type { Circle } from "#world/system-entry.ts";

export type PlaceSet = {
  count: number;
  fetched_at_ms: number;
  search(circle: Circle, options: SearchOptions): Hits;
};

export type PlaceSetBuilder = {
  /** false: too many of its kind are at that point already, and it is left out. */
  add(place: Place): boolean;
  finish(fetched_at_ms: number): PlaceSet;
};

const encoder = new TextEncoder();
const FIRST_ROWS = 1024;
const FIRST_BYTES = 1 << 16;

export function createPlaceSetBuilder(): PlaceSetBuilder {
  let lats = new Float64Array(FIRST_ROWS);
  let lons = new Float64Array(FIRST_ROWS);
  let ends = new Float64Array(FIRST_ROWS);
  let keys = new Float64Array(FIRST_ROWS);
  /** Kind and facts of each, in turn. */
  let marks = new Uint8Array(2 * FIRST_ROWS);
  let bytes = new Uint8Array(FIRST_BYTES);
  let count = 0;
  let length = 0;
  const crowds = PLACE_KINDS.map(() => new Crowd());
  return {
    add(place) {
      const kind = PLACE_KINDS.indexOf(place.kind);
      if (!crowds[kind]!.admits(place)) return false;
      if (count === lats.length) {
        lats = grown(lats, count * 2);
        lons = grown(lons, count * 2);
        ends = grown(ends, count * 2);
        keys = grown(keys, count * 2);
        marks = grownBytes(marks, count * 4);
      }
      const json = encoder.encode(JSON.stringify(place));
      if (length + json.length > bytes.length)
        bytes = grownBytes(bytes, Math.max(bytes.length * 2, length + json.length));
      bytes.set(json, length);
      length += json.length;
      lats[count] = place.lat;
      lons[count] = place.lon;
      ends[count] = length;
      keys[count] = cellKeyAt(place.lat, place.lon);
      marks[2 * count] = kind;
      marks[2 * count + 1] = countedFactsOf(place);
      count++;
      return true;
    },
    finish(fetched_at_ms) {
      const order = orderOfKeys(keys, count);
      const added = { lats, lons, marks, keys };
      const placeAt = (row: number): Place => {
        const number = order[row]!;
        const start = number === 0 ? 0 : ends[number - 1]!;
        return parseJsonBytes(bytes.subarray(start, ends[number])) as Place;
      };
      const rows: PlaceRows = { ...toColumns(order, added), cells: true, placeAt };
      return {
        count,
        fetched_at_ms,
        search: (circle, options) => searchRows(rows, PLACE_KINDS, circle, options),
      };
    },
  };
}

type Added = { lats: Float64Array; lons: Float64Array; marks: Uint8Array; keys: Float64Array };

function toColumns(
  order: Uint32Array,
  { lats, lons, marks, keys }: Added,
): Omit<PlaceRows, "cells" | "placeAt"> {
  const count = order.length;
  const columns = {
    lats: new Float64Array(count),
    lons: new Float64Array(count),
    kinds: new Uint8Array(count),
    facts: new Uint8Array(count),
  };
  const tiles = new Uint32Array(count);
  for (let row = 0; row < count; row++) {
    const number = order[row]!;
    columns.lats[row] = lats[number]!;
    columns.lons[row] = lons[number]!;
    columns.kinds[row] = marks[2 * number]!;
    columns.facts[row] = marks[2 * number + 1]!;
    tiles[row] = tileOfKey(keys[number]!);
  }
  return { ...columns, index: indexTiles(tiles) };
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
