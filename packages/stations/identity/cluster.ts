/**
 * From scored pairs to stations, one component at a time. A pair's probability weighs it against
 * its rivals: the other stations of the same feed that either side could be, and none at all. What
 * is certain is merged; that takes rivals out of the way of others; and so on until nothing changes.
 */
import type { Candidates, Edges } from "./pair-candidates.ts";
import { compareObservations } from "./prepare.ts";
import type { Prepared } from "./prepare.ts";

type Solution = {
  /** Groups of at least two observations, and the probability of the least certain merge in each. */
  clusters: { members: number[]; confidence: number }[];
  /** Pairs (places in the candidate columns) that were neither merged nor ruled out. */
  open: number[];
};

type Group = { members: number[]; feeds: Set<number>; confidence: number };

/** Works on the columns; writes each pair's last probability into `probability`. */
export function solveComponent(
  prepared: Prepared,
  candidates: Candidates,
  component: Int32Array,
  probability: Float64Array,
): Solution {
  if (component.length === 1) return solveSingle(prepared, candidates, component[0]!, probability);
  const edges = sortEdges(prepared, candidates, component);
  const groups = new Map<number, Group>();
  for (const edge of edges)
    for (const row of [candidates.a[edge]!, candidates.b[edge]!])
      if (!groups.has(row))
        groups.set(row, { members: [row], feeds: new Set([prepared.feed[row]!]), confidence: 1 });
  const linked = new Set(edges.map((edge) => keyOfEdge(prepared, candidates, edge)));
  let open = edges;
  for (;;) {
    weighRivals(prepared, candidates, open, probability);
    const certain = open.filter((edge) => probability[edge]! >= prepared.tuning.merge);
    // Stable sort: equal probabilities stay in the order of the observations.
    certain.sort((x, y) => probability[y]! - probability[x]!);
    let merged = 0;
    for (const edge of certain)
      if (mergeGroups(prepared, candidates, edge, groups, linked, probability[edge]!)) merged++;
    open = open.filter((edge) => isOpen(candidates, edge, groups));
    if (merged === 0) break;
  }
  const matches = [...new Set(groups.values())].filter(({ members }) => members.length > 1);
  return { clusters: matches.map((group) => finish(prepared, group)), open };
}

function solveSingle(
  prepared: Prepared,
  candidates: Candidates,
  edge: number,
  probability: Float64Array,
): Solution {
  const p = 1 / (1 + Math.exp(-candidates.sum[edge]!));
  probability[edge] = p;
  if (p < prepared.tuning.merge) return { clusters: [], open: [edge] };
  const members = [candidates.a[edge]!, candidates.b[edge]!];
  members.sort((x, y) => compareObservations(prepared, x, y));
  return { clusters: [{ members, confidence: p }], open: [] };
}

/** Edges by their observations in the order that does not depend on the input's. */
function sortEdges(prepared: Prepared, candidates: Candidates, component: Int32Array): number[] {
  const edges = [...component];
  const rows = [...new Set(edges.flatMap((edge) => [candidates.a[edge]!, candidates.b[edge]!]))];
  rows.sort((x, y) => compareObservations(prepared, x, y));
  const place = new Map(rows.map((row, i) => [row, i]));
  const order = (edge: number): number => {
    const x = place.get(candidates.a[edge]!)!;
    const y = place.get(candidates.b[edge]!)!;
    return Math.min(x, y) * rows.length + Math.max(x, y);
  };
  const orders = new Map(edges.map((edge) => [edge, order(edge)]));
  return edges.sort((x, y) => orders.get(x)! - orders.get(y)!);
}

/**
 * exp(sum) over one plus the same of all rivals of either side: the probability that this pair is
 * one station, when each observation has at most one counterpart in each other feed.
 */
export function weighRivals(
  prepared: Prepared,
  { a, b, sum }: Edges,
  open: readonly number[],
  probability: Float64Array,
): void {
  const totals = new Map<number, number>();
  const n = prepared.feeds.length;
  const sideA = (edge: number): number => a[edge]! * n + prepared.feed[b[edge]!]!;
  const sideB = (edge: number): number => b[edge]! * n + prepared.feed[a[edge]!]!;
  for (const edge of open) {
    const odds = Math.exp(sum[edge]!);
    totals.set(sideA(edge), (totals.get(sideA(edge)) ?? 0) + odds);
    totals.set(sideB(edge), (totals.get(sideB(edge)) ?? 0) + odds);
  }
  for (const edge of open) {
    const odds = Math.exp(sum[edge]!);
    // The two sides added first: which of them is a must not show in the last bit.
    const all = totals.get(sideA(edge))! + totals.get(sideB(edge))! + (1 - odds);
    probability[edge] = odds / all;
  }
}

/**
 * Merges unless some two observations are no candidates of one another (complete linkage): so no
 * feed appears twice in a group, and no chain A~B~C joins an A and a C that do not fit.
 */
function mergeGroups(
  prepared: Prepared,
  candidates: Candidates,
  edge: number,
  groups: Map<number, Group>,
  linked: ReadonlySet<number>,
  confidence: number,
): boolean {
  const x = groups.get(candidates.a[edge]!)!;
  const y = groups.get(candidates.b[edge]!)!;
  if (x === y || !areLinked(prepared, x, y, linked)) return false;
  x.members.push(...y.members);
  for (const feed of y.feeds) x.feeds.add(feed);
  x.confidence = Math.min(x.confidence, y.confidence, confidence);
  for (const row of y.members) groups.set(row, x);
  return true;
}

function sharesFeed(x: Group, y: Group): boolean {
  for (const feed of y.feeds) if (x.feeds.has(feed)) return true;
  return false;
}

function areLinked(prepared: Prepared, x: Group, y: Group, linked: ReadonlySet<number>): boolean {
  const n = prepared.observations.length;
  return x.members.every((a) => y.members.every((b) => linked.has(a < b ? a * n + b : b * n + a)));
}

/** Still undecided: in two groups that have no feed in common. */
function isOpen(candidates: Candidates, edge: number, groups: Map<number, Group>): boolean {
  const x = groups.get(candidates.a[edge]!)!;
  const y = groups.get(candidates.b[edge]!)!;
  return x !== y && !sharesFeed(x, y);
}

function keyOfEdge(prepared: Prepared, { a, b }: Candidates, edge: number): number {
  const n = prepared.observations.length;
  const x = a[edge]!;
  const y = b[edge]!;
  return x < y ? x * n + y : y * n + x;
}

function finish(prepared: Prepared, { members, confidence }: Group): Solution["clusters"][number] {
  return {
    members: members.toSorted((x, y) => compareObservations(prepared, x, y)),
    confidence,
  };
}
