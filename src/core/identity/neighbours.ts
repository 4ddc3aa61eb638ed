/**
 * Blocking: every pair of observations within a distance, each once, by bands of latitude sorted
 * by longitude. Across the antimeridian too.
 */
import { METRES_PER_DEGREE } from "#core/geo.ts";
import type { Prepared } from "./prepare.ts";

type Bands = {
  /** Rows band by band, each band by longitude. */
  rows: Int32Array;
  lons: Float64Array;
  /** Where each band begins, by its number from the southernmost; one more at the end. */
  start: Int32Array;
};

/** Bits of a longitude and of a place within its band in one sortable double. */
const LON_STEPS = 2 ** 31;
const PLACES = 2 ** 21;

/** Calls `visit` with all pairs that may stand within `reach_m`, and some that do not. */
export function visitNeighbours(
  prepared: Prepared,
  reach_m: number,
  visit: (a: number, b: number) => void,
): void {
  const height = (reach_m / METRES_PER_DEGREE) * (1 + 1e-9);
  const bands = sortIntoBands(prepared, height);
  for (let band = 0; band + 1 < bands.start.length; band++)
    for (let at = bands.start[band]!; at < bands.start[band + 1]!; at++) {
      const row = bands.rows[at]!;
      const lon = bands.lons[at]!;
      // Of this row and those of the next band the one nearer to the pole decides.
      const nearPole = Math.min(89.999, Math.abs(prepared.lat[row]!) + height);
      const width = height / Math.cos((nearPole * Math.PI) / 180) + 2 * (360 / LON_STEPS);
      scan(bands, at + 1, bands.start[band + 1]!, lon, lon + width, row, visit);
      if (lon + width > 180)
        scan(
          bands,
          bands.start[band]!,
          at,
          -180,
          Math.min(lon + width - 360, lon - width),
          row,
          visit,
        );
      if (band + 2 >= bands.start.length) continue;
      scanAround(bands, band + 1, lon, width, row, visit);
    }
}

function scanAround(
  bands: Bands,
  band: number,
  lon: number,
  width: number,
  row: number,
  visit: (a: number, b: number) => void,
): void {
  const from = bands.start[band]!;
  const to = bands.start[band + 1]!;
  if (from === to) return;
  if (width >= 180) return scan(bands, from, to, -180, 180, row, visit);
  scan(bands, lowerBound(bands.lons, from, to, lon - width), to, -180, lon + width, row, visit);
  if (lon - width < -180)
    scan(bands, lowerBound(bands.lons, from, to, lon - width + 360), to, -180, 180, row, visit);
  if (lon + width > 180) scan(bands, from, to, -180, lon + width - 360, row, visit);
}

function scan(
  bands: Bands,
  from: number,
  to: number,
  west: number,
  east: number,
  row: number,
  visit: (a: number, b: number) => void,
): void {
  for (let i = from; i < to; i++) {
    const lon = bands.lons[i]!;
    if (lon > east) return;
    if (lon >= west) visit(row, bands.rows[i]!);
  }
}

function lowerBound(sorted: Float64Array, from: number, to: number, value: number): number {
  let low = from;
  let high = to;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (sorted[middle]! < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

function sortIntoBands(prepared: Prepared, height: number): Bands {
  const n = prepared.lat.length;
  let south = 90;
  for (const lat of prepared.lat) if (lat < south) south = lat;
  const bandOf = (row: number): number => Math.floor((prepared.lat[row]! - south) / height);
  let last = 0;
  for (let row = 0; row < n; row++) last = Math.max(last, bandOf(row));
  const start = new Int32Array(last + 2);
  for (let row = 0; row < n; row++) start[bandOf(row) + 1]!++;
  for (let band = 0; band <= last; band++) start[band + 1]! += start[band]!;
  const next = start.slice();
  const rows = new Int32Array(n);
  for (let row = 0; row < n; row++) rows[next[bandOf(row)]!++] = row;
  for (let band = 0; band <= last; band++)
    sortBand(prepared, rows.subarray(start[band], start[band + 1]));
  return { rows, start, lons: Float64Array.from(rows, (row) => prepared.lon[row]!) };
}

/** By longitude, within two centimetres. */
function sortBand(prepared: Prepared, rows: Int32Array): void {
  if (rows.length < 2) return;
  const keys = Float64Array.from(
    rows,
    (row, place) => Math.floor(((prepared.lon[row]! + 180) / 360) * LON_STEPS) * PLACES + place,
  ).sort();
  const before = rows.slice();
  for (let i = 0; i < keys.length; i++) rows[i] = before[keys[i]! % PLACES]!;
}
