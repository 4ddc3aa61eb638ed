/**
 * Blocking: the stations of one feed that may lie within a distance of a point, from bands of
 * latitude sorted by longitude. Across the antimeridian and at the poles too. A feed is looked up
 * by the stations of another one, never by its own, so that a crowd within one feed costs nothing.
 */
import { METRES_PER_DEGREE } from "#kit/geo.ts";

/** The rows of one feed by band and longitude. */
export type PlaceIndex = {
  reach_m: number;
  /** Height of a band, degrees: the reach and a little more. */
  height: number;
  rows: Int32Array;
  /** Band and cell of longitude of each of `rows` as one number, ascending. */
  keys: Float64Array;
};

type Columns = { lat: ArrayLike<number>; lon: ArrayLike<number> };

/** Cells of longitude: 2 cm at the equator. Cells are compared with cells, never with longitudes. */
const CELLS = 2 ** 31;
const CELL_DEG = 360 / CELLS;
/** From here on a window of longitudes would not be narrower than the band. */
const POLAR_LAT = 89.99;

export function indexPlaces(
  { lat, lon }: Columns,
  rows: readonly number[],
  reach_m: number,
): PlaceIndex {
  const height = (reach_m / METRES_PER_DEGREE) * (1 + 1e-9);
  const unsorted = Float64Array.from(rows, (row) =>
    keyOf(Math.floor((lat[row]! + 90) / height), lon[row]!),
  );
  const order = Int32Array.from(rows, (_, place) => place).sort(
    (x, y) => unsorted[x]! - unsorted[y]! || rows[x]! - rows[y]!,
  );
  return {
    reach_m,
    height,
    rows: Int32Array.from(order, (place) => rows[place]!),
    keys: Float64Array.from(order, (place) => unsorted[place]!),
  };
}

/**
 * Calls `visit` with every row that may lie within reach of the point, and with some that do not,
 * each once, until it returns false.
 */
export function visitNear(
  index: PlaceIndex,
  { lat, lon }: { lat: number; lon: number },
  visit: (row: number) => boolean,
): void {
  const { height } = index;
  const band = Math.floor((lat + 90) / height);
  // Of the point and all that lies within reach, the one nearest to a pole decides.
  const poleward = Math.abs(lat) + height;
  const width =
    poleward >= POLAR_LAT ? 180 : height / Math.cos((poleward * Math.PI) / 180) + CELL_DEG;
  for (let each = band - 1; each <= band + 1; each++)
    for (const [west, east] of windowsOf(lon, width))
      if (!scan(index, keyOf(each, west), keyOf(each, east), visit)) return;
}

/** At most two spans of longitude, none of which overlaps the other. */
function windowsOf(lon: number, width: number): readonly (readonly [number, number])[] {
  if (width >= 180) return [[-180, 180]];
  const west = lon - width;
  const east = lon + width;
  if (west < -180)
    return [
      [-180, east],
      [west + 360, 180],
    ];
  if (east > 180)
    return [
      [west, 180],
      [-180, east - 360],
    ];
  return [[west, east]];
}

/** -180 and 180 have cells of their own: a search beyond one of them goes on from the other. */
function keyOf(band: number, lon: number): number {
  return band * 2 * CELLS + Math.floor((lon + 180) / CELL_DEG);
}

function scan(
  { rows, keys }: PlaceIndex,
  from: number,
  to: number,
  visit: (row: number) => boolean,
): boolean {
  for (let i = lowerBound(keys, from); i < keys.length && keys[i]! <= to; i++)
    if (!visit(rows[i]!)) return false;
  return true;
}

function lowerBound(sorted: Float64Array, value: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (sorted[middle]! < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
