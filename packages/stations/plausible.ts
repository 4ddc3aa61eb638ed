/**
 * The implausibility rule (decisions, Global nearby; mobility.md 1.12 #2): a point is a stray when
 * it is more than 200 km from its system's median and no other point of the system lies between
 * 50 m and 50 km from it. Real systems have distant parts; strays do not have neighbours.
 *
 * Near-linear: points are first gathered in cells of 0.0001° (some 11 m), which represent their
 * points in the search for neighbours (so the 50 m are exact to a cell), and only cells that hold a
 * far point are searched, through a grid of bins no narrower than 50 km.
 */
import type { Location } from "#kit/geo.ts";
import { METRES_PER_DEGREE, distance_m, wrapLon } from "#kit/geo.ts";

const FAR_M = 200_000;
const NEIGHBOUR_MIN_M = 50;
const NEIGHBOUR_MAX_M = 50_000;
const CELLS_PER_DEGREE = 10_000;
const BIN_DEGREES = 0.5;
const BIN_ROWS = 180 / BIN_DEGREES;
/** Row and column steps to a bin's own row first: the neighbour is mostly there. */
const STEPS = [0, -1, 1] as const;

type Bins = Map<number, Location[]>;

/** Returns the indices of implausible points. Of two points it cannot be said which is astray. */
export function implausible(points: readonly Location[]): Set<number> {
  const strays = new Set<number>();
  if (points.length < 3) return strays;
  const median = medianOf(points);
  const far = farIndices(points, median);
  if (far.length === 0) return strays;
  const cells = toCells(points);
  const bins = toBins(cells.values());
  const verdicts = new Map<string, boolean>();
  for (const index of far) {
    const key = cellKey(points[index]!);
    const alone = verdicts.get(key) ?? !hasNeighbour(cells.get(key)!, bins);
    verdicts.set(key, alone);
    if (alone) strays.add(index);
  }
  return strays;
}

/** The median latitude, and the median longitude as counted from the densest half. */
export function medianOf(points: readonly Location[]): Location {
  const lats = Float64Array.from(points, (point) => point.lat).sort();
  const lons = Float64Array.from(points, (point) => wrapLon(point.lon)).sort();
  const centre = densestHalf(lons);
  const offsets = lons.map((lon) => wrapLon(lon - centre)).sort();
  const middle = (points.length - 1) >> 1;
  return { lat: lats[middle]!, lon: wrapLon(centre + offsets[middle]!) };
}

/** Centre of the shortest arc that holds half of the sorted longitudes: blind to the antimeridian. */
function densestHalf(lons: Float64Array): number {
  const half = lons.length >> 1;
  let start = 0;
  let shortest = Infinity;
  for (let i = 0; i < lons.length; i++) {
    const end = i + half;
    const arc =
      end < lons.length ? lons[end]! - lons[i]! : lons[end - lons.length]! + 360 - lons[i]!;
    if (arc >= shortest) continue;
    shortest = arc;
    start = lons[i]!;
  }
  return wrapLon(start + shortest / 2);
}

function farIndices(points: readonly Location[], median: Location): number[] {
  const far: number[] = [];
  points.forEach((point, index) => {
    if (distance_m(point.lat, point.lon, median.lat, median.lon) > FAR_M) far.push(index);
  });
  return far;
}

/** The first point of every occupied cell. */
function toCells(points: readonly Location[]): Map<string, Location> {
  const cells = new Map<string, Location>();
  for (const point of points) {
    const key = cellKey(point);
    if (!cells.has(key)) cells.set(key, point);
  }
  return cells;
}

function cellKey(point: Location): string {
  const row = Math.round(point.lat * CELLS_PER_DEGREE);
  return `${row},${Math.round(wrapLon(point.lon) * CELLS_PER_DEGREE)}`;
}

function toBins(points: Iterable<Location>): Bins {
  const bins: Bins = new Map();
  for (const point of points) {
    const row = rowOf(point.lat);
    const key = binKey(row, columnOf(point.lon, columnsOf(row)));
    const bin = bins.get(key);
    if (bin) bin.push(point);
    else bins.set(key, [point]);
  }
  return bins;
}

function hasNeighbour(point: Location, bins: Bins): boolean {
  const row = rowOf(point.lat);
  for (const step of STEPS) {
    if (row + step < 0 || row + step >= BIN_ROWS) continue;
    for (const column of nearColumns(point.lon, row + step)) {
      if (bins.get(binKey(row + step, column))?.some((other) => isNeighbour(point, other)))
        return true;
    }
  }
  return false;
}

function isNeighbour(a: Location, b: Location): boolean {
  const metres = distance_m(a.lat, a.lon, b.lat, b.lon);
  return metres >= NEIGHBOUR_MIN_M && metres <= NEIGHBOUR_MAX_M;
}

function rowOf(lat: number): number {
  return Math.min(BIN_ROWS - 1, Math.floor((lat + 90) / BIN_DEGREES));
}

/** How many columns of at least 50 km fit around a row, measured where the row is narrowest. */
function columnsOf(row: number): number {
  const south = row * BIN_DEGREES - 90;
  const narrowest = Math.max(Math.abs(south), Math.abs(south + BIN_DEGREES));
  const metres = 360 * METRES_PER_DEGREE * Math.cos((narrowest * Math.PI) / 180);
  // 1 % of slack: a chord across a parallel is a little shorter than the parallel.
  return Math.max(1, Math.floor(metres / (NEIGHBOUR_MAX_M * 1.01)));
}

function columnOf(lon: number, columns: number): number {
  return Math.min(columns - 1, Math.floor(((wrapLon(lon) + 180) / 360) * columns));
}

/** The own column and its neighbours; every column near the poles, where few exist. */
function nearColumns(lon: number, row: number): Set<number> {
  const columns = columnsOf(row);
  if (columns <= 64) return new Set(Array.from({ length: columns }, (_, column) => column));
  const own_column = columnOf(lon, columns);
  return new Set(STEPS.map((step) => (own_column + step + columns) % columns));
}

function binKey(row: number, column: number): number {
  return row * 1_024 + column;
}
