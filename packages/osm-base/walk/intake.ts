/** What the walking section takes from an extract: walked ways with their nodes, and marked nodes. */
import type { NodeFeature, RelationFeature, WayFeature } from "../base/features.ts";
import { Growing } from "../geocoder/growing.ts";
import { EDGE } from "./layout.ts";
import { isSquare, marksOf, type Ruleset, STEPS, walkedOf } from "./rules.ts";

/** The inside of a square, which is walked from entrance to entrance. */
export type Square = {
  /** Rings as lat7, lon7, …, the first of them the outer one; closed, their first point again last. */
  rings: readonly Int32Array[];
  flags: number;
};

/** Between two nodes of a way; what is longer is a fault of the map, or the antimeridian lies between. */
const MAX_SEGMENT7 = 5_000_000;

/** Walked ways as columns: nodes of way i are starts[i] .. starts[i + 1]. */
export class WalkIntake {
  readonly starts = new Growing(Uint32Array);
  readonly flags = new Growing(Uint8Array);
  readonly nodes = new Growing(Float64Array);
  readonly points = new Growing(Int32Array);
  readonly squares: Square[] = [];
  readonly #marks = new Map<number, number>();
  readonly #ruleset: Ruleset;
  readonly #squares: boolean;

  constructor({ ruleset, squares }: { ruleset: Ruleset; squares: boolean }) {
    this.#ruleset = ruleset;
    this.#squares = squares;
    this.starts.push(0);
  }

  addNode({ id, tags }: NodeFeature): void {
    const marks = marksOf(tags);
    if (marks !== 0) this.#marks.set(id, marks);
  }

  addWay({ tags, nodes, points, closed }: WayFeature): void {
    const walked = walkedOf(tags, this.#ruleset);
    if (walked === null || nodes.length < 2 || isTorn(points)) return;
    const flags =
      walked.steps |
      (tags.get("highway") === "steps" ? EDGE.stairs : 0) |
      (walked.lift ? EDGE.lift : 0);
    this.flags.push(flags);
    this.nodes.pushAll(nodes);
    this.points.pushAll(points);
    this.starts.push(this.nodes.length);
    if (closed && this.#squares && isSquare(tags))
      this.squares.push({ rings: [points.slice()], flags: flags | EDGE.square });
  }

  /** Of a relation nothing is walked but the inside: its rim has tags of its own, or none. */
  addRelation({ tags, rings, whole }: RelationFeature): void {
    if (!this.#squares || !whole || !isSquare(tags)) return;
    const walked = walkedOf(tags, this.#ruleset);
    if (walked === null) return;
    const flags = walked.steps | EDGE.square;
    for (const { points, inner } of rings)
      if (!inner) this.squares.push({ rings: [points], flags });
      else {
        const last = this.squares.at(-1);
        if (last)
          this.squares[this.squares.length - 1] = { ...last, rings: [...last.rings, points] };
      }
  }

  marksAt(node: number): number {
    return this.#marks.get(node) ?? 0;
  }

  get marked(): Iterable<number> {
    return this.#marks.keys();
  }

  /** Edges whose steps are not known, by way: for the counts of a base. */
  countDoubts(): number {
    return this.flags
      .view()
      .reduce((sum, each) => sum + ((each & EDGE.steps) === STEPS.unknown ? 1 : 0), 0);
  }
}

function isTorn(points: Int32Array): boolean {
  for (let i = 2; i < points.length; i++)
    if (Math.abs(points[i]! - points[i - 2]!) > MAX_SEGMENT7) return true;
  return false;
}
