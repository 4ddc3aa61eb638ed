/** Points of a feature on the grid of tiles, and which pages they touch. */
import type { GridBox } from "../../pages/page-cell.ts";
import { METRES_PER_DEGREE } from "#kit/geo.ts";
import { FULL_BITS, toX, toY } from "../../tiles/grid.ts";
import type { PageGrid } from "./page-grid.ts";

/** x, y, x, y, … */
export type GridPoints = Int32Array;

/** South, west, north, east in ten-millionths of a degree. */
export type Box7 = readonly [number, number, number, number];

const WORLD = 2 ** FULL_BITS;
const METRES_AROUND = METRES_PER_DEGREE * 360;
/** Of the equator's length that a parallel has at least, as distances of the geocoder do. */
const LEAST_COSINE = 0.01;

export function toGridPoints(points: Int32Array): GridPoints {
  const grid = new Int32Array(points.length);
  for (let i = 0; i < points.length; i += 2) {
    grid[i] = toX(points[i + 1]!);
    grid[i + 1] = toY(points[i]!);
  }
  return grid;
}

/** Box of points lat7, lon7, …, of which there is one at least. */
export function box7Of(points: Int32Array): [number, number, number, number] {
  let [south, west] = [points[0]!, points[1]!];
  let [north, east] = [south, west];
  for (let i = 2; i < points.length; i += 2) {
    const [lat, lon] = [points[i]!, points[i + 1]!];
    if (lat < south) south = lat;
    else if (lat > north) north = lat;
    if (lon < west) west = lon;
    else if (lon > east) east = lon;
  }
  return [south, west, north, east];
}

/** Steps of latitude between which the grid is taken for even, which is wrong by less than `ROUGH` units. */
const STEP_BITS = 15;
const STEP7 = 2 ** STEP_BITS;
const MOST_LAT7 = 850_000_000;
const ROUGH = 2;
const ROWS = Float64Array.from({ length: Math.ceil((2 * MOST_LAT7) / STEP7) + 2 }, (_, i) =>
  toY(i * STEP7 - MOST_LAT7),
);

function toRoughY(lat7: number): number {
  if (lat7 < -MOST_LAT7 || lat7 > MOST_LAT7) return toY(lat7);
  const place = lat7 + MOST_LAT7;
  const step = Math.floor(place / STEP7);
  const from = ROWS[step]!;
  return Math.round(from + (ROWS[step + 1]! - from) * (place / STEP7 - step));
}

/** A box that holds that of `toGridBox`, and is larger by a few units at most. */
export function toRoughBox([south, west, north, east]: Box7): GridBox {
  return {
    west: toX(west),
    north: toRoughY(north) - ROUGH,
    east: toX(east),
    south: toRoughY(south) + ROUGH,
  };
}

/** `south, west, north, east` in ten-millionths of a degree. */
export function toGridBox([south, west, north, east]: Box7): GridBox {
  return { west: toX(west), north: toY(north), east: toX(east), south: toY(south) };
}

/** Units of the grid that a number of metres has where a box is farthest from the equator. */
export function unitsAt(
  distance_m: number,
  { north, south }: Pick<GridBox, "north" | "south">,
): number {
  const far = Math.max(Math.abs(WORLD / 2 - north), Math.abs(WORLD / 2 - south));
  const cosine = Math.max(LEAST_COSINE, 1 / Math.cosh((2 * Math.PI * far) / WORLD));
  return Math.ceil((distance_m / METRES_AROUND) * (WORLD / cosine));
}

/** By distance from the equator, in bands: how many units a metre has at most. */
const BAND_BITS = 16;
const UNITS_A_METRE = Float64Array.from(
  { length: 2 ** (FULL_BITS - BAND_BITS - 1) + 2 },
  (_, i) => {
    const y = WORLD / 2 + (i + 1) * 2 ** BAND_BITS;
    return unitsAt(1e6, { north: y, south: y }) / 1e6;
  },
);

/** No less than `unitsAt`, and little more. */
export function roughUnitsAt(distance_m: number, { north, south }: GridBox): number {
  const far = Math.max(Math.abs(WORLD / 2 - north), Math.abs(WORLD / 2 - south));
  return Math.ceil(distance_m * UNITS_A_METRE[Math.min(WORLD / 2, far) >> BAND_BITS]!);
}

