/**
 * Small parts of the network that lead to other pages: whether all that hangs together has few nodes
 * is known once all pages are made.
 */
import type { GateKey, SmallPart, WalkMeta } from "./walk-layout.ts";

/** A part of fewer nodes that hangs together is an island: no point is put there. */
export const LEAST_NODES = 50;

/**
 * Header of the walking section of a paged base, from those of all its pages: `islands` are gates of
 * parts that are islands over all pages (`openWalk` takes them).
 */
export function joinWalkMetas(pages: Iterable<WalkMeta>): WalkMeta {
  const parts: SmallPart[] = [];
  let joined: WalkMeta | null = null;
  for (const { parts: small = [], ...meta } of pages) {
    joined ??= meta;
    parts.push(...small);
  }
  const islands = findIslands(parts);
  return { ...(joined ?? { ruleset: "usual", squares: true }), islands };
}

/** Gates of the parts that are islands. */
function findIslands(parts: readonly SmallPart[]): GateKey[] {
  const homes = new Map<GateKey, number>();
  parts.forEach(({ own }, at) => own.forEach((gate) => homes.set(gate, at)));
  const parents = parts.map((_, at) => at);
  const rootOf = (part: number): number => {
    let at = part;
    while (parents[at] !== at) at = parents[at] = parents[parents[at]!]!;
    return at;
  };
  /** Parts that lead to one that is not small. */
  const open: number[] = [];
  parts.forEach(({ others }, at) => {
    for (const gate of others) {
      const home = homes.get(gate);
      if (home === undefined) open.push(at);
      else parents[rootOf(home)] = rootOf(at);
    }
  });
  const nodes = new Map<number, number>();
  parts.forEach((part, at) =>
    nodes.set(rootOf(at), (nodes.get(rootOf(at)) ?? 0) + part.nodes),
  );
  for (const part of open) nodes.set(rootOf(part), Infinity);
  return parts.flatMap(({ own, others }, at) =>
    nodes.get(rootOf(at))! < LEAST_NODES ? [...own, ...others] : [],
  );
}
