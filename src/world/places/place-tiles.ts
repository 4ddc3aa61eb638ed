/**
 * Tiles of open data that were asked for, held in memory and searched by circle: one tile serves all
 * points in it, and `/v1/nearby` without a call (architecture, Layers).
 */
import { LRUCache } from "lru-cache";
import { distance_m } from "#kit/geo.ts";
import { countedFactsOf } from "#core/places/place-facts.ts";
import { PlaceHits } from "#core/places/place-hits.ts";
import { narrowed, type PlacePart, type SearchOptions } from "#core/places/place-columns.ts";
import { PLACE_KINDS, type Place, type PlaceKind } from "#core/places/place.ts";
import { type Tile, tileAt, tilesOf } from "#kit/tiles.ts";
import type { Circle } from "#world/system-entry.ts";

type HeldTile = { places: readonly Place[]; facts: Uint8Array; fetched_at_ms: number };

export type Tiles = {
  get(kind: PlaceKind, tile: Tile): Pick<HeldTile, "places" | "fetched_at_ms"> | null;
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
  search(kinds: readonly PlaceKind[], circle: Circle, options: SearchOptions): PlaceHits;
  /** When the oldest of the tiles under the circle was fetched; null: one is not held. */
  oldest(kind: PlaceKind, circle: Circle): number | null;
  /** Places held. */
  count(): number;
};

const MAX_PLACES = 400_000;

export function createTiles(max_places: number = MAX_PLACES): Tiles {
  const stored = new LRUCache<number, HeldTile>({ maxSize: max_places });
  const keyOf = (kind: PlaceKind, tile: Tile): number =>
    tile * PLACE_KINDS.length + PLACE_KINDS.indexOf(kind);
  const get = (kind: PlaceKind, tile: Tile): HeldTile | null =>
    stored.get(keyOf(kind, tile)) ?? null;
  return {
    get,
    put(kinds, tiles, places, fetched_at_ms) {
      const sorted = new Map<number, Place[]>();
      for (const kind of kinds) for (const tile of tiles) sorted.set(keyOf(kind, tile), []);
      for (const place of places)
        sorted.get(keyOf(place.kind, tileAt(place.lat, place.lon)))?.push(place);
      for (const [key, inside] of sorted)
        stored.set(
          key,
          { places: inside, facts: Uint8Array.from(inside, countedFactsOf), fetched_at_ms },
          { size: inside.length + 1 },
        );
    },
    search(kinds, circle, { budget }) {
      const { lat, lon } = circle;
      const partsIn = (radius_m: number): PlacePart<KindTile>[] => {
        const tiles = tilesOf(lat, lon, radius_m);
        return kinds.flatMap((kind) =>
          tiles.flatMap((tile) => {
            const entry = get(kind, tile);
            if (!entry) return [];
            const part = { kind: PLACE_KINDS.indexOf(kind), tile: entry };
            return [{ part, count: entry.places.length }];
          }),
        );
      };
      const { parts, radius_m } = narrowed(circle.radius_m, budget, partsIn);
      return within(parts, radius_m === 0 ? circle : { lat, lon, radius_m }, {
        whole_m: radius_m < circle.radius_m ? radius_m : Number.POSITIVE_INFINITY,
      });
    },
    oldest(kind, { lat, lon, radius_m }) {
      let oldest_ms = Number.POSITIVE_INFINITY;
      for (const tile of tilesOf(lat, lon, radius_m)) {
        const entry = get(kind, tile);
        if (!entry) return null;
        oldest_ms = Math.min(oldest_ms, entry.fetched_at_ms);
      }
      return oldest_ms;
    },
    count: () => stored.calculatedSize - stored.size,
  };
}

type KindTile = { kind: number; tile: HeldTile };

/** Tested against the radius before rounding (decisions, Conventions). */
function within(
  parts: readonly PlacePart<KindTile>[],
  { lat, lon, radius_m }: Circle,
  { whole_m }: { whole_m: number },
): PlaceHits {
  const places: Place[] = [];
  const columns = { metres: [] as number[], kinds: [] as number[], facts: [] as number[] };
  for (const { part, count } of parts)
    for (let row = 0; row < count; row++) {
      const place = part.tile.places[row]!;
      const metres = distance_m(lat, lon, place.lat, place.lon);
      if (metres > radius_m) continue;
      places.push(place);
      columns.metres.push(metres);
      columns.kinds.push(part.kind);
      columns.facts.push(part.tile.facts[row]!);
    }
  return new PlaceHits(columns, (hit) => places[hit]!, whole_m);
}
