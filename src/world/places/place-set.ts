/**
 * A register of places, packed: coordinates as columns, the places as JSON in shared bytes, rows in
 * the order of tiles. A hundred thousand defibrillators are some fifty megabytes outside the heap, and
 * only what a question shows becomes objects.
 */
import { type Box, boxOf } from "#kit/geo.ts";
import { createTable, Growing, pushRow } from "#kit/growing.ts";
import { parseJsonBytes } from "#kit/json.ts";
import { Crowd } from "#core/places/crowd.ts";
import { countedFactsOf } from "#core/places/place-facts.ts";
import type { PlaceHits } from "#core/places/place-hits.ts";
import { cellKeyAt, orderOfKeys, tileOfKey } from "#core/places/order.ts";
import { type Place, PLACE_KINDS } from "#core/places/place.ts";
import { type PlaceRows, searchRows, type SearchOptions } from "#core/places/place-columns.ts";
import { indexTiles } from "#kit/tile-index.ts";
import type { Circle } from "#world/system-entry.ts";

export type PlaceSet = {
  count: number;
  fetched_at_ms: number;
  /** Where its places lie; null: it has none. */
  box: Box | null;
  search(circle: Circle, options: SearchOptions): PlaceHits;
};

const encoder = new TextEncoder();
const FIRST_BYTES = 1 << 16;

export class PlaceSetBuilder {
  readonly #columns = createTable({ lats: Float64Array, lons: Float64Array, keys: Float64Array });
  readonly #ends = new Growing(Float64Array);
  /** Kind and facts of each, in turn. */
  readonly #marks = new Growing(Uint8Array);
  readonly #bytes = new Growing(Uint8Array, FIRST_BYTES);
  readonly #crowds = PLACE_KINDS.map(() => new Crowd());

  /** false: too many of its kind are at that point already, and it is left out. */
  add(place: Place): boolean {
    const kind = PLACE_KINDS.indexOf(place.kind);
    if (!this.#crowds[kind]!.admits(place)) return false;
    const { lat, lon } = place;
    pushRow<"lats" | "lons" | "keys">(this.#columns, {
      lats: lat,
      lons: lon,
      keys: cellKeyAt(lat, lon),
    });
    this.#marks.push(kind);
    this.#marks.push(countedFactsOf(place));
    this.#bytes.pushAll(encoder.encode(JSON.stringify(place)));
    this.#ends.push(this.#bytes.length);
    return true;
  }

  finish(fetched_at_ms: number): PlaceSet {
    const { lats, lons, keys } = this.#columns;
    const added = {
      lats: lats.view(),
      lons: lons.view(),
      keys: keys.view(),
      marks: this.#marks.view(),
    };
    const [ends, bytes] = [this.#ends.view(), this.#bytes.view()];
    const count = ends.length;
    const order = orderOfKeys(added.keys, count);
    const placeAt = (row: number): Place => {
      const number = order[row]!;
      const start = number === 0 ? 0 : ends[number - 1]!;
      return parseJsonBytes(bytes.subarray(start, ends[number])) as Place;
    };
    const rows: PlaceRows = { ...toColumns(order, added), cells: true, placeAt };
    return {
      count,
      fetched_at_ms,
      box: boxOf(added.lats, added.lons),
      search: (circle, options) => searchRows(rows, PLACE_KINDS, circle, options),
    };
  }
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
