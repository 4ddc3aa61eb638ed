/**
 * One bounded search for the shortest ways on foot from a point to many others. A way is never shorter
 * than the beeline, so the caller's radius bounds it. Of a page it is a part of a search over several
 * (`paged-search.ts`), which goes on in turns.
 */
import { BUCKET, BUCKET_BITS, NO_ENTRY } from "./bucket-queue.ts";
import { type Looks, MOST_LOOKS, SearchMemory, WORDS } from "./search-memory.ts";
import { placeIn, type WalkGraph } from "./walk-graph.ts";
import {
  closedTo,
  DEAD_END,
  EDGE,
  EDGE_BITS,
  ELSEWHERE,
  GATE,
  type Profile,
} from "./walk-layout.ts";
import { mayJoin, type Walk, walkTo } from "./walk-ends.ts";
import { MARK, STEPS } from "./walk-rules.ts";
import type { Snap } from "./snap.ts";

/** What a vertex is reached by: the length of the shortest ways, and the least of their steps. */
export type Reached = { cost: number; steps: number };

const NONE = 0xffffffff;
/** A vertex was reached in another page. */
const HANDED = 0xfffffffe;

/** Words of a vertex's label after the number of its search: centimetres from the start, the way there, state. */
const [COST, BY, STATE] = [1, 2, 3];
/** Bits of a label's state above those of `STEPS`: the worst of steps on the way there. */
const DONE = 4;
const SEEN = 8;
const GOAL = 16;

/** Centimetres of the longest bound. */
const MOST_CM = 10_000_000;
/** Goals of a search that does not end when its own are reached. */
const ENDLESS = 2 ** 30;

type Wish = { most_cm: number; profile: Profile };

/** A search over one graph. Its memory may be used again by the next one, and by nothing else meanwhile. */
export class WalkSearch {
  readonly graph: WalkGraph;
  readonly #most_looks: number;
  readonly #memory: SearchMemory;
  #reached_count = 0;
  #stamp = 0;
  #looks: Looks = { left: 0, entries: 0 };
  #is_touched = false;
  /** Goals that are not reached. */
  #left = 0;
  #profile: Profile = "foot";
  /** Bound of the newest search, and within which it has found all. */
  #asked_cm = 0;
  #most_cm = 0;
  /** Steps of the edges that are not walked; -1: all are. */
  #shut = -1;
  /** Gates that were passed since these were taken. */
  #passed: number[] = [];
  /** Steps with which gates that lie elsewhere are left. */
  readonly #left_with = new Map<number, Reached>();
  /** Least bucket into which others have put something. */
  #handed_from = Infinity;

  constructor(graph: WalkGraph, most_looks = MOST_LOOKS, memory = new SearchMemory(most_looks)) {
    this.graph = graph;
    this.#most_looks = most_looks;
    this.#memory = memory;
  }

  /**
   * Ways to each of the targets, in their order; null: not reached within `searched_cm`. Takes no
   * longer than what lies within `most_cm`, and never longer than some milliseconds.
   */
  find(from: Snap, targets: readonly (Snap | null)[], wish: Wish): (Walk | null)[] {
    const { profile } = wish;
    this.begin(wish);
    const joined = targets.map((target) =>
      target !== null && mayJoin(this.graph, [from, target], profile) ? target : null,
    );
    for (const target of joined)
      if (target !== null) [target.from, target.to].forEach((end) => this.addGoal(end));
    if (this.#left > 0) this.#runAll(from);
    return joined.map((target) => walkTo(this, from, target));
  }

  /** Walks to all that lies within a distance: `reached` and `costOf` say what. */
  reach(from: Snap, wish: Wish): void {
    this.begin(wish);
    this.beEndless();
    this.#runAll(from);
  }

  #runAll(from: Snap): void {
    this.start(from);
    const ended = this.run(0, this.lastBucket);
    if (ended !== null) this.endAt(ended * BUCKET - 1);
  }

  get profile(): Profile {
    return this.#profile;
  }

  /**
   * Centimetres within which the newest search has found all: its bound, or less where more edges lie
   * within that than one search looks at.
   */
  get searched_cm(): number {
    return this.#most_cm;
  }

  get lastBucket(): number {
    return this.#asked_cm < 0 ? NO_ENTRY : this.#asked_cm >>> BUCKET_BITS;
  }

  /** Vertices that the newest search has reached, each once, nearly in the order of their distance. */
  reached(): Uint32Array {
    const reached = this.#memory.reached.subarray(0, this.#reached_count);
    return this.#most_cm < this.#asked_cm
      ? reached.filter((vertex) => this.costOf(vertex) !== null)
      : reached;
  }

  /** Centimetres to a vertex in the newest search; null: not reached within its bound. */
  costOf(vertex: number): number | null {
    const { labels } = this.#memory;
    const at = WORDS * vertex;
    const cost = labels[at] === this.#stamp ? labels[at + COST]! : Infinity;
    return cost <= this.#most_cm ? cost : null;
  }

