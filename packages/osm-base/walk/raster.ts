/** Squares of the ground around a point, which are marked, and their rims as polygons in degrees. */
import { METRES_PER_DEGREE } from "#kit/geo.ts";
import { areaOf, type Corner, type Grid, listParts } from "./rims.ts";

/** Closed ring of [lon, lat] in degrees. */
type Ring = [lon: number, lat: number][];
/** Of each polygon the outer ring, counter-clockwise, then its holes, clockwise (RFC 7946 3.1.6). */
export type Outline = Ring[][];

/** Metres of a square's side. */
export const SQUARE_M = 25;
/** Points of an outline, at most: what would have more is drawn with larger squares. */
export const MOST_POINTS = 4_000;
/** Squares of a side that are taken as one, at most. */
const COARSEST = 16;
const METRES_PER_UNIT = METRES_PER_DEGREE / 1e7;
/** Ten-millionths of a degree from the equator to a pole, and around the Earth. */
const [QUARTER_TURN, HALF_TURN, TURN] = [0.9e9, 1.8e9, 3.6e9];

/** What a square is that is marked: next to one that a street passes, or that one. */
const [NEAR, PASSED] = [1, 2];

type Point7 = { lat7: number; lon7: number };

/** Nothing further away than `most_m` is marked. */
export class Raster {
  readonly #origin: Point7;
  /** Ten-millionths of a degree of a square's sides. */
  readonly #side: Point7;
  readonly #scale: number;
  readonly #grid: Grid;
  /** Row and column of the origin, with the part of a square at which it lies. */
  readonly #row: number;
  readonly #column: number;
  /** The column that begins at the antimeridian. */
  readonly #seam: number;

  constructor({ lat7, lon7 }: Point7, most_m: number) {
    this.#origin = { lat7, lon7: lon7 === HALF_TURN ? -HALF_TURN : lon7 };
    this.#scale = Math.max(1e-3, Math.cos((lat7 / 1e7) * (Math.PI / 180)));
    const side = SQUARE_M / METRES_PER_UNIT;
    this.#side = { lat7: side, lon7: side / this.#scale };
    const half = Math.ceil(most_m / SQUARE_M) + 3;
    this.#row = half;
    const east = this.#across(HALF_TURN) / this.#side.lon7;
    const isNear = Math.abs(east) < half;
    // A cut at the antimeridian is one between squares, of every size.
    const west = Math.ceil((half + east) / COARSEST) * COARSEST - east;
    this.#column = isNear ? west : half;
    this.#seam = isNear ? Math.round(this.#column + east) : 0;
    const width = Math.ceil(this.#column) + half;
    this.#grid = { cells: new Uint8Array(2 * half * width), width };
  }

  /** Metres between two points. */
  lengthOf(a: readonly [number, number], b: readonly [number, number]): number {
    return Math.hypot(b[0] - a[0], (b[1] - a[1]) * this.#scale) * METRES_PER_UNIT;
  }

  /** Marks the square of a point and those around it: a street is reached, and the doors along it. */
  mark(lat7: number, lon7: number): void {
    const { cells, width } = this.#grid;
    const row = Math.floor((lat7 - this.#origin.lat7) / this.#side.lat7 + this.#row);
    const column = Math.floor(this.#across(lon7) / this.#side.lon7 + this.#column);
    const isInside = row > 0 && column > 0 && (row + 2) * width <= cells.length;
    if (!isInside || column + 1 >= width) return;
    // Streets pass a square many times.
    const middle = row * width + column;
    if (cells[middle] === PASSED) return;
    for (let i = -1; i <= 1; i++) {
      if (!this.#isOnEarth(row + i)) continue;
      const at = middle + i * width;
      for (let near = at - 1; near <= at + 1; near++) cells[near] ||= NEAR;
    }
    if (this.#isOnEarth(row)) cells[middle] = PASSED;
  }

  /** Whether no part of a row lies beyond a pole. */
  #isOnEarth(row: number): boolean {
    const south = this.#origin.lat7 + (row - this.#row) * this.#side.lat7;
    return south >= -QUARTER_TURN && south + this.#side.lat7 <= QUARTER_TURN;
  }

  /** Polygons around what is marked, the largest first; none crosses the antimeridian (RFC 7946 3.1.9). In steps. */
  *outlineSteps(): Generator<void, Outline> {
    for (let factor = 1; ; factor *= 2) {
      const outline = this.#outlineBy(factor);
      const points = outline.flat().reduce((sum, ring) => sum + ring.length, 0);
      if (points <= MOST_POINTS || factor === COARSEST) return outline;
      yield;
    }
  }

  #outlineBy(factor: number): Outline {
    const { width } = this.#grid;
    const seam = this.#seam;
    const isEast = this.#column >= seam;
    const west = { from: 0, to: seam, turn: isEast ? TURN : 0 };
    const east = { from: seam, to: width, turn: isEast ? 0 : -TURN };
    return [west, east]
      .filter(({ from, to }) => from < to)
      .flatMap(({ from, to, turn }) =>
        listParts(this.#grid, { from, to, factor }).map((part) => ({
          size: areaOf(part[0]!),
          rings: part.map((ring) => ring.map((corner) => this.#toDegrees(corner, turn))),
        })),
      )
      .toSorted((a, b) => b.size - a.size)
      .map(({ rings }) => rings);
  }

  #toDegrees([row, column]: Corner, turn: number): [lon: number, lat: number] {
    const lat7 = this.#origin.lat7 + (row - this.#row) * this.#side.lat7;
    const lon7 = this.#origin.lon7 + (column - this.#column) * this.#side.lon7 + turn;
    return [toDegrees(lon7), toDegrees(lat7)];
  }

  /** From the origin to the east, the shorter way around the Earth. */
  #across(lon7: number): number {
    const east = lon7 - this.#origin.lon7;
    if (east > HALF_TURN) return east - TURN;
    return east < -HALF_TURN ? east + TURN : east;
  }
}

/** A metre is a hundred-thousandth of a degree: no digit more is known. */
function toDegrees(units: number): number {
  return Math.round(units / 10) / 1e6;
}
