/**
 * One bounded search for the shortest ways on foot from a point to many others. A way is never shorter
 * than the beeline, so the caller's radius bounds it.
 */
import { Growing } from "#kit/growing.ts";
import { BucketQueue } from "./bucket-queue.ts";
import { placeIn, type WalkGraph } from "./walk-graph.ts";
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

/** Words of a vertex's label: which search it is of, centimetres from the start, the way there, state. */
const WORDS = 4;
const [COST, BY, STATE] = [1, 2, 3];
/** Bits of a label's state above those of `STEPS`: the worst of steps on the way there. */
const DONE = 4;
const SEEN = 8;
const GOAL = 16;

/** Edges that one search looks at: about as many as 15 ms are long (docs/lab/walking.md, Cost). */
const MOST_LOOKS = 250_000;
/** Centimetres of the longest bound. */
const MOST_CM = 10_000_000;

/** Memory of searches over one graph, used again from one to the next, and by nothing else. */
export class WalkSearch {
  readonly #graph: WalkGraph;
  readonly #most_looks: number;
  /** Label of vertex i: words from i * WORDS on, next to one another since they are read together. */
  readonly #labels: Uint32Array;
  readonly #queue = new BucketQueue();
  #reached = new Growing(Uint32Array);
  #stamp = 0;
  /** Bound of the newest search, and within which it has found all. */
  #asked_cm = 0;
  #most_cm = 0;
  /** Steps of the edges that are not walked; -1: all are. */
  #shut = -1;

  constructor(graph: WalkGraph, most_looks = MOST_LOOKS) {
    this.#graph = graph;
    this.#most_looks = most_looks;
    this.#labels = new Uint32Array(WORDS * graph.vertices);
  }

  /**
   * Ways to each of the targets, in their order; null: not reached within `searched_cm`. Takes no
   * longer than what lies within `most_cm`, and never longer than some milliseconds.
   */
  find(
    from: Snap,
    targets: readonly (Snap | null)[],
    { most_cm, profile }: { most_cm: number; profile: Profile },
  ): (Walk | null)[] {
    this.#begin(most_cm, profile);
    let goals = 0;
    for (const target of targets)
      if (target !== null) goals += this.#addGoal(target.from) + this.#addGoal(target.to);
    this.#start(from);
    this.#run(profile, goals);
    return targets.map((target) => this.#walkTo(from, target, profile));
  }

  /** Walks to all that lies within a distance: `reached` and `costOf` say what. */
  reach(from: Snap, { most_cm, profile }: { most_cm: number; profile: Profile }): void {
    this.#begin(most_cm, profile);
    this.#start(from);
    this.#run(profile, Infinity);
  }

  /**
   * Centimetres within which the newest search has found all: its bound, or less where more edges lie
   * within that than one search looks at.
   */
  get searched_cm(): number {
    return this.#most_cm;
  }

  /** Vertices that the newest search has reached, each once, nearly in the order of their distance. */
  reached(): Uint32Array {
    const reached = this.#reached.view();
    return this.#most_cm < this.#asked_cm
      ? reached.filter((vertex) => this.costOf(vertex) !== null)
      : reached;
  }

  /** Centimetres to a vertex in the newest search; null: not reached within its bound. */
  costOf(vertex: number): number | null {
    const at = WORDS * vertex;
    const cost = this.#labels[at] === this.#stamp ? this.#labels[at + COST]! : Infinity;
    return cost <= this.#most_cm ? cost : null;
  }

  /** Edges of the newest search from a vertex back to the start, the last of them on the edge of the start. */
  edgesTo(vertex: number): number[] {
    const list: number[] = [];
    const { edges, from, arrivals, into } = this.#graph.columns;
    for (let at = vertex; ;) {
      const by = this.#labels[WORDS * at + BY]!;
      if (by === NONE) return list.toReversed();
      const arrival = by - edges.length;
      if (arrival < 0) {
        list.push(by);
        at = this.#graph.startOf(by);
        continue;
      }
      const before = placeIn(into, arrival);
      const edge = this.#graph.edgeOf(from[arrival]!, before, arrivals[arrival]!);
      if (edge < 0) return list.toReversed();
      list.push(edge);
      at = before;
    }
  }

  #begin(most_cm: number, profile: Profile): void {
    if (this.#stamp === NONE) {
      this.#labels.fill(0);
      this.#stamp = 0;
    }
    this.#stamp += 1;
    this.#most_cm = this.#asked_cm = Math.min(most_cm, MOST_CM);
    this.#shut = profile === "step_free" ? STEPS.some : -1;
    this.#queue.begin(this.#most_cm);
    this.#reached = new Growing(Uint32Array);
  }

