/** What the walking section takes from an extract: walked ways with their nodes, and marked nodes. */
import type { NodeFeature, RelationFeature, WayFeature } from "../base/base-features.ts";
import { Growing } from "#kit/growing.ts";
import { type CellBounds, isWithin } from "./cell-bounds.ts";
import { DoorIntake } from "./doors.ts";
import { EDGE } from "./walk-layout.ts";
import { isSquare, marksOf, type Ruleset, walkedOf } from "./walk-rules.ts";

/** The inside of a square, which is walked from entrance to entrance. */
export type Square = {
  /** The outer ring first; each is closed, its first node again last. */
  rings: readonly { points: Int32Array; nodes: Float64Array }[];
  flags: number;
  /** It is of a relation, whose nodes are known by where they lie. */
  isArea: boolean;
  /** Nodes of the rim around which the shortest way inside bends, in its order. */
  bends: ReadonlySet<number>;
};

/** Between two nodes of a way; what is longer is a fault of the map, or the antimeridian lies between. */
const MAX_SEGMENT7 = 5_000_000;

/** Ids of nodes that only relations have, from here down. */
const UNKNOWN_NODE = -(2 ** 52);

/** Of a page: whole ways of which a node lies in its cell; null: all. */
type Taken = { ruleset: Ruleset; squares: boolean; bounds?: CellBounds | null };

/** Walked ways as columns: nodes of way i are starts[i] .. starts[i + 1]. */
export class WalkIntake {
  readonly bounds: CellBounds | null;
  readonly doors: DoorIntake;
  readonly starts = new Growing(Uint32Array);
  readonly flags = new Growing(Uint8Array);
  /** Number of the first way that is a ring of a relation: its nodes are known by where they lie. */
  first_ring = Infinity;
  readonly nodes = new Growing(Float64Array);
  readonly points = new Growing(Int32Array);
  readonly squares: Square[] = [];
  readonly #marks = new Map<number, number>();
  /** Corners of squares around which the shortest way inside bends. */
  readonly #bends = new Set<number>();
  readonly #areas: { rings: Int32Array[]; flags: number }[] = [];
  readonly #ruleset: Ruleset;
  readonly #squares: boolean;

  constructor({ ruleset, squares, bounds = null }: Taken) {
    this.bounds = bounds;
    this.doors = new DoorIntake(bounds);
    this.#ruleset = ruleset;
    this.#squares = squares;
    this.starts.push(0);
  }

  addNode({ id, lat7, lon7, tags }: NodeFeature): void {
    this.doors.addNode({ lat7, lon7, tags });
    if (!isWithin(this.bounds, lat7, lon7)) return;
    const marks = marksOf(tags);
    if (marks !== 0) this.#marks.set(id, marks);
  }

