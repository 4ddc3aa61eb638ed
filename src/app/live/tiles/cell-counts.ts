/**
 * How many things lie in each cell of the map. A tile has 8 × 8 cells, so those of zoom z are the tiles of
 * zoom z + 3. Each level is a sorted list of the cells that have something in them: those of a tile are a
 * stretch of it, and what a tile costs is what it shows. A level is made when it is first wanted.
 */
import { eastOf, southOf, type TilePlace } from "./tile-place.ts";

/** Levels below a tile at which its cells are: 2 ** 3 a side. */
const CELL_LEVELS = 3;
export const CELLS_A_SIDE = 2 ** CELL_LEVELS;
/** Of the greatest zoom that has counts, 13. */
const FINEST = 16;
const COARSEST = CELL_LEVELS;

/** Cells in ascending order of their numbers, in which the bits of column and row alternate. */
type Level = { cells: Uint32Array; counts: Uint32Array };

export class CellCounts {
  readonly #levels: Level[] = [];

  /** `points`: numbers of cells of `cellOf`, in any order, each a thing. */
  constructor(points: Uint32Array) {
    this.#levels[FINEST] = countRuns(points.toSorted(), null);
  }

  /** All that is counted; what is in no tile is not. */
  get total(): number {
    return this.#levelAt(COARSEST).counts.reduce((sum, count) => sum + count, 0);
  }

  /** Adds the cells of a tile to `into`, by row and column. `z`: at most 13. */
  addTile({ z, x, y }: TilePlace, into: Float64Array): void {
    const { cells, counts } = this.#levelAt(z + CELL_LEVELS);
    const first = interleave(x, y) * 2 ** (2 * CELL_LEVELS);
    const end = first + 2 ** (2 * CELL_LEVELS);
    for (let i = lowerBound(cells, first); i < cells.length && cells[i]! < end; i++) {
      const within = cells[i]! - first;
      into[gather(within >>> 1) * CELLS_A_SIDE + gather(within)]! += counts[i]!;
    }
  }

  #levelAt(level: number): Level {
    let made = this.#levels[level];
    if (made) return made;
    const { cells, counts } = this.#levelAt(level + 1);
    made = countRuns(
      cells.map((cell) => cell >>> 2),
      counts,
    );
    this.#levels[level] = made;
    return made;
  }
}

/** Cells of a tile as `addTile` fills them. */
export function newCells(): Float64Array {
  return new Float64Array(CELLS_A_SIDE * CELLS_A_SIDE);
}

/** Number of the finest cell that a point lies in; null: it is in no tile. */
export function cellOf(lat: number, lon: number): number | null {
  const south = southOf(lat);
  if (!(south >= 0 && south < 1)) return null;
  return interleave(Math.floor(eastOf(lon) * 2 ** FINEST), Math.floor(south * 2 ** FINEST));
}

/** Equal neighbours as one. `counts`: absent: each is one. */
function countRuns(sorted: Uint32Array, counts: Uint32Array | null): Level {
  let runs = 0;
  for (let i = 0; i < sorted.length; i++) if (i === 0 || sorted[i] !== sorted[i - 1]) runs++;
  const level = { cells: new Uint32Array(runs), counts: new Uint32Array(runs) };
  let run = -1;
  for (let i = 0; i < sorted.length; i++) {
    if (i === 0 || sorted[i] !== sorted[i - 1]) level.cells[++run] = sorted[i]!;
    level.counts[run]! += counts === null ? 1 : counts[i]!;
  }
  return level;
}

/** x in the even bits, y in the odd ones; both below 2 ** 16. */
function interleave(x: number, y: number): number {
  return (apart(x) | (apart(y) << 1)) >>> 0;
}

function apart(value: number): number {
  let bits = value & 0xffff;
  bits = (bits | (bits << 8)) & 0x00ff00ff;
  bits = (bits | (bits << 4)) & 0x0f0f0f0f;
  bits = (bits | (bits << 2)) & 0x33333333;
  return (bits | (bits << 1)) & 0x55555555;
}

/** The even bits of six. */
function gather(value: number): number {
  return (value & 1) | ((value >>> 1) & 2) | ((value >>> 2) & 4);
}

function lowerBound(cells: Uint32Array, least: number): number {
  let low = 0;
  let high = cells.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (cells[middle]! < least) low = middle + 1;
    else high = middle;
  }
  return low;
}
