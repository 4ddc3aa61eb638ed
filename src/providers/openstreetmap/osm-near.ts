/** Search for the points that are near another: a grid, since an answer may hold tens of thousands. */
import type { Location } from "#kit/geo.ts";
import { distance_m, METRES_PER_DEGREE } from "#kit/geo.ts";

/** More than this in one cell is a heap of copies; a heap must not cost its square. */
const MAX_IN_CELL = 64;

export type NearIndex<T> = { point: T; metres: number };

/** Gives what lies within `radius_m`, nearest first; ties in the order given. */
export function createNear<T extends Location>(
  points: readonly T[],
  radius_m: number,
): (at: Location) => NearIndex<T>[] {
  // A hundredth more than the radius: what lies just within it is never two cells away.
  const height = (radius_m * 1.01) / METRES_PER_DEGREE;
  const cells = new Map<number, T[]>();
  // More columns than any row has.
  const most_columns = Math.ceil(360 / height) + 1;
  const cellOf = ({ lat, lon }: Location, up: number, right: number): number => {
    const row = Math.floor(lat / height) + up;
    // Columns are as wide as the radius at the parallel that is nearer to the pole.
    const narrowest = Math.cos((Math.min(89.9, (Math.abs(row) + 1) * height) * Math.PI) / 180);
    const columns = Math.max(1, Math.floor((360 / height) * narrowest));
    const column = Math.floor(((lon + 180) / 360) * columns) + right;
    return row * most_columns + (((column % columns) + columns) % columns);
  };
  for (const point of points) {
    const key = cellOf(point, 0, 0);
    const cell = cells.get(key);
    if (!cell) cells.set(key, [point]);
    else if (cell.length < MAX_IN_CELL) cell.push(point);
  }
  return (at) => {
    const keys = new Set<number>();
    for (const up of STEPS) for (const right of STEPS) keys.add(cellOf(at, up, right));
    const found: NearIndex<T>[] = [];
    for (const key of keys)
      for (const point of cells.get(key) ?? []) {
        const metres = distance_m(at.lat, at.lon, point.lat, point.lon);
        if (metres <= radius_m) found.push({ point, metres });
      }
    return found.sort((a, b) => a.metres - b.metres);
  };
}

const STEPS = [-1, 0, 1] as const;
