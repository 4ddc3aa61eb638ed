/** Points in bands of latitude, each from west to east: the nearest one is among a few of them. */
import { bucketsOf, rowsOf } from "./buckets.ts";
import { filled } from "#kit/growing.ts";
import { lowerBound } from "#kit/sorted.ts";
import { columnOf, type Columns } from "#kit/pack.ts";
import { metresOf, units, unitsEast } from "./metres.ts";

/** Some 110 metres. */
const BAND = 10_000;

export type PointIndex = {
  /** Row and distance of the nearest point within a number of metres, the lower row where two are equally far. */
  nearest(lat7: number, lon7: number, within_m: number): { row: number; metres: number } | null;
};

/** Columns of points that belong to rows of something else. */
export function packPoints(
  name: string,
  rows: Uint32Array,
  { lat7, lon7 }: { lat7: Int32Array; lon7: Int32Array },
): Columns {
  const band = (row: number): number => Math.floor(lat7[row]! / BAND);
  let [first, last] = [Infinity, -Infinity];
  for (const row of rows) {
    first = Math.min(first, band(row));
    last = Math.max(last, band(row));
  }
  if (rows.length === 0) [first, last] = [0, -1];
  const bands = filled(new Uint32Array(rows.length), (i) => band(rows[i]!) - first);
  const { starts, rows: order } = bucketsOf(bands, last - first + 1);
  filled(order, (i) => rows[order[i]!]!);
  for (let i = 0; i <= last - first; i++)
    rowsOf({ starts, rows: order }, i).sort((a, b) => lon7[a]! - lon7[b]! || a - b);
  return {
    [`${name}.first`]: Int32Array.of(first),
    [`${name}.starts`]: starts,
    [`${name}.rows`]: order,
    [`${name}.lat7`]: filled(new Int32Array(order.length), (i) => lat7[order[i]!]!),
    [`${name}.lon7`]: filled(new Int32Array(order.length), (i) => lon7[order[i]!]!),
  };
}

export function openPoints(name: string, columns: Columns): PointIndex {
  const first = columnOf(columns, `${name}.first`, Int32Array)[0]!;
  const starts = columnOf(columns, `${name}.starts`, Uint32Array);
  const rows = columnOf(columns, `${name}.rows`, Uint32Array);
  const lats = columnOf(columns, `${name}.lat7`, Int32Array);
  const lons = columnOf(columns, `${name}.lon7`, Int32Array);
  return {
    nearest(lat7, lon7, within_m) {
      const [up, aside] = [units(within_m), unitsEast(within_m, lat7)];
      const from = Math.max(0, Math.floor((lat7 - up) / BAND) - first);
      const to = Math.min(starts.length - 2, Math.floor((lat7 + up) / BAND) - first);
      let best: { row: number; metres: number } | null = null;
      for (let band = from; band <= to; band++) {
        const end = starts[band + 1]!;
        for (let at = lowerBound(lons, lon7 - aside, starts[band], end); at < end; at++) {
          if (lons[at]! > lon7 + aside) break;
          const metres = metresOf(lats[at]! - lat7, lons[at]! - lon7, lat7);
          const farther = best !== null && metres > best.metres;
          const tied = best !== null && metres === best.metres && rows[at]! >= best.row;
          if (metres <= within_m && !farther && !tied) best = { row: rows[at]!, metres };
        }
      }
      return best;
    },
  };
}
