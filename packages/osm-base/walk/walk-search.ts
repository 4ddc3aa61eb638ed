/**
 * One bounded search for the shortest ways on foot from a point to many others. A way is never shorter
 * than the beeline, so the caller's radius bounds it.
 */
import { BUCKET_BITS, BucketQueue, NO_ENTRY } from "./bucket-queue.ts";
import { placeIn, type WalkGraph } from "./walk-graph.ts";
import {
  closedTo,
  DEAD_END,
  EDGE,
  EDGE_BITS,
  isOpen,
  type Profile,
  PROFILES,
  SEVERAL,
} from "./walk-layout.ts";
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
  readonly #queue: BucketQueue;
  /** Vertices reached by the newest search: the first `#reached_count` of these. */
  readonly #reached: Uint32Array;
  #reached_count = 0;
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
    // A look pushes one vertex at most; the start has two.
    this.#queue = new BucketQueue(most_looks + 2);
    this.#reached = new Uint32Array(Math.min(most_looks, graph.vertices));
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
    const joined = targets.map((target) =>
      target !== null && mayJoin(this.#graph, [from, target], profile) ? target : null,
    );
    let goals = 0;
    for (const target of joined)
      if (target !== null) goals += this.#addGoal(target.from) + this.#addGoal(target.to);
    this.#run(this.#start(from), profile, goals);
    return joined.map((target) => this.#walkTo(from, target, profile));
  }

  /** Walks to all that lies within a distance: `reached` and `costOf` say what. */
  reach(from: Snap, { most_cm, profile }: { most_cm: number; profile: Profile }): void {
    this.#begin(most_cm, profile);
    this.#run(this.#start(from), profile, Infinity);
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
    const reached = this.#reached.subarray(0, this.#reached_count);
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
    this.#reached_count = 0;
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

  /** Labels the ends of the edge that the search starts from. */
  #start(from: Snap): number[] {
    const steps = this.#graph.columns.edges[from.edge]! & EDGE.steps;
    if (steps === this.#shut) return [];
    const ends = [from.from, from.to];
    ends.forEach((vertex, i) => {
      const cost = i === 0 ? from.from_cm : from.to_cm;
      const at = WORDS * vertex;
      const isKnown = this.#labels[at] === this.#stamp;
      if (isKnown && this.#labels[at + COST]! <= cost) return;
      this.#labels[at] = this.#stamp;
      this.#labels[at + COST] = cost;
      this.#labels[at + BY] = NONE;
      this.#labels[at + STATE] = steps | (isKnown ? this.#labels[at + STATE]! & GOAL : 0);
    });
    return ends;
  }

  /**
   * Walks from the start until the bound, until `goals` vertices that are goals are reached, or until
   * the last look.
   */
  #run(starts: readonly number[], profile: Profile, goals: number): void {
    if (goals === 0) return;
    const { out, into, ends, bits, marks } = this.#graph.columns;
    const count_edges = this.#graph.edges;
    // What other modules export is read once.
    const [shift, mask, width] = [EDGE_BITS, EDGE.steps, BUCKET_BITS];
    const [dead_end, none] = [DEAD_END, NO_ENTRY];
    const [labels, stamp, reached] = [this.#labels, this.#stamp, this.#reached];
    const [most_cm, shut, closed] = [this.#most_cm, this.#shut, closedTo(profile)];
    const last = this.#queue.begin(most_cm);
    const { heads, before, vertices } = this.#queue;
    let [entries, count, left, looks] = [0, 0, goals, this.#most_looks];
    for (const vertex of starts) {
      const bucket = labels[WORDS * vertex + COST]! >>> width;
      if (bucket > last) continue;
      vertices[entries] = vertex;
      before[entries] = heads[bucket]!;
      heads[bucket] = entries++;
    }
    for (let bucket = 0; bucket <= last && left > 0; bucket++)
      for (let entry = heads[bucket]!; entry !== none; entry = heads[bucket]!) {
        heads[bucket] = before[entry]!;
        const vertex = vertices[entry]!;
        const at = WORDS * vertex;
        const state = labels[at + STATE]!;
        if ((state & DONE) !== 0) continue;
        looks -= 1 + out[vertex + 1]! - out[vertex]! + into[vertex + 1]! - into[vertex]!;
        if (looks < 0) {
          this.#most_cm = (bucket << width) - 1;
          this.#reached_count = count;
          return;
        }
        labels[at + STATE] = (state & ~GOAL) | DONE | SEEN;
        if ((state & SEEN) === 0) reached[count++] = vertex;
        if ((state & GOAL) !== 0) left -= 1;
        const so_far = labels[at + COST]!;
        // What begins at a barrier leaves it on both sides, as it is reached from both.
        const mark = so_far === 0 ? 0 : marks[vertex]!;
        if ((mark & closed) !== 0) continue;
        const steps = mark === 0 ? state & mask : Math.max(state & mask, stepsOf(mark));
        for (let side = 0; side < 2; side++) {
          const begin = side === 0 ? out[vertex]! : count_edges + into[vertex]!;
          const stop = side === 0 ? out[vertex + 1]! : count_edges + into[vertex + 1]!;
          for (let i = begin; i < stop; i++) {
            const edge = bits[i]!;
            const cost = so_far + (edge >>> shift);
            const worst = edge & mask;
            if (cost > most_cm || worst === shut) continue;
            const end = ends[i]!;
            const next = WORDS * end;
            const isKnown = labels[next] === stamp;
            if (isKnown && labels[next + COST]! <= cost) continue;
            const kept = isKnown ? labels[next + STATE]! & (SEEN | GOAL) : 0;
            labels[next] = stamp;
            labels[next + COST] = cost;
            labels[next + BY] = i;
            labels[next + STATE] = kept | (steps > worst ? steps : worst);
            // Nothing is looked for beyond a dead end.
            if ((marks[end]! & dead_end) !== 0 && (kept & GOAL) === 0) {
              if ((kept & SEEN) !== 0) continue;
              labels[next + STATE]! |= SEEN;
              reached[count++] = end;
              continue;
            }
            vertices[entries] = end;
            before[entries] = heads[cost >>> width]!;
            heads[cost >>> width] = entries++;
          }
        }
      }
    this.#reached_count = count;
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

/** Whether a way may lead from one point to the other; false: none does, however long. */
function mayJoin(graph: WalkGraph, ends: readonly [Snap, Snap], profile: Profile): boolean {
  const [a, b] = ends.map((end) => partAt(graph, end, profile));
  return ends[0].edge === ends[1].edge || a === SEVERAL || b === SEVERAL || a === b;
}

/** Part of the network that a point is in; `SEVERAL` also for what lies at a barrier. */
function partAt({ columns }: WalkGraph, at: Snap, profile: Profile): number {
  const { parts, marks } = columns;
  const closed = closedTo(profile);
  const isAtBarrier =
    (at.from_cm === 0 && (marks[at.from]! & closed) !== 0) ||
    (at.to_cm === 0 && (marks[at.to]! & closed) !== 0);
  if (isAtBarrier) return SEVERAL;
  const partOf = (vertex: number): number =>
    parts[PROFILES.length * vertex + PROFILES.indexOf(profile)]!;
  return partOf(at.from) === SEVERAL ? partOf(at.to) : partOf(at.from);
}

/** What passing a vertex says of steps. */
function stepsOf(mark: number): number {
  return (mark & MARK.step) !== 0
    ? STEPS.some
    : (mark & MARK.doubt) !== 0
      ? STEPS.unknown
      : STEPS.none;
}