  addWay({ tags, nodes, points, closed }: WayFeature): void {
    if (closed) this.doors.addBuilding(tags, [points]);
    const walked = walkedOf(tags, this.#ruleset);
    if (walked === null || nodes.length < 2 || isTorn(points) || !this.#touches(points)) return;
    const flags =
      walked.steps |
      (tags.get("highway") === "steps" ? EDGE.stairs : 0) |
      (walked.lift ? EDGE.lift : 0);
    this.#addLine(nodes, points, flags);
    if (closed && this.#squares && isSquare(tags))
      this.#addSquare([{ points: points.slice(), nodes: nodes.slice() }], flags, false);
  }

  /** Its rim has no tags of its own, mostly; it is walked as that of a closed way is. */
  addRelation({ tags, rings, whole }: RelationFeature): void {
    if (whole)
      this.doors.addBuilding(
        tags,
        rings.map(({ points }) => points),
      );
    if (!this.#squares || !whole || !isSquare(tags)) return;
    const walked = walkedOf(tags, this.#ruleset);
    if (walked === null) return;
    const first = this.#areas.length;
    for (const { points, inner } of rings)
      if (!inner) this.#areas.push({ rings: [points], flags: walked.steps });
      else this.#areas.at(-1)?.rings.push(points);
    const touched = this.#areas
      .splice(first)
      .filter((area) => area.rings.some((points) => this.#touches(points)));
    this.#areas.push(...touched);
  }

  /** Gives the nodes of relations their ids, which relations do not have, by where they lie. */
  closeAreas(): void {
    const ids = new Map<string, number>();
    // Few nodes lie as far north as one of a relation: only of these a key is made.
    const lats = new Set<number>();
    for (const { rings } of this.#areas)
      for (const points of rings)
        for (let i = 0; i < points.length; i += 2) {
          const key = `${points[i]},${points[i + 1]}`;
          if (!ids.has(key)) ids.set(key, UNKNOWN_NODE - ids.size);
          lats.add(points[i]!);
        }
    const [nodes, points] = [this.nodes.view(), this.points.view()];
    if (ids.size > 0)
      nodes.forEach((id, i) => {
        if (!lats.has(points[2 * i]!)) return;
        const key = `${points[2 * i]},${points[2 * i + 1]}`;
        // What lies elsewhere is not known well enough here.
        if (ids.has(key) && this.isInside(i)) ids.set(key, id);
      });
    this.first_ring = this.flags.length;
    for (const { rings, flags } of this.#areas) {
      const known = rings.map((ring) => ({
        points: ring,
        nodes: Float64Array.from({ length: ring.length / 2 }, (_, i) =>
          ids.get(`${ring[2 * i]},${ring[2 * i + 1]}`)!,
        ),
      }));
      for (const ring of known) this.#addLine(ring.nodes, ring.points, flags);
      this.#addSquare(known, flags, true);
    }
  }

  /** Whether node i of the ways lies in the page's cell. */
  isInside(i: number): boolean {
    return (
      this.bounds === null ||
      isWithin(this.bounds, this.points.at(2 * i), this.points.at(2 * i + 1))
    );
  }

  #touches(points: Int32Array): boolean {
    if (this.bounds === null) return true;
    for (let i = 0; i < points.length; i += 2)
      if (isWithin(this.bounds, points[i]!, points[i + 1]!)) return true;
    return false;
  }

  #addLine(nodes: Float64Array, points: Int32Array, flags: number): void {
    this.flags.push(flags);
    this.nodes.pushAll(nodes);
    this.points.pushAll(points);
    this.starts.push(this.nodes.length);
  }

  #addSquare(rings: Square["rings"], flags: number, isArea: boolean): void {
    const bends = new Set(
      rings.flatMap(({ points, nodes }, i) => bendsOf(points, i > 0).map((at) => nodes[at]!)),
    );
    this.squares.push({ rings, flags: flags | EDGE.square, isArea, bends });
    for (const node of bends) this.#bends.add(node);
  }

  marksAt(node: number): number {
    return this.#marks.get(node) ?? 0;
  }

  /** Nodes that are to be vertices whether ways meet there or not. */
  get marked(): Iterable<number> {
    return this.#marks.keys();
  }

  get bends(): Iterable<number> {
    return this.#bends;
  }
}

function isTorn(points: Int32Array): boolean {
  for (let i = 2; i < points.length; i++)
    if (Math.abs(points[i]! - points[i - 2]!) > MAX_SEGMENT7) return true;
  return false;
}

/** Corners of a closed ring where the polygon has more than half of what is around them. */
function bendsOf(points: Int32Array, inner: boolean): number[] {
  const count = points.length / 2 - 1;
  const turns = Array.from({ length: count }, (_, i) => turnAt(points, (i + count - 1) % count, i));
  let area = 0;
  for (let i = 0; i < count; i++)
    area +=
      (points[2 * i + 1]! - points[1]!) * (points[2 * i + 2]! - points[0]!) -
      (points[2 * i]! - points[0]!) * (points[2 * i + 3]! - points[1]!);
  const outward = (area > 0 ? -1 : 1) * (inner ? -1 : 1);
  return turns.flatMap((turn, i) => (turn * outward > 0 ? [i] : []));
}

/** Positive where the ring turns left, north up. */
function turnAt(points: Int32Array, before: number, at: number): number {
  const [y, x] = [points[2 * at]!, points[2 * at + 1]!];
  return (
    (x - points[2 * before + 1]!) * (points[2 * at + 2]! - y) -
    (y - points[2 * before]!) * (points[2 * at + 3]! - x)
  );
}