export function widened({ west, north, east, south }: GridBox, by: number): GridBox {
  return { west: west - by, north: north - by, east: east + by, south: south + by };
}

type See = (page: number) => void;
/** Units of the grid by which a box is widened, and whether that goes on beyond the antimeridian. */
type Reach = { of(box: GridBox): number; isRound: boolean };

export function metres(distance_m: number): Reach {
  return { of: (box) => unitsAt(distance_m, box), isRound: true };
}

/** On the map, which ends at the antimeridian. */
export function units(count: number): Reach {
  return { of: () => count, isRound: false };
}

/** The page that has a whole box, which does not reach over the antimeridian; -1: there are several. */
export function onlyAround(grid: PageGrid, box: GridBox): number {
  return box.west < 0 || box.east >= WORLD ? -1 : grid.onlyIn(box);
}

/** Pages that a box touches, on both sides of the antimeridian. */
export function aroundBox(grid: PageGrid, box: GridBox, see: See): void {
  grid.touching(box, see);
  const { north, south } = box;
  if (box.east >= WORLD) grid.touching({ west: 0, north, east: box.east - WORLD, south }, see);
  if (box.west < 0) grid.touching({ west: box.west + WORLD, north, east: WORLD, south }, see);
}

/** Pages that a line touches, its pieces widened. */
export function aroundLine(grid: PageGrid, line: GridPoints, reach: Reach, see: See): void {
  let page = -1;
  for (let i = 0; i < line.length; i += 2) {
    const to = Math.min(i + 2, line.length - 2);
    const [x0, y0, x1, y1] = [line[i]!, line[i + 1]!, line[to]!, line[to + 1]!];
    const box = {
      west: Math.min(x0, x1),
      north: Math.min(y0, y1),
      east: Math.max(x0, x1),
      south: Math.max(y0, y1),
    };
    const wide = widened(box, reach.of(box));
    const only = reach.isRound ? onlyAround(grid, wide) : grid.onlyIn(wide);
    if (only !== -1 && only === page) continue;
    page = only;
    if (only === -1 && reach.isRound) aroundBox(grid, wide, see);
    else if (only === -1) grid.touching(wide, see);
    else see(only);
  }
}

/** Pages that the edge of an area touches, its pieces widened, or that lie in it. `spend`: takes how many corners are looked at. */
export function aroundArea(
  grid: PageGrid,
  rings: readonly GridPoints[],
  { reach, spend }: { reach: Reach; spend: (work: number) => void },
  see: See,
): void {
  const seen = new Set<number>();
  const box = { west: Infinity, north: Infinity, east: -Infinity, south: -Infinity };
  let corners = 0;
  for (const ring of rings) {
    aroundLine(grid, ring, reach, (page) => seen.add(page));
    stretchBox(box, ring);
    corners += ring.length / 2;
  }
  spend(corners);
  if (corners > 0)
    grid.touching(box, (page) => {
      if (seen.has(page)) return;
      spend(corners);
      if (holds(rings, grid.middleOf(page))) seen.add(page);
    });
  for (const page of seen) see(page);
}

function stretchBox(box: GridBox, points: GridPoints): void {
  for (let i = 0; i < points.length; i += 2) {
    const [x, y] = [points[i]!, points[i + 1]!];
    if (x < box.west) box.west = x;
    if (x > box.east) box.east = x;
    if (y < box.north) box.north = y;
    if (y > box.south) box.south = y;
  }
}

/** Whether a point lies in an odd number of rings. */
function holds(rings: readonly GridPoints[], { x, y }: { x: number; y: number }): boolean {
  let inside = false;
  for (const ring of rings)
    for (let i = 2; i < ring.length; i += 2) {
      const [ya, yb] = [ring[i - 1]!, ring[i + 1]!];
      if (ya > y === yb > y) continue;
      const [xa, xb] = [ring[i - 2]!, ring[i]!];
      if (x < xa + ((y - ya) / (yb - ya)) * (xb - xa)) inside = !inside;
    }
  return inside;
}
