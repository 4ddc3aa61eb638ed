/**
 * One bounded search for the shortest ways on foot from a point to many others. A way is never shorter
 * than the beeline, so the caller's radius bounds it.
 */
import type { WalkGraph } from "./walk-graph.ts";
import { EDGE, EDGE_BITS, isOpen, type Profile } from "./walk-layout.ts";
import { MARK, STEPS } from "./walk-rules.ts";
import type { Snap } from "./snap.ts";

/** A way as it was found. */
export type Walk = {
  /** From point to point: along the edges, without the way to them. */
  length_cm: number;
  /** Worst that is known of steps on it: one of STEPS. */
  steps: number;
  /** Vertex by which it comes to the edge of the target; null: it stays on the edge of the start. */
  by: number | null;
};

const NONE = 0xffffffff;

/** Memory of searches over one graph, used again from one to the next, and by nothing else. */
export class WalkSearch {
  readonly #graph: WalkGraph;
  /** Centimetres from the start; valid where `#stamps` is that of this search. */
  readonly #cost: Uint32Array;
  readonly #stamps: Uint32Array;
  /** Edge by which a vertex was reached, and the worst of steps on the way there. */
  readonly #by: Uint32Array;
  readonly #steps: Uint8Array;
  #stamp = 0;
  #reached: number[] = [];
  #most_cm = 0;
  readonly #heap = new Heap();

  constructor(graph: WalkGraph) {
    this.#graph = graph;
    this.#cost = new Uint32Array(graph.vertices);
    this.#stamps = new Uint32Array(graph.vertices);
    this.#by = new Uint32Array(graph.vertices);
    this.#steps = new Uint8Array(graph.vertices);
  }

  /**
   * Ways to each of the targets, in their order; null: not reached within `most_cm`. Takes no longer
   * than what lies within that distance.
   */
  find(
    from: Snap,
    targets: readonly (Snap | null)[],
    { most_cm, profile }: { most_cm: number; profile: Profile },
  ): (Walk | null)[] {
    this.#begin(from, profile);
    const goals = new Set<number>();
    for (const target of targets) if (target) goals.add(target.from).add(target.to);
    this.#run(most_cm, profile, goals);
    return targets.map((target) => this.#walkTo(from, target, most_cm, profile));
  }

  /** Walks to all that lies within a distance: `reached` and `costOf` say what. */
  reach(from: Snap, { most_cm, profile }: { most_cm: number; profile: Profile }): void {
    this.#begin(from, profile);
    this.#run(most_cm, profile, null);
  }

  /** Vertices that the newest search has reached, the nearest first. */
  reached(): readonly number[] {
    return this.#reached;
  }

  /** Centimetres to a vertex in the newest search; null: not reached within its bound. */
  costOf(vertex: number): number | null {
    const cost = this.#stamps[vertex] === this.#stamp ? this.#cost[vertex]! : Infinity;
    return cost <= this.#most_cm ? cost : null;
  }

  /** Edges of the newest search from a vertex back to the start, the last of them on the edge of the start. */
  edgesTo(vertex: number): number[] {
    const edges: number[] = [];
    const { to } = this.#graph.columns;
    for (let at = vertex; this.#by[at] !== NONE;) {
      const edge = this.#by[at]!;
      edges.push(edge);
      const end = to[edge]!;
      at = end === at ? this.#graph.startOf(edge) : end;
    }
    return edges.toReversed();
  }

  #begin(from: Snap, profile: Profile): void {
    this.#stamp += 1;
    this.#heap.clear();
    this.#reached = [];
    const edge = this.#graph.columns.edges[from.edge]!;
    if (!isOpen(edge, profile)) return;
    const steps = edge & EDGE.steps;
    this.#offer(from.from, from.from_cm, NONE, steps);
    this.#offer(from.to, from.to_cm, NONE, steps);
  }

  #run(most_cm: number, profile: Profile, goals: Set<number> | null): void {
    this.#most_cm = most_cm;
    const { out, to, into, from, marks, edges } = this.#graph.columns;
    const closed = closedTo(profile);
    let left = goals?.size ?? Infinity;
    for (;;) {
      const vertex = this.#heap.pop();
      if (vertex < 0 || left === 0) return;
      const cost = this.#heap.cost;
      if (cost > most_cm) return;
      if (cost > this.#cost[vertex]!) continue;
      this.#reached.push(vertex);
      if (goals?.has(vertex)) left -= 1;
      // What begins at a barrier leaves it on both sides, as it is reached from both.
      const mark = cost === 0 ? 0 : marks[vertex]!;
      if ((mark & closed) !== 0) continue;
      const steps = Math.max(this.#steps[vertex]!, stepsOf(mark));
      for (let edge = out[vertex]!; edge < out[vertex + 1]!; edge++)
        if (isOpen(edges[edge]!, profile)) this.#take(to[edge]!, edge, cost, steps);
      for (let i = into[vertex]!; i < into[vertex + 1]!; i++) {
        const start = from[i]!;
        for (let edge = out[start]!; edge < out[start + 1]!; edge++)
          if (to[edge] === vertex && isOpen(edges[edge]!, profile))
            this.#take(start, edge, cost, steps);
      }
    }
  }

  /** Walks an edge from a vertex that is reached at a cost, with the worst of steps before it. */
  #take(vertex: number, edge: number, cost: number, steps: number): void {
    const bits = this.#graph.columns.edges[edge]!;
    const worst = bits & EDGE.steps;
    this.#offer(vertex, cost + (bits >>> EDGE_BITS), edge, steps > worst ? steps : worst);
  }