  /** Worst of steps where a vertex is left that was reached; null: it is not passed. */
  leftWith(vertex: number): number | null {
    const { labels } = this.#memory;
    const at = WORDS * vertex;
    const marks = this.graph.columns.marks[vertex]!;
    const steps = labels[at + STATE]! & EDGE.steps;
    // What begins at a barrier leaves it on both sides, as it is reached from both.
    if (labels[at + COST] === 0) return steps;
    if ((marks & ELSEWHERE) !== 0) {
      const left = this.#left_with.get(vertex);
      return left?.cost === labels[at + COST] ? left!.steps : null;
    }
    return (marks & closedTo(this.#profile)) === 0 ? Math.max(steps, stepsOf(marks)) : null;
  }

  stepsTo(vertex: number): number {
    return this.#memory.labels[WORDS * vertex + STATE]! & EDGE.steps;
  }

  /** The edge by which a vertex was first reached in its length; null: none, the way begins here, or in another page. */
  edgeTo(vertex: number): number | null {
    const { edges, from, arrivals, into } = this.graph.columns;
    const by = this.#memory.labels[WORDS * vertex + BY]!;
    if (by >= HANDED) return null;
    const arrival = by - edges.length;
    if (arrival < 0) return by;
    const edge = this.graph.edgeOf(from[arrival]!, placeIn(into, arrival), arrivals[arrival]!);
    return edge < 0 ? null : edge;
  }

  begin({ most_cm, profile }: Wish, looks: Looks = { left: this.#most_looks, entries: 0 }): void {
    this.#stamp = this.#memory.begin(this.graph.vertices);
    this.#looks = looks;
    this.#most_cm = this.#asked_cm = Math.min(most_cm, MOST_CM);
    this.#profile = profile;
    this.#shut = profile === "step_free" ? STEPS.some : -1;
    this.#reached_count = this.#left = 0;
    this.#is_touched = false;
    this.#passed = [];
    this.#left_with.clear();
    this.#handed_from = Infinity;
    this.#memory.queue.begin(this.#asked_cm);
  }

  addGoal(vertex: number): void {
    const { labels } = this.#memory;
    const at = WORDS * vertex;
    if (labels[at] === this.#stamp) return;
    labels[at] = this.#stamp;
    labels[at + COST] = NONE;
    labels[at + STATE] = GOAL;
    this.#left += 1;
  }

  /** Goes on when all goals are reached, and until the bound. */
  beEndless(): void {
    this.#left += ENDLESS;
  }

  /** Goals that are not reached, of an endless search. */
  get goals(): number {
    return this.#left - ENDLESS;
  }

  /** Labels the ends of the edge that the search starts from. */
  start(from: Snap): void {
    const steps = this.graph.columns.edges[from.edge]! & EDGE.steps;
    if (steps === this.#shut) return;
    this.#label(from.from, { cost: from.from_cm, steps }, NONE);
    this.#label(from.to, { cost: from.to_cm, steps }, NONE);
  }

  /** Labels a vertex, if what it is reached by is better; false: it is not. */
  #label(vertex: number, { cost, steps }: Reached, by: number): boolean {
    const { labels, queue, entries } = this.#memory;
    const at = WORDS * vertex;
    const isKnown = labels[at] === this.#stamp;
    if (cost > this.#most_cm || (isKnown && !isBetter(cost, steps, labels, at))) return false;
    const kept = isKnown ? labels[at + STATE]! & (SEEN | GOAL) : 0;
    labels[at] = this.#stamp;
    labels[at + COST] = cost;
    labels[at + BY] = by;
    labels[at + STATE] = kept | steps;
    const bucket = cost >>> BUCKET_BITS;
    const entry = this.#looks.entries++;
    entries.vertices[entry] = vertex;
    entries.before[entry] = queue.heads[bucket]!;
    queue.heads[bucket] = entry;
    this.#is_touched = true;
    this.#handed_from = Math.min(this.#handed_from, bucket);
    return true;
  }

  /** A gate in this page's cell was reached in another page. */
  arrive(vertex: number, reached: Reached): void {
    this.#looks.left -= 1;
    if (this.#looks.left >= 0) this.#label(vertex, reached, HANDED);
  }

  /**
   * A gate that lies elsewhere was reached there, and is left with these steps; null: it is not passed.
   */
  leave(vertex: number, { cost, steps }: Reached, left: number | null): void {
    this.#looks.left -= 1;
    if (this.#looks.left < 0) return;
    const { labels, reached } = this.#memory;
    const at = WORDS * vertex;
    const isKnown = labels[at] === this.#stamp;
    if (!isKnown || isBetter(cost, steps, labels, at)) {
      const kept = isKnown ? labels[at + STATE]! & (SEEN | GOAL) : 0;
      if ((kept & SEEN) === 0) reached[this.#reached_count++] = vertex;
      labels[at] = this.#stamp;
      labels[at + COST] = cost;
      labels[at + BY] = HANDED;
      labels[at + STATE] = kept | SEEN | steps;
    }
    const before = this.#left_with.get(vertex);
    if (left === null || (before?.cost === cost && before.steps <= left)) return;
    this.#left_with.set(vertex, { cost, steps: left });
    this.#relax(vertex, { cost, steps: left });
  }

  #relax(vertex: number, { cost, steps }: Reached): void {
    const { out, into, ends, bits } = this.graph.columns;
    const count = this.graph.edges;
    for (const [begin, stop] of [
      [out[vertex]!, out[vertex + 1]!],
      [count + into[vertex]!, count + into[vertex + 1]!],
    ] as const)
      for (let i = begin; i < stop; i++) {
        this.#looks.left -= 1;
        if (this.#looks.left < 0) return;
        const worst = bits[i]! & EDGE.steps;
        if (worst === this.#shut) continue;
        const next = { cost: cost + (bits[i]! >>> EDGE_BITS), steps: Math.max(steps, worst) };
        this.#label(ends[i]!, next, i);
      }
  }

  /** Gates that were passed since they were taken last; each comes up as often as it was. */
  takePassed(): readonly number[] {
    const passed = this.#passed;
    if (passed.length > 0) this.#passed = [];
    return passed;
  }

  /** First of the buckets into which others have put something since the newest run; Infinity: none has. */
  get handedFrom(): number {
    return this.#handed_from;
  }

  /** Whether anything was ever put into the queue. */
  get isTouched(): boolean {
    return this.#is_touched;
  }

  get hasLooks(): boolean {
    return this.#looks.left >= 0;
  }

  /** Nothing beyond these centimetres is known. */
  endAt(searched_cm: number): void {
    this.#most_cm = Math.min(this.#most_cm, searched_cm);
  }

  /**
   * Walks through these buckets, until all goals are reached, or until the last look: returns the bucket
   * in which that was, else null.
   */
  run(first: number, until: number): number | null {
    this.#handed_from = Infinity;
    const { out, into, ends, bits, marks } = this.graph.columns;
    const count_edges = this.graph.edges;
    // What other modules export is read once.
    const [shift, mask, width] = [EDGE_BITS, EDGE.steps, BUCKET_BITS];
    const [dead_end, gate, none] = [DEAD_END, GATE, NO_ENTRY];
    const { labels, reached } = this.#memory;
    const [stamp, passed] = [this.#stamp, this.#passed];
    const [most_cm, shut] = [this.#most_cm, this.#shut];
    const closed = closedTo(this.#profile) | ELSEWHERE;
    const { heads } = this.#memory.queue;
    const { before, vertices } = this.#memory.entries;
    let [entries, count, left] = [this.#looks.entries, this.#reached_count, this.#left];
    let looks = this.#looks.left;
    let ended: number | null = null;
    walk: for (let bucket = first; bucket <= until && left > 0; bucket++)
      for (let entry = heads[bucket]!; entry !== none; entry = heads[bucket]!) {
        heads[bucket] = before[entry]!;
        const vertex = vertices[entry]!;
        const at = WORDS * vertex;
        const state = labels[at + STATE]!;
        if ((state & DONE) !== 0) continue;
        looks -= 1 + out[vertex + 1]! - out[vertex]! + into[vertex + 1]! - into[vertex]!;
        if (looks < 0) {
          ended = bucket;
          break walk;
        }
        labels[at + STATE] = (state & ~GOAL) | DONE | SEEN;
        if ((state & SEEN) === 0) reached[count++] = vertex;
        if ((state & GOAL) !== 0) left -= 1;
        const so_far = labels[at + COST]!;
        const marked = marks[vertex]!;
        if ((marked & gate) !== 0) passed.push(vertex);
        // What begins at a barrier leaves it on both sides, as it is reached from both.
        const mark = so_far === 0 ? 0 : marked;
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
            if (isKnown && labels[next + COST]! <= cost) {
              if (labels[next + COST]! < cost) continue;
              // Of two ways that are as long, the one with fewer steps.
              if ((labels[next + STATE]! & mask) <= (steps > worst ? steps : worst)) continue;
            }
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
    this.#looks.entries = entries;
    this.#reached_count = count;
    this.#left = left;
    this.#looks.left = looks;
    return ended;
  }
}

function isBetter(cost: number, steps: number, labels: Uint32Array, at: number): boolean {
  const known = labels[at + COST]!;
  return cost < known || (cost === known && steps < (labels[at + STATE]! & EDGE.steps));
}

/** What passing a vertex says of steps. */
function stepsOf(mark: number): number {
  return (mark & MARK.step) !== 0
    ? STEPS.some
    : (mark & MARK.doubt) !== 0
      ? STEPS.unknown
      : STEPS.none;
}
