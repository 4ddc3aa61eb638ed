/**
 * Tiles of open data that were asked for, held in memory and searched by circle: one tile serves all
 * points in it, and `/v1/nearby` without a call (architecture, Layers).
 */
import { LRUCache } from "lru-cache";
import { distance_m } from "#core/geo.ts";
import type { Found } from "#core/places/results.ts";
import { PLACE_KINDS, type Place, type PlaceKind } from "#core/places/place.ts";
import { type Tile, tileAt, tilesOf } from "#core/places/tiles.ts";
import type { Circle } from "#world/system-entry.ts";

type HeldTile = { places: readonly Place[]; fetched_at_ms: number };

export type Tiles = {
  get(kind: PlaceKind, tile: Tile): HeldTile | null;
  /**
   * What was found of these kinds in these tiles, which were read whole; a tile without a place is
   * a tile that has none. Places elsewhere are left out.
   */
  put(
    kinds: readonly PlaceKind[],
    tiles: readonly Tile[],
    places: readonly Place[],
    at_ms: number,
  ): void;
  /** Of the tiles that are held, whatever their age. */
  search(kind: PlaceKind, circle: Circle): Found[];
  /** When the oldest of the tiles under the circle was fetched; null: one is not held. */
  oldest(kind: PlaceKind, circle: Circle): number | null;
  /** Places held. */
  count(): number;
};

const MAX_PLACES = 400_000;

export function createTiles(max_places: number = MAX_PLACES): Tiles {
  const held = new LRUCache<number, HeldTile>({ maxSize: max_places });
  const keyOf = (kind: PlaceKind, tile: Tile): number =>
    tile * PLACE_KINDS.length + PLACE_KINDS.indexOf(kind);
  const get: Tiles["get"] = (kind, tile) => held.get(keyOf(kind, tile)) ?? null;
  return {
    get,
    put(kinds, tiles, places, fetched_at_ms) {
      const sorted = new Map<number, Place[]>();
      for (const kind of kinds) for (const tile of tiles) sorted.set(keyOf(kind, tile), []);
      for (const place of places)
        sorted.get(keyOf(place.kind, tileAt(place.lat, place.lon)))?.push(place);
      for (const [key, inside] of sorted)
        held.set(key, { places: inside, fetched_at_ms }, { size: inside.length + 1 });
    },
    search: (kind, { lat, lon, radius_m }) =>
      tilesOf(lat, lon, radius_m).flatMap((tile) =>
        within(get(kind, tile)?.places ?? [], { lat, lon, radius_m }),
      ),
    oldest(kind, { lat, lon, radius_m }) {
      let oldest_ms = Number.POSITIVE_INFINITY;
      for (const tile of tilesOf(lat, lon, radius_m)) {
        const known = get(kind, tile);
        if (!known) return null;
        oldest_ms = Math.min(oldest_ms, known.fetched_at_ms);
      }
      return oldest_ms;
    },
    count: () => held.calculatedSize - held.size,
  };
}

/** Tested against the radius before rounding (decisions, Conventions). */
export function within(places: readonly Place[], { lat, lon, radius_m }: Circle): Found[] {
  const found: Found[] = [];
  for (const place of places) {
    const metres = distance_m(lat, lon, place.lat, place.lon);
    if (metres <= radius_m) found.push({ place, distance_m: metres });
  }
  return found;
}
