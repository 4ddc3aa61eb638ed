// What hangs together on foot, and the ways that join what should.
import type { Spot } from "../openbase/plane.ts";
import type { Draft } from "./draft.ts";
import type { Streets } from "./model.ts";
import { apart } from "./plane.ts";
import { CONNECTOR } from "./styles.ts";

/** Nodes of each part, the largest first. A gate that is closed is no part of any. */
export function listParts({ nodes, ways }: Pick<Streets, "nodes" | "ways">): number[][] {
  const parents = Int32Array.from(nodes, () => -1);
  const rootOf = (node: number): number => {
    let at = node;
    while (parents[at] !== at) at = parents[at] = parents[parents[at]!]!;
    return at;
  };
  for (const way of ways) {
    if (way.footing === "closed") continue;
    let before = -1;
    for (const node of way.nodes) {
      const is_closed = nodes[node]!.passing === "closed";
      if (!is_closed && parents[node] === -1) parents[node] = node;
      if (!is_closed && before >= 0) parents[rootOf(node)] = rootOf(before);
      before = is_closed ? -1 : node;
    }
  }
  const parts = new Map<number, number[]>();
  for (const node of nodes.keys()) {
    if (parents[node] === -1) continue;
    const root = rootOf(node);
    const part = parts.get(root);
    if (part) part.push(node);
    else parts.set(root, [node]);
  }
  return [...parts.values()].toSorted((a, b) => b.length - a.length || a[0]! - b[0]!);
}

/** The longest way that is laid to join a part to another. */
const MOST_M = 900;
/** A part as large as this is a side of the river: bridges lead there. */
const SIDE_NODES = 400;

/** Leads a way from each part to the nearest larger one on its side of the river. */
export function joinParts(draft: Draft): void {
  const parts = listParts(draft);
  const rank = new Map(parts.flatMap((part, n) => part.map((node) => [node, n] as const)));
  const cells = new Cells(draft.spots, rank.keys());
  for (const [n, part] of parts.entries()) {
    if (part.length >= SIDE_NODES) continue;
    let [best, best_m]: [[number, number] | null, number] = [null, MOST_M];
    for (const node of part) {
      if (!draft.isOpen(node)) continue;
      const spot = draft.spots[node]!;
      const larger = cells.around(spot, best_m).filter((other) => rank.get(other)! < n);
      const other = draft.nearest(spot, larger, best_m);
      if (other === null || draft.isCut(node, other)) continue;
      best = [node, other];
      best_m = apart(spot, draft.spots[other]!);
    }
    if (best !== null) draft.addWay(best, CONNECTOR);
  }
}

const CELL_M = 150;
const MOST_CELLS = 4_096;
const keyOf = (column: number, row: number): number => column * MOST_CELLS + row;
const cellOf = (metres: number): number => Math.floor(metres / CELL_M);

/** Nodes by where they are. */
class Cells {
  readonly #nodes = new Map<number, number[]>();

  constructor(spots: readonly Spot[], nodes: Iterable<number>) {
    for (const node of nodes) {
      const [east, north] = spots[node]!;
      const key = keyOf(cellOf(east), cellOf(north));
      const known = this.#nodes.get(key);
      if (known) known.push(node);
      else this.#nodes.set(key, [node]);
    }
  }

  /** All within a distance, and some beyond. */
  around([east, north]: Spot, reach_m: number): number[] {
    const found: number[] = [];
    for (let i = cellOf(east - reach_m); i <= cellOf(east + reach_m); i += 1)
      for (let j = cellOf(north - reach_m); j <= cellOf(north + reach_m); j += 1)
        found.push(...(this.#nodes.get(keyOf(i, j)) ?? []));
    return found;
  }
}
