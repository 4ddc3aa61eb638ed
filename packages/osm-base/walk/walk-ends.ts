/** The ends of ways: from what a search has reached to a point on an edge. */
import type { WalkGraph } from "./walk-graph.ts";
import {
  closedTo,
  EDGE,
  ELSEWHERE,
  isOpen,
  type Profile,
  PROFILES,
  SEVERAL,
} from "./walk-layout.ts";
import { isAhead, type Snap } from "./snap.ts";

/** What a search has reached (walk-search.ts). */
type Search = {
  graph: WalkGraph;
  profile: Profile;
  searched_cm: number;
  costOf(vertex: number): number | null;
  stepsTo(vertex: number): number;
  leftWith(vertex: number): number | null;
};

/** A way as it was found. */
export type Walk = {
  /** From point to point: along the edges, without the way to them. */
  length_cm: number;
  /** Least that is known of steps on the ways of this length: one of STEPS. */
  steps: number;
  /** Vertex by which it comes to the edge of the target; null: it stays on the edge of the start. */
  by: number | null;
  /** Whether it comes along the edge from the end `to` of the target. */
  isFromTo: boolean;
};

/**
 * The way to a point on an edge of the graph, by what is reached; null: there is none. `from`: the
 * start, if it is in this graph.
 */
export function walkTo(search: Search, from: Snap | null, target: Snap | null): Walk | null {
  const { graph, profile, searched_cm } = search;
  const bits = target === null ? 0 : graph.columns.edges[target.edge]!;
  if (target === null || !isOpen(bits, profile)) return null;
  const edge_steps = bits & EDGE.steps;
  const ways: Walk[] = [];
  if (from?.edge === target.edge) {
    const length_cm = Math.abs(from.from_cm - target.from_cm);
    const isFromTo = from.from_cm > target.from_cm;
    ways.push({ length_cm, steps: edge_steps, by: null, isFromTo });
  }
  for (const isFromTo of [false, true]) {
    const [by, rest_cm] = isFromTo ? [target.to, target.to_cm] : [target.from, target.from_cm];
    const cost = search.costOf(by);
    const before = cost === null ? null : rest_cm > 0 ? search.leftWith(by) : search.stepsTo(by);
    if (cost === null || before === null) continue;
    ways.push({
      ...{ length_cm: cost + rest_cm, steps: Math.max(before, edge_steps), by, isFromTo },
    });
  }
  const best = ways.reduce<Walk | null>(
    (least, way) => (least === null || isShorter(way, least, graph, target) ? way : least),
    null,
  );
  return best !== null && best.length_cm <= searched_cm ? best : null;
}

/** Of two that are as long the one with fewer steps; else the side decides by which it comes. */
function isShorter(way: Walk, other: Walk, graph: WalkGraph, target: Snap): boolean {
  const more = way.length_cm - other.length_cm || way.steps - other.steps;
  if (more !== 0 || way.isFromTo === other.isFromTo || target.piece === undefined) return more < 0;
  const line = graph.lineOf(target.edge);
  const [from, to] = [line[target.piece]!, line[target.piece + 1]!];
  return way.isFromTo ? isAhead(to, from) : isAhead(from, to);
}

/** Whether a way may lead from one point of a graph to the other; false: none does, however long. */
export function mayJoin(
  graph: WalkGraph,
  [from, to]: readonly [Snap, Snap],
  profile: Profile,
): boolean {
  const [a, b] = [partAt(graph, from, profile), partAt(graph, to, profile)];
  return from.edge === to.edge || a === SEVERAL || b === SEVERAL || a === b;
}

/** The same of points in two pages: of what leads to another page the part is 0. */
export function mayLead(
  [from, to]: readonly [WalkGraph, WalkGraph],
  [a, b]: readonly [Snap, Snap],
  profile: Profile,
): boolean {
  const parts = [partAt(from, a, profile), partAt(to, b, profile)];
  return parts.includes(SEVERAL) || parts.every((part) => part === 0);
}

/**
 * Part of the network that a point is in; `SEVERAL` also for what lies at a barrier, or at a gate of
 * which another page knows whether it is one.
 */
function partAt({ columns }: WalkGraph, at: Snap, profile: Profile): number {
  const { parts, marks } = columns;
  const closed = closedTo(profile) | ELSEWHERE;
  const isAtBarrier =
    (at.from_cm === 0 && (marks[at.from]! & closed) !== 0) ||
    (at.to_cm === 0 && (marks[at.to]! & closed) !== 0);
  if (isAtBarrier) return SEVERAL;
  const partOf = (vertex: number): number =>
    parts[PROFILES.length * vertex + PROFILES.indexOf(profile)]!;
  return partOf(at.from) === SEVERAL ? partOf(at.to) : partOf(at.from);
}
