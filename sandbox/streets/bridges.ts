// Two bridges: a road, and one further along that is reached by stairs.
import type { Spot } from "../openbase/plane.ts";
import type { Draft } from "./draft.ts";
import { listParts } from "./parts.ts";
import { apart } from "./plane.ts";
import { HALF_RIVER_M } from "./river.ts";
import { BRIDGES, CONNECTOR } from "./styles.ts";

const ABUTMENT_M = HALF_RIVER_M + 14;
/** From a bridge to the next way. */
const MOST_M = 260;
/** Of a part that a bridge leads to. */
const LEAST_NODES = 200;
/** Corners of the river before and after its middle, of 41. */
const WANTED = [14, 27];

export function layBridges(draft: Draft): void {
  const parts = listParts(draft).filter(({ length }) => length >= LEAST_NODES);
  const sites = WANTED.map((wanted) => findSite(draft, wanted, parts));
  for (const [n, site] of sites.entries()) {
    if (site === null) continue;
    const [from, near, far, to] = site;
    draft.addWay([from, near], n === 0 ? CONNECTOR : BRIDGES.stairs);
    draft.addWay([near, far], n === 0 ? BRIDGES.road : BRIDGES.foot, { is_over: true });
    draft.addWay([far, to], CONNECTOR);
  }
}

type Site = readonly [from: number, near: number, far: number, to: number];

/** As near as can be to the wanted corner of the river; null: it joins nothing anywhere. */
function findSite(draft: Draft, wanted: number, parts: readonly number[][]): Site | null {
  for (let step = 0; step < 12; step += 1) {
    const n = wanted + (step % 2 === 0 ? step / 2 : -(step + 1) / 2);
    const site = siteAt(draft, n, parts);
    if (site !== null) return site;
  }
  return null;
}

function siteAt(draft: Draft, n: number, parts: readonly number[][]): Site | null {
  const { line } = draft.river;
  // The middle between two corners: there the river is straight.
  const [before, after] = [line[n]!, line[n + 1]!];
  const at: Spot = [(before[0] + after[0]) / 2, (before[1] + after[1]) / 2];
  const length_m = apart(before, after);
  const [east, north] = [(after[0] - before[0]) / length_m, (after[1] - before[1]) / length_m];
  const ends = [1, -1].map((side): Spot => [
    at[0] + side * north * ABUTMENT_M,
    at[1] - side * east * ABUTMENT_M,
  ]);
  if (draft.river.crossings(ends[0]!, ends[1]!).length !== 1) return null;
  const [from, to] = ends.map((end) => draft.nearest(end, parts.flat(), MOST_M)) as [Node, Node];
  if (from === null || to === null) return null;
  if (parts.some((part) => part.includes(from) && part.includes(to))) return null;
  const [near, far] = ends.map((end) => draft.addSpot(end)) as [number, number];
  const pairs = [
    [from, near],
    [near, far],
    [far, to],
  ] as const;
  return pairs.some(([x, y], i) => draft.isCut(x, y, i === 1)) ? null : [from, near, far, to];
}

type Node = number | null;