  /** 1: it was none before. */
  #addGoal(vertex: number): number {
    const at = WORDS * vertex;
    if (this.#labels[at] === this.#stamp) return 0;
    this.#labels[at] = this.#stamp;
    this.#labels[at + COST] = NONE;
    this.#labels[at + STATE] = GOAL;
    return 1;
  }

  #start(from: Snap): void {
    const edge = this.#graph.columns.edges[from.edge]!;
    const steps = edge & EDGE.steps;
    if (steps === this.#shut) return;
    this.#offer(from.from, from.from_cm, NONE, steps);
    this.#offer(from.to, from.to_cm, NONE, steps);
  }

  /** Walks until the bound, `goals` vertices that are goals, or the last look. */
  #run(profile: Profile, goals: number): void {
    const { out, to, edges, into, from, arrivals, marks } = this.#graph.columns;
    const [labels, queue, reached] = [this.#labels, this.#queue, this.#reached];
    const closed = closedTo(profile);
    if (goals === 0) return;
    let looks = this.#most_looks;
    let [left, end] = [goals, Infinity];
    for (let vertex = queue.pop(); vertex >= 0; vertex = queue.pop()) {
      if (queue.floor > end) return;
      const at = WORDS * vertex + STATE;
      const state = labels[at]!;
      if ((state & DONE) !== 0) continue;
      const leaving = out[vertex + 1]!;
      const arriving = into[vertex + 1]!;
      looks -= 1 + leaving - out[vertex]! + arriving - into[vertex]!;
      if (looks < 0) {
        this.#most_cm = queue.floor - 1;
        return;
      }
      labels[at] = (state & ~GOAL) | DONE | SEEN;
      if ((state & SEEN) === 0) reached.push(vertex);
      if ((state & GOAL) !== 0 && --left === 0) end = queue.floor;
      const mark = marks[vertex]!;
      if ((mark & closed) !== 0) continue;
      const cost = labels[at - STATE + COST]!;
      const steps = Math.max(state & EDGE.steps, stepsOf(mark));
      for (let edge = out[vertex]!; edge < leaving; edge++)
        this.#take(to[edge]!, edge, edges[edge]!, cost, steps);
      for (let i = into[vertex]!; i < arriving; i++)
        this.#take(from[i]!, edges.length + i, arrivals[i]!, cost, steps);
    }
  }

  /** Walks an edge of these bits from a vertex that is reached at a cost, with the worst of steps before it. */
  #take(vertex: number, by: number, bits: number, cost: number, steps: number): void {
    const worst = bits & EDGE.steps;
    if (worst === this.#shut) return;
    this.#offer(vertex, cost + (bits >>> EDGE_BITS), by, steps > worst ? steps : worst);
  }

  #offer(vertex: number, cost: number, by: number, steps: number): void {
    if (cost > this.#most_cm) return;
    const labels = this.#labels;
    const at = WORDS * vertex;
    const isKnown = labels[at] === this.#stamp;
    if (isKnown && labels[at + COST]! <= cost) return;
    labels[at] = this.#stamp;
    labels[at + COST] = cost;
    labels[at + BY] = by;
    labels[at + STATE] = steps | (isKnown ? labels[at + STATE]! & (SEEN | GOAL) : 0);
    this.#queue.push(vertex, cost);
  }

  #walkTo(from: Snap, target: Snap | null, profile: Profile): Walk | null {
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
      const before = this.#labels[WORDS * by + STATE]! & EDGE.steps;
      const steps = Math.max(before, stepsOf(passes), edge_steps);
      ways.push({ length_cm: cost + rest_cm, steps, by });
    }
    const best = ways.reduce<Walk | null>(
      (least, way) => (least === null || way.length_cm < least.length_cm ? way : least),
      null,
    );
    return best !== null && best.length_cm <= this.#most_cm ? best : null;
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
