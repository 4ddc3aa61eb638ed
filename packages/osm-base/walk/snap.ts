/** The nearest walked edge of a point. */
import { Budget } from "#kit/budget.ts";
import { METRES_PER_DEGREE } from "#kit/geo.ts";
import { CELL, COLUMNS, columnOf, cornerOf, rowOf } from "./walk-cells.ts";
import type { WalkGraph } from "./walk-graph.ts";
import { indexOf } from "./build-graph.ts";
import { EDGE_BITS, isOpen, ISLAND, type Profile } from "./walk-layout.ts";

const METRES_PER_UNIT = METRES_PER_DEGREE / 1e7;
const CELL_M = CELL * METRES_PER_UNIT;

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
  /** Number of the edge's piece that is nearest; absent: it is found by the lengths. */
  piece?: number;
  /** Decides between pieces that are as near: the smaller goes first, in any page. Absent: none is. */
  rank?: Rank;
};

/**
 * Bits of an edge without its length: of stairs and a street at one corner the street is nearest. Then
 * the ends of the piece, and of two that lead over the same nodes the lengths.
 */
export type Rank = readonly number[];

export function isBefore(a: Rank, b: Rank): boolean {
  const at = a.findIndex((value, i) => value !== b[i]);
  return at >= 0 && a[at]! < b[at]!;
}

type Point7 = { lat7: number; lon7: number };
type OnPiece = Parameters<WalkGraph["readPieces"]>[2];
type Ends = Parameters<OnPiece>[2];

/** `budget`: of the question; once it is spent, the nearest of what was looked at is taken. */
export type SnapOptions = { most_m: number; profile: Profile; budget?: Budget };

/** Bytes of shapes that one question looks at: a hundred times what 500 places in a city take. */
const MOST_LOOKS = 2_000_000;

export function createSnapBudget(): Budget {
  return new Budget({ looks: MOST_LOOKS, keeps: 0 });
}

/** Nearest edge within a distance that a profile may walk, islands apart; null: there is none. */
export function snap(graph: WalkGraph, at: Point7, options: SnapOptions): Snap | null {
  const { most_m } = options;
  const search = new Search(graph, at, options);
  const rings = Math.min(Math.ceil(most_m / search.narrow_m), MAX_RINGS);
  const east7 = at.lon7 < 0 ? at.lon7 + TURN7 : at.lon7 - TURN7;
  // Next to the antimeridian it is seen from the other side, too.
  const isAtTurn = (Math.abs(east7) - TURN7 / 2) * METRES_PER_UNIT * search.scale < most_m;
  for (const lon7 of isAtTurn ? [at.lon7, east7] : [at.lon7]) search.lookAround(lon7, rings);
  return search.found;
}

/** Ten-millionths of a degree all around. */
const TURN7 = 3_600_000_000;

/** Next to a pole cells are narrow. */
const MAX_RINGS = 16;

class Search {
  readonly #graph: WalkGraph;
  #at: Point7;
  readonly #profile: Profile;
  readonly #budget: Budget;
  readonly scale: number;
  #best_m: number;
  #near: number;
  /** Edge found so far, the number of its piece and the part of that before the nearest point; -1: none. */
  #edge = -1;
  #from = -1;
  #piece = 0;
  /** From its end of the smaller latitude. */
  #part = 0;
  #rank: Rank | null = null;

  constructor(
    graph: WalkGraph,
    at: Point7,
    { most_m, profile, budget = createSnapBudget() }: SnapOptions,
  ) {
    this.#graph = graph;
    this.#budget = budget;
    this.#at = at;
    this.#profile = profile;
    this.#best_m = most_m;
    this.#near = nearOf(most_m);
    this.scale = Math.max(1e-3, Math.cos((at.lat7 / 1e7) * (Math.PI / 180)));
  }

  /** Metres of a cell from west to east. */
  get narrow_m(): number {
    return CELL_M * this.scale;
  }

