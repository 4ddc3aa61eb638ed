/**
 * The spatial index of a shard: rows sorted by latitude band, then longitude, so that a circle is a
 * few contiguous runs of memory. Any extent works (a national system has as many bands as it is
 * high), there is nothing to tune but the height of a band, and the index itself is the row order
 * plus one offset a band.
 */
import { type Aim, type Box, distanceFrom, wrapLon } from "#kit/geo.ts";
import { grown } from "#kit/growing.ts";

/** 0.0045° ≈ 500 m: the 400 m circles of §4.9 touch two or three bands. */
export const BAND_DEG = 0.0045;

export type BandIndex = {
  lat: Float64Array;
  lon: Float64Array;
  /** Number of the first band (floor(lat / BAND_DEG)). */
  first_band: number;
  /** Row where band i starts; length = bands + 1. */
  starts: Uint32Array;
};

/** Collects hits without allocating: rows and their distances, grown as needed, reused for ever. */
export type HitSink = { count: number; rows: Int32Array; metres: Float64Array };

export function createHitSink(capacity = 1024): HitSink {
  return { count: 0, rows: new Int32Array(capacity), metres: new Float64Array(capacity) };
}

/** Row order of the index for points given in any order; longitudes must be in [-180, 180). */
export function bandOrder(lats: Float64Array, lons: Float64Array): Uint32Array {
  const order = Uint32Array.from(lats, (_, row) => row);
  const bands = Int32Array.from(lats, bandOf);
  return order.sort((a, b) => bands[a]! - bands[b]! || lons[a]! - lons[b]! || a - b);
}

/** Band offsets for latitudes already in `bandOrder`. */
export function bandStarts(lats: Float64Array): { first_band: number; starts: Uint32Array } {
  if (lats.length === 0) return { first_band: 0, starts: new Uint32Array(1) };
  const first_band = bandOf(lats[0]!);
  const bands = bandOf(lats[lats.length - 1]!) - first_band + 1;
  const starts = new Uint32Array(bands + 1);
  for (const lat of lats) starts[bandOf(lat) - first_band + 1]!++;
  for (let band = 1; band <= bands; band++) starts[band]! += starts[band - 1]!;
  return { first_band, starts };
}

/** Appends every row within the circle to `sink`, with its exact distance. */
export function searchBands(index: BandIndex, aim: Aim, sink: HitSink): void {
  const { dlat, dlon } = aim;
  const from = Math.max(bandOf(aim.lat - dlat) - index.first_band, 0);
  const to = Math.min(bandOf(aim.lat + dlat) - index.first_band, index.starts.length - 2);
  const lon = wrapLon(aim.lon);
  for (let band = from; band <= to; band++) {
    const start = index.starts[band]!;
    const end = index.starts[band + 1]!;
    if (start === end) continue;
    if (dlon >= 180) {
      scan(index, start, end, 180, aim, sink);
      continue;
    }
    scanFrom(index, start, end, lon - dlon, lon + dlon, aim, sink);
    if (lon - dlon < -180) scanFrom(index, start, end, lon - dlon + 360, 180, aim, sink);
    if (lon + dlon >= 180) scanFrom(index, start, end, -180, lon + dlon - 360, aim, sink);
  }
}

/** Counts the rows between the meridians of the circle in its bands: no fewer than lie in it. */
export function countInBands(index: BandIndex, aim: Aim): number {
  const { dlat, dlon } = aim;
  const from = Math.max(bandOf(aim.lat - dlat) - index.first_band, 0);
  const to = Math.min(bandOf(aim.lat + dlat) - index.first_band, index.starts.length - 2);
  const lon = wrapLon(aim.lon);
  let rows = 0;
  for (let band = from; band <= to; band++) {
    const start = index.starts[band]!;
    const end = index.starts[band + 1]!;
    // What a band has across the antimeridian is counted whole.
    const isAcross = dlon >= 180 || lon - dlon < -180 || lon + dlon >= 180;
    const west = isAcross ? start : lowerBound(index.lon, start, end, lon - dlon);
    rows += (isAcross ? end : lowerBound(index.lon, west, end, lon + dlon)) - west;
  }
  return rows;
}

/**
 * Appends every row within the box to `sink`, its edges included, with a distance of 0. The box may
 * cross the antimeridian (west > east); its longitudes lie in [-180, 180].
 */
export function searchBox(index: BandIndex, box: Box, sink: HitSink): void {
  const { west, east } = box;
  const from = Math.max(bandOf(box.south) - index.first_band, 0);
  const to = Math.min(bandOf(box.north) - index.first_band, index.starts.length - 2);
  for (let band = from; band <= to; band++) {
    const start = index.starts[band]!;
    const end = index.starts[band + 1]!;
    if (start === end) continue;
    if (west > east) {
      takeBetween(index, start, end, { ...box, west: -180 }, sink);
      takeBetween(index, start, end, { ...box, east: 180 }, sink);
      continue;
    }
    // Rows at the antimeridian are kept at -180, which is also 180.
    if (east === 180 && west > -180)
      takeBetween(index, start, end, { ...box, west: -180, east: -180 }, sink);
    takeBetween(index, start, end, box, sink);
  }
}

// oxlint-disable-next-line max-params -- once per band of a box: no options object here
function takeBetween(index: BandIndex, start: number, end: number, box: Box, sink: HitSink): void {
  const { lat, lon } = index;
  for (let row = lowerBound(lon, start, end, box.west); row < end; row++) {
    if (lon[row]! > box.east) return;
    const y = lat[row]!;
    if (y >= box.south && y <= box.north) push(sink, row, 0);
  }
}

function bandOf(lat: number): number {
  return Math.floor(lat / BAND_DEG);
}

// oxlint-disable-next-line max-params -- the inner loop of every question: no options object here
function scanFrom(
  index: BandIndex,
  start: number,
  end: number,
  west: number,
  east: number,
  aim: Aim,
  sink: HitSink,
): void {
  scan(index, lowerBound(index.lon, start, end, west), end, east, aim, sink);
}

// oxlint-disable-next-line max-params -- see scanFrom
function scan(
  index: BandIndex,
  start: number,
  end: number,
  east: number,
  aim: Aim,
  sink: HitSink,
): void {
  const { lat, lon } = index;
  const south = aim.lat - aim.dlat;
  const north = aim.lat + aim.dlat;
  for (let row = start; row < end; row++) {
    const x = lon[row]!;
    if (x > east) return;
    const y = lat[row]!;
    if (y < south || y > north) continue;
    const metres = distanceFrom(aim, y, x);
    if (metres <= aim.radius_m) push(sink, row, metres);
  }
}

function push(sink: HitSink, row: number, metres: number): void {
  if (sink.count === sink.rows.length) {
    sink.rows = grown(sink.rows, sink.count * 2);
    sink.metres = grown(sink.metres, sink.count * 2);
  }
  sink.rows[sink.count] = row;
  sink.metres[sink.count++] = metres;
}

/** First row in [start, end) whose longitude is >= west. */
function lowerBound(lons: Float64Array, start: number, end: number, west: number): number {
  let low = start;
  let high = end;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (lons[middle]! < west) low = middle + 1;
    else high = middle;
  }
  return low;
}
