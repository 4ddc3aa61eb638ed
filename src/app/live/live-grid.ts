/**
 * The grid that finds which scopes may see a point: tiles of the web mercator projection at zoom 13
 * (some 3 to 5 km a side), by number. Finding is rough: the scope itself is asked then.
 */
import type { Box, Location } from "#kit/geo.ts";
import { wrapLon } from "#kit/geo.ts";

const ZOOM = 13;
const SIDE = 2 ** ZOOM;
/** Beyond it the projection has no tiles; what lies there is in the outermost row. */
const LAT_MAX = 85.051129;
const RAD = Math.PI / 180;

/** Tiles of one scope; one that touches more, such as a long strip, is asked about every point. */
const TILES_MAX = 64;

export function tileAt({ lat, lon }: Location): number {
  return rowAt(lat) * SIDE + columnAt(lon);
}

/** Lists the tiles that a box touches; null: too many. */
export function tilesOfBox({ south, west, north, east }: Box): readonly number[] | null {
  const first = columnAt(west);
  const columns = ((columnAt(east) - first + SIDE) % SIDE) + 1;
  // From a column round the Earth into the same one.
  const isRound = columns === 1 && (east < west || east - west > 180);
  const rows = rowAt(south) - rowAt(north) + 1;
  if (isRound || rows * columns > TILES_MAX) return null;
  return Array.from(
    { length: rows * columns },
    (_, i) => (rowAt(north) + Math.floor(i / columns)) * SIDE + ((first + (i % columns)) % SIDE),
  );
}

/** From the west; 180° is -180°. */
function columnAt(lon: number): number {
  return Math.min(SIDE - 1, Math.floor(((wrapLon(lon) + 180) / 360) * SIDE));
}

/** From the north. */
function rowAt(lat: number): number {
  const sin = Math.sin(Math.max(-LAT_MAX, Math.min(LAT_MAX, lat)) * RAD);
  const y = 0.5 - Math.log((1 + sin) / (1 - sin)) / (4 * Math.PI);
  return Math.max(0, Math.min(SIDE - 1, Math.floor(y * SIDE)));
}

/** Finds things by the tiles that they are in. */
export class Grid<T> {
  readonly #tiles = new Map<number, Set<T>>();
  /** Those that are in too many tiles. */
  readonly #everywhere = new Set<T>();

  add(tiles: readonly number[] | null, thing: T): void {
    if (tiles === null) this.#everywhere.add(thing);
    for (const tile of tiles ?? []) {
      const things = this.#tiles.get(tile);
      if (things) things.add(thing);
      else this.#tiles.set(tile, new Set([thing]));
    }
  }

  remove(tiles: readonly number[] | null, thing: T): void {
    this.#everywhere.delete(thing);
    for (const tile of tiles ?? []) {
      const things = this.#tiles.get(tile);
      if (things?.delete(thing) && things.size === 0) this.#tiles.delete(tile);
    }
  }

  get everywhere(): ReadonlySet<T> {
    return this.#everywhere;
  }

  at(tile: number): ReadonlySet<T> | undefined {
    return this.#tiles.get(tile);
  }
}