  /** Looks at the cells around the point; `lon7`: its longitude as edges have theirs. */
  lookAround(lon7: number, rings: number): void {
    this.#at = { lat7: this.#at.lat7, lon7 };
    const row = rowOf(this.#at.lat7);
    const isBeyond = Math.abs(lon7) > TURN7 / 2;
    const column = isBeyond ? (lon7 < 0 ? -1 : COLUMNS - 1) : columnOf(lon7);
    // Most pages of a question are far from most of its points. Rings may go around the world.
    const isInner = column > rings && column < COLUMNS - 1 - rings;
    if (isInner && !this.#graph.isNear(row, column, rings)) return;
    for (let ring = 0; ring <= rings; ring++)
      for (let i = -ring; i <= ring; i++) {
        const isEnd = Math.abs(i) === ring;
        for (let j = -ring; j <= ring; j += isEnd || ring === 0 ? 1 : 2 * ring)
          this.#lookIn(row + i, column + j);
      }
  }

  get found(): Snap | null {
    if (this.#edge < 0) return null;
    const { columns } = this.#graph;
    const line = this.#graph.lineOf(this.#edge);
    const places = this.#graph.placesOn(this.#edge, line);
    const length_cm = this.#graph.lengthOf(this.#edge);
    const [a, b] = [line[this.#piece]!, line[this.#piece + 1]!];
    const [from, to] = [places[this.#piece]!, places[this.#piece + 1]!];
    // Whichever way the edge leads, and wherever it is cut, the point is the same.
    const backwards = isAhead(b, a);
    const [low, high] = backwards ? [b, a] : [a, b];
    const step_cm = Math.round(this.#part * (to - from));
    const from_cm = Math.round(backwards ? to - step_cm : from + step_cm);
    return {
      edge: this.#edge,
      from: this.#from,
      to: columns.to[this.#edge]!,
      from_cm,
      to_cm: length_cm - from_cm,
      off_m: this.#best_m,
      lat7: Math.round(low[0] + this.#part * (high[0] - low[0])),
      lon7: Math.round(low[1] + this.#part * (high[1] - low[1])),
      piece: this.#piece,
      rank: [...this.#rank!, to - from],
    };
  }

  /** Centimetres of a piece of an edge. */
  #lengthOf(edge: number, piece: number): number {
    const places = this.#graph.placesOn(edge, this.#graph.lineOf(edge));
    return places[piece + 1]! - places[piece]!;
  }

  /** Looks at what is in a cell or passes through it, unless all of it is further away than what is found. */
  #lookIn(row: number, column: number): void {
    if (this.#awayFrom(row, column) > this.#best_m) return;
    const { cells, cell_starts, passing_starts, passing } = this.#graph.columns;
    const cell = indexOf(cells, row * COLUMNS + ((column + COLUMNS) % COLUMNS));
    if (cell < 0) return;
    for (let vertex = cell_starts[cell]!; vertex < cell_starts[cell + 1]!; vertex++)
      this.#lookAt(vertex, this.#graph.pointIn(cell, vertex), cell);
    for (let i = passing_starts[cell]!; i < passing_starts[cell + 1]!; i++)
      this.#lookAt(passing[i]!, this.#graph.pointOf(passing[i]!), cell);
  }

  /** Metres to the nearest point of a cell. */
  #awayFrom(row: number, column: number): number {
    const { lat7, lon7 } = cornerOf(row * COLUMNS + column);
    const beyond = (value: number, low: number): number =>
      value < low ? low - value : Math.max(0, value - low - CELL);
    const north = beyond(this.#at.lat7, lat7);
    const east = beyond(this.#at.lon7, lon7) * this.scale;
    return Math.hypot(north, east) * METRES_PER_UNIT;
  }

  #lookAt(from: number, point: readonly [number, number], near: number): void {
    const { marks, shape_starts } = this.#graph.columns;
    if ((marks[from]! & ISLAND) !== 0) return;
    // A byte is a piece at most.
    if (!this.#budget.look(1 + shape_starts[from + 1]! - shape_starts[from]!)) return;
    const { lat7, lon7 } = this.#at;
    const { scale } = this;
    const onPiece: OnPiece = (edge, piece, ends) => {
      const y = ends[0] - lat7;
      const x = (ends[1] - lon7) * scale;
      const dy = ends[2] - ends[0];
      const dx = (ends[3] - ends[1]) * scale;
      const square = dx * dx + dy * dy;
      const part = square === 0 ? 0 : Math.min(1, Math.max(0, -(x * dx + y * dy) / square));
      const [up, right] = [y + part * dy, x + part * dx];
      if (up * up + right * right <= this.#near) this.#take(from, edge, piece, ends);
    };
    this.#graph.readPieces(from, point, onPiece, near);
  }

  /** Takes a piece if it is nearer than what is found: by the same numbers whichever way it leads. */
  #take(from: number, edge: number, piece: number, ends: Ends): void {
    const { marks, edges, to } = this.#graph.columns;
    const backwards = ends[0] > ends[2] || (ends[0] === ends[2] && ends[1] > ends[3]);
    const [lat_a, lon_a] = backwards ? [ends[2], ends[3]] : [ends[0], ends[1]];
    const [lat_b, lon_b] = backwards ? [ends[0], ends[1]] : [ends[2], ends[3]];
    const y = lat_a - this.#at.lat7;
    const x = (lon_a - this.#at.lon7) * this.scale;
    const dy = lat_b - lat_a;
    const dx = (lon_b - lon_a) * this.scale;
    const square = dx * dx + dy * dy;
    const part = square === 0 ? 0 : Math.min(1, Math.max(0, -(x * dx + y * dy) / square));
    // At an end its own place counts: it is as far away for all pieces that meet there.
    const up = part === 1 ? lat_b - this.#at.lat7 : y + part * dy;
    const right = part === 1 ? (lon_b - this.#at.lon7) * this.scale : x + part * dx;
    const off_m = Math.sqrt(up * up + right * right) * METRES_PER_UNIT;
    if (off_m > this.#best_m || !isOpen(edges[edge]!, this.#profile)) return;
    if ((marks[to[edge]!]! & ISLAND) !== 0) return;
    const rank = rankOf(edges[edge]!, lat_a, lon_a, lat_b, lon_b);
    if (off_m === this.#best_m) {
      if (this.#rank === null || isBefore(this.#rank, rank)) return;
      const isSame = !isBefore(rank, this.#rank);
      if (isSame && this.#lengthOf(edge, piece) >= this.#lengthOf(this.#edge, this.#piece)) return;
    }
    this.#rank = rank;
    this.#best_m = off_m;
    this.#near = nearOf(off_m);
    this.#edge = edge;
    this.#from = from;
    this.#piece = piece;
    this.#part = part;
  }
}

/** Square of a distance in units of the map, a little more than it is: the last digits decide later. */
function nearOf(metres: number): number {
  const units = metres / METRES_PER_UNIT;
  return units * units * (1 + 1e-9) + 1e-3;
}

function rankOf(edge: number, ...ends: readonly number[]): Rank {
  return [edge & ((1 << EDGE_BITS) - 1), ...ends];
}

/** Whether one end of a piece goes before the other. */
export function isAhead(a: readonly [number, number], b: readonly [number, number]): boolean {
  return a[0] < b[0] || (a[0] === b[0] && a[1] < b[1]);
}
