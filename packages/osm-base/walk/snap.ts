/** The nearest walked edge of a point. */
import { METRES_PER_DEGREE } from "#kit/geo.ts";
import { CELL_BITS, COLUMNS, columnOf, rowOf } from "./cells.ts";
import type { WalkGraph } from "./graph.ts";
import { indexOf } from "./build.ts";
import { isOpen, ISLAND, type Profile } from "./layout.ts";

const METRES_PER_UNIT = METRES_PER_DEGREE / 1e7;
const CELL_M = (1 << CELL_BITS) * METRES_PER_UNIT;

export type Snap = {
  edge: number;
  /** Vertices at its ends, the smaller number first. */
  from: number;
  to: number;
  /** Centimetres of the edge from `from` to the point on it, and from there to `to`. */
  from_cm: number;
  to_cm: number;
  /** Between the point and the edge. */
  off_m: number;
  lat7: number;
  lon7: number;
};

type Point7 = { lat7: number; lon7: number };

/** Nearest edge within a distance that a profile may walk, islands apart; null: there is none. */
export function snap(
  graph: WalkGraph,
  at: Point7,
  { most_m, profile }: { most_m: number; profile: Profile },
): Snap | null {
  const search = new Search(graph, at, { most_m, profile });
  const [row, column] = [rowOf(at.lat7), columnOf(at.lon7)];
  const scale = Math.cos((at.lat7 / 1e7) * (Math.PI / 180));
  // Ring after ring of cells, until what is left is further away than what was found.
  const narrow_m = CELL_M * Math.max(scale, 1e-3);
  const rings = Math.min(Math.ceil(most_m / narrow_m), MAX_RINGS);
  for (let ring = 0; ring <= rings; ring++) {
    if (ring > 1 && (ring - 1) * Math.min(CELL_M, narrow_m) > search.best_m) break;
    for (let i = -ring; i <= ring; i++) {
      const isEnd = Math.abs(i) === ring;
      for (let j = -ring; j <= ring; j += isEnd || ring === 0 ? 1 : 2 * ring)
        search.lookIn(row + i, (column + j + COLUMNS) % COLUMNS);
    }
  }
  return search.found;
}

/** Next to a pole cells are narrow. */
const MAX_RINGS = 16;

class Search {
  best_m: number;
  #found: Omit<Snap, "from_cm" | "to_cm"> | null = null;
  #part = 0;
  readonly #graph: WalkGraph;
  readonly #at: Point7;
  readonly #profile: Profile;
  readonly #scale: number;

  constructor(
    graph: WalkGraph,
    at: Point7,
    { most_m, profile }: { most_m: number; profile: Profile },
  ) {
    this.#graph = graph;
    this.#at = at;
    this.#profile = profile;
    this.best_m = most_m;
    this.#scale = Math.cos((at.lat7 / 1e7) * (Math.PI / 180));
  }

  get found(): Snap | null {
    if (this.#found === null) return null;
    const length = this.#graph.lengthOf(this.#found.edge);
    const from_cm = Math.round(length * this.#part);
    return { ...this.#found, from_cm, to_cm: length - from_cm };
  }

  lookIn(row: number, column: number): void {
    const { cells, cell_starts, passing_starts, passing } = this.#graph.columns;
    const cell = indexOf(cells, row * COLUMNS + column);
    if (cell < 0) return;
    for (let vertex = cell_starts[cell]!; vertex < cell_starts[cell + 1]!; vertex++)
      this.#lookAt(vertex, this.#graph.pointIn(cell, vertex));
    for (let i = passing_starts[cell]!; i < passing_starts[cell + 1]!; i++)
      this.#lookAt(passing[i]!, this.#graph.pointOf(passing[i]!));
  }

  #lookAt(from: number, point: [number, number]): void {
    const { marks, to, edges } = this.#graph.columns;
    if ((marks[from]! & ISLAND) !== 0) return;
    this.#graph.readLines(from, point, (edge, line) => {
      if (!isOpen(edges[edge]!, this.#profile)) return;
      const near = this.#nearestOn(line);
      if (near === null) return;
      this.best_m = near.off_m;
      this.#part = near.part;
      const { off_m, lat7, lon7 } = near;
      this.#found = { edge, from, to: to[edge]!, off_m, lat7, lon7 };
    });
  }

  /** Nearest point of a line, with the part of its length before it; null: nothing nearer than known. */
  #nearestOn(line: readonly number[]) {
    const { lat7, lon7 } = this.#at;
    let best: { off_m: number; at: number; before: number; lat7: number; lon7: number } | null =
      null;
    let length = 0;
    let least = this.best_m;
    for (let i = 0; i + 3 < line.length; i += 2) {
      const [y, x] = [line[i]! - lat7, (line[i + 1]! - lon7) * this.#scale];
      const [dy, dx] = [line[i + 2]! - line[i]!, (line[i + 3]! - line[i + 1]!) * this.#scale];
      const square = dx * dx + dy * dy;
      const at = square === 0 ? 0 : Math.min(1, Math.max(0, -(x * dx + y * dy) / square));
      const off_m = Math.hypot(x + at * dx, y + at * dy) * METRES_PER_UNIT;
      const piece = Math.sqrt(square);
      if (off_m < least) {
        least = off_m;
        best = {
          ...{ off_m, at, before: length + at * piece },
          lat7: Math.round(line[i]! + at * (line[i + 2]! - line[i]!)),
          lon7: Math.round(line[i + 1]! + at * (line[i + 3]! - line[i + 1]!)),
        };
      }
      length += piece;
    }
    return best && { ...best, part: length === 0 ? 0 : best.before / length };
  }
}
