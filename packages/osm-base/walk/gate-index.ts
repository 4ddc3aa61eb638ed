/** Gates of a page by what they are known by in other pages. */
import { keyOfEntrance, keyOfPlace } from "./gates.ts";
import { GATE_KIND, type GateKey, ISLAND, type WalkColumns, type WalkMeta } from "./walk-layout.ts";

/** What of a graph is needed here (walk-graph.ts). */
type Graph = {
  columns: WalkColumns;
  pointOf(vertex: number): readonly [lat7: number, lon7: number];
  arrivalsAt(vertex: number): Uint32Array;
};

const NONE: readonly GateKey[] = [];

export class GateIndex {
  /** Vertices of gates that lie in the page's cell, and of those that lie elsewhere. */
  readonly inside = new Map<GateKey, number>();
  readonly elsewhere = new Map<GateKey, number>();
  readonly #keys = new Map<number, GateKey[]>();

  constructor(graph: Graph) {
    const { gates = [], gate_kinds, gate_ids } = graph.columns;
    gates.forEach((vertex, i) => {
      const kind = gate_kinds![i]!;
      const id = gate_ids![i]!;
      const place = Number.isNaN(id) ? keyOfPlace(...graph.pointOf(vertex)) : id;
      const key = (kind & GATE_KIND.entrance) !== 0 ? keyOfEntrance(place) : place;
      const list = (kind & GATE_KIND.elsewhere) !== 0 ? this.elsewhere : this.inside;
      list.set(key, vertex);
      const keys = this.#keys.get(vertex);
      if (keys) keys.push(key);
      else this.#keys.set(vertex, [key]);
    });
  }

  /** What a vertex is known by; none: it is no gate. */
  keysOf(vertex: number): readonly GateKey[] {
    return this.#keys.get(vertex) ?? NONE;
  }
}

/**
 * Marks of the vertices where those of islands that lead to other pages are known, and which squares
 * are entered where; null: there are none.
 */
export function withIslands(
  graph: Graph & { gates: GateIndex },
  { islands = [], closed = [] }: Pick<WalkMeta, "islands" | "closed">,
): Uint8Array | null {
  if (islands.length + closed.length === 0 || !graph.columns.gates?.length) return null;
  const { inside, elsewhere } = graph.gates;
  const verticesOf = (keys: readonly GateKey[]): number[] =>
    keys.flatMap((key) => inside.get(key) ?? elsewhere.get(key) ?? []);
  const left = [...new Set(verticesOf(islands))];
  const ends = verticesOf(closed);
  if (left.length + ends.length === 0) return null;
  const { out, to } = graph.columns;
  const marks = graph.columns.marks.slice();
  for (const vertex of [...left, ...ends]) marks[vertex]! |= ISLAND;
  const add = (vertex: number): void => {
    if ((marks[vertex]! & ISLAND) !== 0) return;
    marks[vertex]! |= ISLAND;
    left.push(vertex);
  };
  for (const vertex of left) {
    for (let edge = out[vertex]!; edge < out[vertex + 1]!; edge++) add(to[edge]!);
    for (const start of graph.arrivalsAt(vertex)) add(start);
  }
  return marks;
}
