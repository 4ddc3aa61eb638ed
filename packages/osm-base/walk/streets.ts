/** The streets of one page, with the nearest ones of the newest points that were results. */
import type { Budget } from "#kit/budget.ts";
import { type Door, findDoors } from "./doors.ts";
import { snap, type Snap, type SnapOptions } from "./snap.ts";
import type { WalkGraph } from "./walk-graph.ts";

/** Points whose edges and doors are remembered from one question to the next: at most twice as many. */
const MOST_SNAPPED = 10_000;

const NONE: readonly Door[] = [];

type Point7 = { lat7: number; lon7: number };

export class Streets {
  readonly graph: WalkGraph;
  /** Edges of the newest points, and of those before. */
  #snapped = new Map<string, Snap | null>();
  #snapped_before = new Map<string, Snap | null>();
  #doors = new Map<string, readonly Door[]>();

  constructor(graph: WalkGraph) {
    this.graph = graph;
  }

  /**
   * The nearest edge that anyone walks; null: there is none. Places are results repeatedly: their
   * edges are remembered.
   */
  nearest(at: Point7, most_m: number, budget: Budget): Snap | null {
    const key = `${at.lat7} ${at.lon7}`;
    let snapped = this.#snapped.get(key) ?? this.#snapped_before.get(key);
    if (snapped === undefined) snapped = snap(this.graph, at, { most_m, profile: "foot", budget });
    // What was found with a part of the looks may not be the nearest.
    if (budget.isSpent) return snapped;
    if (this.#snapped.size >= MOST_SNAPPED)
      [this.#snapped, this.#snapped_before] = [new Map(), this.#snapped];
    this.#snapped.set(key, snapped);
    return snapped;
  }

  /** Doors of the buildings that a point lies in, remembered as edges are; none: none are known. */
  doorsOf(at: Point7, budget: Budget): readonly Door[] {
    const { columns } = this.graph;
    if (columns.door_cells === undefined) return NONE;
    const key = `${at.lat7} ${at.lon7}`;
    const known = this.#doors.get(key);
    if (known !== undefined) return known;
    const doors = findDoors(columns, at, budget) ?? NONE;
    if (budget.isSpent) return doors;
    if (this.#doors.size >= MOST_SNAPPED) this.#doors = new Map();
    this.#doors.set(key, doors);
    return doors;
  }

  nearestOpen(at: Point7, options: SnapOptions): Snap | null {
    return snap(this.graph, at, options);
  }
}
