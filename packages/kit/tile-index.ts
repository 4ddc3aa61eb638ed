/** Rows sorted by tile, and which of them may lie in a circle: the index of packed points. */
import { reachOf } from "./geo.ts";
import { CELLS, cellsIn, tilesOf } from "./tiles.ts";

/** Each tile once, ascending, and the first row of each; `starts` has one more: the count of rows. */
export type TileIndex = { tiles: Uint32Array; starts: Uint32Array };

/** From here on every tile is nearer than a list of tiles is long. */
const WIDE_M = 200_000;

/** The index of rows whose tiles are given in ascending order. */
export function indexTiles(tileOf: ArrayLike<number>): TileIndex {
  const firsts: number[] = [];
  for (let row = 0; row < tileOf.length; row++)
    if (row === 0 || tileOf[row] !== tileOf[row - 1]) firsts.push(row);
  return {
    tiles: Uint32Array.from(firsts, (row) => tileOf[row]!),
    starts: Uint32Array.from([...firsts, tileOf.length]),
  };
}

/** Ranges of rows that may lie in the circle; what lies outside is for the caller to leave out. */
export function* spansIn(
  { tiles, starts }: TileIndex,
  lat: number,
  lon: number,
  radius_m: number,
): Generator<[from: number, to: number]> {
  if (radius_m > WIDE_M) return yield [0, starts.at(-1)!];
  for (const tile of tilesOf(lat, lon, radius_m)) {
    const at = placeOf(tiles, tile);
    if (tiles[at] === tile) yield [starts[at]!, starts[at + 1]!];
  }
}

/** Fewer rows of a tile are looked at rather than divided. */
const FEW = 32;

/**
 * As `spansIn`, of rows that are in the order of their cells (`cellOf`) within each tile: a small
 * circle in a dense tile is a few rows.
 */
export function* spansOfCells(
  index: TileIndex,
  cellOf: (row: number) => number,
  { lat, lon, radius_m }: { lat: number; lon: number; radius_m: number },
): Generator<[from: number, to: number]> {
  const reach = reachOf(lat, radius_m);
  if (radius_m > WIDE_M) return yield* spansIn(index, lat, lon, radius_m);
  const { tiles, starts } = index;
  for (const tile of tilesOf(lat, lon, radius_m)) {
    const at = placeOf(tiles, tile);
    if (tiles[at] !== tile) continue;
    const [from, to] = [starts[at]!, starts[at + 1]!];
    const { south, north, west, east } = cellsIn(tile, lat, lon, reach);
    const isWide = west === 0 && east === CELLS - 1;
    if (to - from <= FEW) yield [from, to];
    else if (isWide)
      yield [
        firstOf(cellOf, south * CELLS, from, to),
        firstOf(cellOf, (north + 1) * CELLS, from, to),
      ];
    else
      for (let row = south; row <= north; row++) {
        const first = firstOf(cellOf, row * CELLS + west, from, to);
        const end = firstOf(cellOf, row * CELLS + east + 1, first, to);
        if (end > first) yield [first, end];
      }
  }
}

/** The first row from `from` on whose cell is not below the wanted one. */
function firstOf(cellOf: (row: number) => number, wanted: number, from: number, to: number) {
  let [low, high] = [from, to];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (cellOf(middle) < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The first place whose value is not below the wanted one. */
function placeOf(values: Uint32Array, wanted: number): number {
  let low = 0;
  let high = values.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (values[middle]! < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}
