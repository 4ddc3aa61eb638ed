// Side streets: a bent grid with gaps, joined to the named streets where it crosses them.
import { hash, pick, unit } from "../rng.ts";
import type { Spot } from "../openbase/plane.ts";
import { bendOf, type Lane, listLanes, REACH_M, runsOf, spotOn } from "../world/lanes.ts";
import type { Draft } from "./draft.ts";
import type { NamedLines } from "./named.ts";
import { along, apart } from "./plane.ts";
import { LANES } from "./styles.ts";

/** Ground between four corners of the grid, counted around it. */
export type Block = { readonly key: number; readonly corners: readonly number[] };

/** Of every fourth piece the middle lies to the side. */
const SWAY_M = 9;

/** Lays the lanes; returns the blocks between them. */
export function layGrid(draft: Draft, key: number, named: NamedLines): Block[] {
  const bend = bendOf(key);
  const lanes = listLanes(key);
  const [rows, columns] = [
    lanes.filter(({ family }) => family === 0),
    lanes.filter(({ family }) => family === 1),
  ];
  const corners = rows.map((row) =>
    columns.map((column): number | null => {
      if (Math.hypot(row.off_m, column.off_m) > REACH_M) return null;
      const spot = spotOn(row, -column.off_m, bend);
      return draft.river.isWet(spot) ? null : draft.addSpot(spot);
    }),
  );
  const lay = (lane: Lane, stops: readonly Stop[]): void => layLane({ draft, named, lane }, stops);
  for (const [i, row] of rows.entries())
    lay(
      row,
      columns.map(({ off_m }, j) => ({ along_m: -off_m, node: corners[i]![j]! })).toReversed(),
    );
  for (const [j, column] of columns.entries())
    lay(
      column,
      rows.map(({ off_m }, i) => ({ along_m: off_m, node: corners[i]![j]! })),
    );
  return rows.slice(1).flatMap((_, i) =>
    columns.slice(1).flatMap((__, j): Block[] => {
      const around = [
        corners[i]![j],
        corners[i + 1]![j],
        corners[i + 1]![j + 1],
        corners[i]![j + 1],
      ];
      const known = around.flatMap((node) => node ?? []);
      return known.length === 4 ? [{ key: hash(key, 0x626c, i, j), corners: known }] : [];
    }),
  );
}

type Stop = { readonly along_m: number; readonly node: number | null };
type Laying = { readonly draft: Draft; readonly named: NamedLines; readonly lane: Lane };

/** From corner to corner, as far as the plan has the lane. */
function layLane({ draft, named, lane }: Laying, stops: readonly Stop[]): void {
  const style = pick(LANES, hash(lane.key, 0x7374));
  const runs = runsOf(lane).map((run) => [run[0]!, run.at(-1)!] as const);
  const isLaid = (from: Stop, to: Stop): boolean =>
    runs.some(([first, last]) => first <= from.along_m && to.along_m <= last);
  let nodes: number[] = [];
  for (const [n, to] of stops.entries()) {
    const from = stops[n - 1];
    const last = nodes.at(-1);
    const goes_on =
      from !== undefined && last !== undefined && to.node !== null && isLaid(from, to);
    if (goes_on) {
      nodes.push(...between({ draft, named, lane }, [last, to.node], n), to.node);
      continue;
    }
    draft.addWay(nodes, style);
    nodes = to.node === null ? [] : [to.node];
  }
  draft.addWay(nodes, style);
}

/** Nodes of named streets that the piece crosses, or a bend. */
function between({ draft, named, lane }: Laying, [a, b]: [number, number], n: number): number[] {
  const [from, to]: [Spot, Spot] = [draft.spots[a]!, draft.spots[b]!];
  const joints = named.jointsOf(from, to);
  if (joints.length > 0) return joints;
  if (hash(lane.key, n) % 4 > 0) return [];
  const length_m = apart(from, to);
  if (length_m < 40) return [];
  const middle = along(from, to, 0.35 + 0.3 * unit(lane.key, n, 1));
  const aside = ((unit(lane.key, n, 2) - 0.5) * 2 * SWAY_M) / length_m;
  const [east, north] = [to[0] - from[0], to[1] - from[1]];
  const spot: Spot = [middle[0] - north * aside, middle[1] + east * aside];
  return draft.river.isWet(spot) ? [] : [draft.addSpot(spot)];
}
