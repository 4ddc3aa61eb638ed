/**
 * Entrances of a square: nodes of its rim at which ways meet, and corners around which ways bend. Of
 * many only some are taken, which the rim alone decides: a page that has a part of it takes the same.
 */
import type { Square } from "./walk-intake.ts";

/** Why a node is a vertex: ways meet at it, or it is marked; the way across a square bends; it is a gate alone. */
export const MET = { ways: 2, bend: 1, gate: 0 } as const;

/** Corners that are taken, at most, and nodes at which ways meet, of a rim of many nodes. */
const MOST_BENDS = 40;
const MOST_NODES = 400;

/** `metAt`: why a node is a vertex; of nodes that are none, or are not known, MET.gate. */
export function chooseEntrances(
  { rings, bends }: Pick<Square, "rings" | "bends">,
  metAt: (node: number) => number,
): Set<number> {
  const chosen = new Set<number>();
  const nodes = new Set(rings.flatMap((ring) => [...ring.nodes]));
  const step = Math.ceil(nodes.size / MOST_NODES);
  const step_of_bends = Math.ceil(bends.size / MOST_BENDS);
  let [number, bend] = [0, 0];
  for (const node of nodes) {
    const met = metAt(node);
    const isTaken = met === MET.ways ? number % step === 0 : bend % step_of_bends === 0;
    if (met !== MET.gate && isTaken) chosen.add(node);
    number += 1;
    if (bends.has(node)) bend += 1;
  }
  return chosen;
}
