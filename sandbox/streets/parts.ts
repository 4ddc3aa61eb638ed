// What hangs together on foot, and the ways that join what should.
import type { Draft } from "./draft.ts";
import type { Streets } from "./model.ts";
import { apart } from "./plane.ts";
import { CONNECTOR } from "./styles.ts";

/** Nodes of each part, the largest first. A gate that is closed is no part of any. */
export function listParts({ nodes, ways }: Pick<Streets, "nodes" | "ways">): number[][] {
  const parents = nodes.map((_, node) => node);
  const rootOf = (node: number): number => {
    let at = node;
    while (parents[at] !== at) at = parents[at] = parents[parents[at]!]!;
    return at;
  };
  const walked = new Set<number>();
  for (const way of ways) {
    if (way.footing === "closed") continue;
    for (const [n, node] of way.nodes.entries()) {
      if (nodes[node]!.passing === "closed") continue;
      walked.add(node);
      const before = way.nodes[n - 1];
      if (before === undefined || nodes[before]!.passing === "closed") continue;
      parents[rootOf(node)] = rootOf(before);
    }
  }
  const parts = Map.groupBy(walked, rootOf);
  return [...parts.values()].toSorted((a, b) => b.length - a.length || a[0]! - b[0]!);
}

/** The longest way that is laid to join a part to another. */
const MOST_M = 900;
/** A part as large as this is a side of the river: bridges lead there. */
const SIDE_NODES = 400;

/** Leads a way from each part to the nearest larger one on its side of the river. */
export function joinParts(draft: Draft): void {
  const parts = listParts(draft);
  for (const [n, part] of parts.entries()) {
    if (part.length >= SIDE_NODES) continue;
    const larger = parts.slice(0, n).flat();
    let [best, best_m]: [[number, number] | null, number] = [null, MOST_M];
    for (const node of part) {
      if (!draft.isOpen(node)) continue;
      const spot = draft.spots[node]!;
      const other = draft.nearest(spot, larger, best_m);
      if (other === null || draft.isCut(node, other)) continue;
      best = [node, other];
      best_m = apart(spot, draft.spots[other]!);
    }
    if (best !== null) draft.addWay(best, CONNECTOR);
  }
}
