/**
 * Small parts of the network. Of a part that leads to other pages it is known once all pages are made
 * whether all that hangs together has few nodes.
 */
import type { Edges, GateAt, Vertices } from "./build-graph.ts";
import { filled } from "#kit/growing.ts";
import { isKeyOfEntrance } from "./gates.ts";
import { joinParts, rootOf } from "./joined.ts";
import type { GateKey, SmallPart, WalkMeta } from "./walk-layout.ts";

/** A part of fewer nodes that hangs together is an island: no point is put there. */
const LEAST_NODES = 50;

/**
 * Marks the vertices of parts that hang together and have few nodes; `parts` are those that may have
 * more in other pages.
 */
export function findIslands(
  { ids, gates }: Vertices,
  edges: Edges,
): { marked: Uint8Array; parts: SmallPart[] } {
  const parents = filled(new Uint32Array(ids.length), (i) => i);
  const [from, to] = [edges.from.view(), edges.to.view()];
  from.forEach((vertex, i) => joinParts(parents, vertex, to[i]!));
  const sizes = new Float64Array(ids.length);
  for (let i = 0; i < ids.length; i++) sizes[rootOf(parents, i)]! += 1;
  from.forEach((vertex, i) => (sizes[rootOf(parents, vertex)]! += edges.between.at(i)));
  const elsewhere = gates.filter(({ isOwn }) => !isOwn).map(({ vertex }) => vertex);
  for (const vertex of new Set(elsewhere)) sizes[rootOf(parents, vertex)]! -= 1;
  const gated = new Map<number, GateAt[]>();
  for (const gate of gates) {
    const root = rootOf(parents, gate.vertex);
    const known = gated.get(root);
    if (known) known.push(gate);
    else gated.set(root, [gate]);
  }
  const marked = filled(new Uint8Array(ids.length), (i) => {
    const root = rootOf(parents, i);
    return sizes[root]! < LEAST_NODES && !gated.has(root) ? 1 : 0;
  });
  return { marked, parts: [...gated].flatMap(([root, list]) => toPart(sizes[root]!, list)) };
}

/** Of a part that is no island: the entrances of squares alone, since not all are some. */
function toPart(nodes: number, gates: readonly GateAt[]): SmallPart[] {
  const isSmall = nodes < LEAST_NODES;
  const inside = gates
    .filter(({ isOwn, isEntrance }) => isOwn && (isSmall || isEntrance))
    .map(({ key }) => key);
  const outside = gates
    .filter(({ isOwn, isEntrance }) => !isOwn && (isSmall || isEntrance))
    .map(({ key }) => key);
  return inside.length + outside.length > 0 ? [{ nodes, inside, outside }] : [];
}

/**
 * Header of the walking section of a paged base, from those of all its pages: `openWalk` of a
 * page takes it.
 */
export function joinWalkMetas(pages: Iterable<WalkMeta>): WalkMeta {
  const parts: SmallPart[] = [];
  let joined: WalkMeta | null = null;
  for (const { parts: small = [], ...meta } of pages) {
    joined ??= meta;
    parts.push(...small);
  }
  const entrances = new Set(parts.flatMap(({ inside }) => inside.filter(isKeyOfEntrance)));
  const outside = parts.flatMap((part) => part.outside.filter(isKeyOfEntrance));
  const closed = [...new Set(outside)].filter((key) => !entrances.has(key));
  const islands = listIslands(parts);
  return { ...(joined ?? { ruleset: "usual", squares: true }), islands, closed };
}

/** Gates of the parts that are islands. */
function listIslands(parts: readonly SmallPart[]): GateKey[] {
  const homes = new Map<GateKey, number>();
  parts.forEach(({ inside }, at) => inside.forEach((gate) => homes.set(gate, at)));
  const parents = Uint32Array.from(parts, (_, at) => at);
  /** Parts that lead to one that is not small. */
  const open: number[] = [];
  parts.forEach(({ outside }, at) => {
    for (const gate of outside) {
      const home = homes.get(gate);
      if (home !== undefined) joinParts(parents, home, at);
      // Where no way meets the rim of a square, it is not entered.
      else if (!isKeyOfEntrance(gate)) open.push(at);
    }
  });
  const nodes = new Map<number, number>();
  parts.forEach((part, at) =>
    nodes.set(rootOf(parents, at), (nodes.get(rootOf(parents, at)) ?? 0) + part.nodes),
  );
  for (const part of open) nodes.set(rootOf(parents, part), Infinity);
  return parts.flatMap(({ inside, outside }, at) =>
    nodes.get(rootOf(parents, at))! < LEAST_NODES
      ? [...inside, ...outside].filter((gate) => !isKeyOfEntrance(gate))
      : [],
  );
}