  #offer(vertex: number, cost: number, by: number, steps: number): void {
    if (this.#stamps[vertex] === this.#stamp && this.#cost[vertex]! <= cost) return;
    this.#stamps[vertex] = this.#stamp;
    this.#cost[vertex] = cost;
    this.#by[vertex] = by;
    this.#steps[vertex] = steps;
    this.#heap.push(vertex, cost);
  }

  #walkTo(from: Snap, target: Snap | null, most_cm: number, profile: Profile): Walk | null {
    const { edges, marks } = this.#graph.columns;
    const bits = target === null ? 0 : edges[target.edge]!;
    if (target === null || !isOpen(bits, profile)) return null;
    const edge_steps = bits & EDGE.steps;
    const ways: Walk[] = [];
    if (from.edge === target.edge) {
      const length_cm = Math.abs(from.from_cm - target.from_cm);
      ways.push({ length_cm, steps: edge_steps, by: null });
    }
    for (const [by, rest_cm] of [
      [target.from, target.from_cm],
      [target.to, target.to_cm],
    ] as const) {
      const cost = this.costOf(by);
      const passes = rest_cm > 0 ? marks[by]! : 0;
      if (cost === null || (passes & closedTo(profile)) !== 0) continue;
      const steps = Math.max(this.#steps[by]!, stepsOf(passes), edge_steps);
      ways.push({ length_cm: cost + rest_cm, steps, by });
    }
    const best = ways.reduce<Walk | null>(
      (least, way) => (least === null || way.length_cm < least.length_cm ? way : least),
      null,
    );
    return best !== null && best.length_cm <= most_cm ? best : null;
  }
}

/** Marks of a vertex that is reached and not passed. */
export function closedTo(profile: Profile): number {
  return MARK.closed | (profile === "step_free" ? MARK.step : 0);
}

/** What passing a vertex says of steps. */
function stepsOf(mark: number): number {
  return (mark & MARK.step) !== 0
    ? STEPS.some
    : (mark & MARK.doubt) !== 0
      ? STEPS.unknown
      : STEPS.none;
}

/** Vertices by their cost, the least first. */
class Heap {
  #costs = new Float64Array(1024);
  #vertices = new Uint32Array(1024);
  #length = 0;
  /** Cost of the vertex that was taken last. */
  cost = 0;

  clear(): void {
    this.#length = 0;
  }

  push(vertex: number, cost: number): void {
    if (this.#length === this.#costs.length) this.#grow();
    let at = this.#length++;
    while (at > 0) {
      const parent = (at - 1) >>> 1;
      if (this.#costs[parent]! <= cost) break;
      this.#costs[at] = this.#costs[parent]!;
      this.#vertices[at] = this.#vertices[parent]!;
      at = parent;
    }
    this.#costs[at] = cost;
    this.#vertices[at] = vertex;
  }

  /** The vertex of the least cost; -1: none is left. */
  pop(): number {
    if (this.#length === 0) return -1;
    const vertex = this.#vertices[0]!;
    this.cost = this.#costs[0]!;
    const [cost, last] = [this.#costs[--this.#length]!, this.#vertices[this.#length]!];
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= this.#length) break;
      if (child + 1 < this.#length && this.#costs[child + 1]! < this.#costs[child]!) child += 1;
      if (this.#costs[child]! >= cost) break;
      this.#costs[at] = this.#costs[child]!;
      this.#vertices[at] = this.#vertices[child]!;
      at = child;
    }
    this.#costs[at] = cost;
    this.#vertices[at] = last;
    return vertex;
  }

  #grow(): void {
    const [costs, vertices] = [this.#costs, this.#vertices];
    this.#costs = new Float64Array(2 * costs.length);
    this.#vertices = new Uint32Array(2 * vertices.length);
    this.#costs.set(costs);
    this.#vertices.set(vertices);
  }
}
