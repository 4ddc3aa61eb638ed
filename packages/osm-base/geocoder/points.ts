/** Points in bands of latitude, each from west to east: the nearest one is among a few of them. */
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
  const order = rows.slice();
  const band = (row: number): number => Math.floor(lat7[row]! / BAND);
  order.sort((a, b) => band(a) - band(b) || lon7[a]! - lon7[b]! || a - b);
  const first = order.length === 0 ? 0 : band(order[0]!);
  const count = order.length === 0 ? 0 : band(order.at(-1)!) - first + 1;
  const starts = new Uint32Array(count + 1);
  for (const row of order) starts[band(row) - first + 1]!++;
  for (let i = 1; i <= count; i++) starts[i]! += starts[i - 1]!;
  return {
    [`${name}.first`]: Int32Array.of(first),
    [`${name}.starts`]: starts,
    [`${name}.rows`]: order,
    [`${name}.lat7`]: Int32Array.from(order, (row) => lat7[row]!),
    [`${name}.lon7`]: Int32Array.from(order, (row) => lon7[row]!),
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
