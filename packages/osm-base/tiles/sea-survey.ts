/**
 * Finds out what `SeaFacts` says, from the coastlines and the places of an extract one by one: memory
 * goes by the coastlines' number and not by their length.
 *
 * Where coastlines cross the lines between squares they say what is sea on either side. From there it
 * spreads over the corners of squares, along sides that no coastline crosses. The lines lie half a unit
 * off the grid, so that no point is on one.
 */
import { type BrokenCoast, CoastEnds, leadOut } from "./coast-ends.ts";
import { clipLine } from "./clip.ts";
import { type TileBox, tileBox, type TilePoints } from "./grid.ts";
import { boxOfSquare, DRAWN, SEA, type SeaFacts, SQUARE_SIZE, SQUARES } from "./sea-facts.ts";

/** The outermost crossings of a side, and what lies beyond each: 1 is sea, -1 land. */
type Side = { low: number; before: number; high: number; after: number };
type Grid = Pick<SeaFacts, "x" | "y" | "columns" | "rows">;

export class SeaSurvey {
  readonly #marks = new Uint8Array(SQUARES * SQUARES);
  /** By the corner in the north-west: sides to the east of it, and to the south. */
  readonly #sides = [new Map<number, Side>(), new Map<number, Side>()] as const;
  readonly #ends = new CoastEnds();

  /** Something is here. */
  mark(x: number, y: number): void {
    const column = Math.min(SQUARES - 1, Math.floor(x / SQUARE_SIZE));
    this.#marks[Math.min(SQUARES - 1, Math.floor(y / SQUARE_SIZE)) * SQUARES + column] = 1;
  }

  coast(line: TilePoints): void {
    this.#ends.add(line);
    this.#cross(line);
  }

  /** null: nothing is anywhere, or there is no coastline. */
  finish(): SeaFacts | null {
    const grid = this.#ends.count > 0 ? this.#toGrid() : null;
    if (grid === null) return null;
    const leads = this.#ends.listBroken().flatMap((broken) => toLeads(broken, boxOf(grid)));
    for (const lead of leads) this.#cross(lead);
    const corners = this.#spread(grid);
    const states = new Uint8Array(grid.columns * grid.rows);
    for (let row = 0; row < grid.rows; row++)
      for (let column = 0; column < grid.columns; column++) {
        // The corner in the south-east lies in the square, by half a unit.
        const isSea = corners[(row + 1) * (grid.columns + 1) + column + 1]! > 0;
        const isDrawn = this.#isNear(grid.x + column, grid.y + row);
        states[row * grid.columns + column] = (isDrawn ? DRAWN : 0) | (isSea ? SEA : 0);
      }
    return { ...grid, states, leads };
  }

  /** Whether something is in the square, or in one next to it. */
  #isNear(x: number, y: number): boolean {
    for (let row = Math.max(0, y - 1); row <= Math.min(SQUARES - 1, y + 1); row++)
      for (let column = Math.max(0, x - 1); column <= Math.min(SQUARES - 1, x + 1); column++)
        if (this.#marks[row * SQUARES + column] === 1) return true;
    return false;
  }

  #toGrid(): Grid | null {
    const points: number[] = [];
    for (const [at, mark] of this.#marks.entries())
      if (mark === 1) points.push(at % SQUARES, Math.floor(at / SQUARES));
    if (points.length === 0) return null;
    const { minX, minY, maxX, maxY } = tileBox(points);
    const [x, y] = [Math.max(0, minX - 1), Math.max(0, minY - 1)];
    const [east, south] = [Math.min(SQUARES - 1, maxX + 1), Math.min(SQUARES - 1, maxY + 1)];
    return { x, y, columns: east - x + 1, rows: south - y + 1 };
  }

  #cross(line: TilePoints): void {
    for (let i = 0; i + 3 < line.length; i += 2) {
      const [x0, y0, x1, y1] = [line[i]!, line[i + 1]!, line[i + 2]!, line[i + 3]!];
      // Southwards the land is in the east; eastwards it is in the north.
      if (isAcross(y0, y1))
        for (const { side, line: row, place } of crossings(y0, x0, y1, x1))
          this.#note(0, { column: side, row, place }, y1 > y0 ? 1 : -1);
      if (isAcross(x0, x1))
        for (const { side, line: column, place } of crossings(x0, y0, x1, y1))
          this.#note(1, { column, row: side, place }, x1 > x0 ? -1 : 1);
    }
  }

  #note(
    direction: 0 | 1,
    { column, row, place }: { column: number; row: number; place: number },
    before: number,
  ): void {
    const sides = this.#sides[direction];
    const key = keyOf(column, row);
    const side = sides.get(key);
    if (side === undefined) sides.set(key, { low: place, before, high: place, after: -before });
    else {
      if (place < side.low) Object.assign(side, { low: place, before });
      if (place > side.high) Object.assign(side, { high: place, after: -before });
    }
  }

  /** What the corners of the squares are: above zero is sea. */
  #spread(grid: Grid): Int8Array {
    const columns = grid.columns + 1;
    const corners = new Int8Array(columns * (grid.rows + 1));
    const seeds = this.#listSeeds(grid);
    for (const [corner, votes] of seeds) corners[corner] = Math.sign(votes);
    let edge = [...seeds.keys()].filter((corner) => corners[corner] !== 0).sort((a, b) => a - b);
    while (edge.length > 0) {
      const next: number[] = [];
      for (const corner of edge)
        for (const other of this.#listNext(grid, corner)) {
          if (corners[other] !== 0) continue;
          corners[other] = corners[corner]!;
          next.push(other);
        }
      edge = next;
    }
    return corners;
  }

  /** Corners that a coastline says something of; where two do not agree, most say it. */
  #listSeeds({ x, y, columns, rows }: Grid): Map<number, number> {
    const seeds = new Map<number, number>();
    const vote = (column: number, row: number, value: number): void => {
      const [left, top] = [column - x, row - y];
      if (left < 0 || top < 0 || left > columns || top > rows) return;
      const corner = top * (columns + 1) + left;
      seeds.set(corner, (seeds.get(corner) ?? 0) + value);
    };
    for (const [direction, sides] of this.#sides.entries())
      for (const [key, { before, after }] of sides) {
        const [column, row] = [key % KEYS, Math.floor(key / KEYS)];
        vote(column, row, before);
        vote(direction === 0 ? column + 1 : column, direction === 0 ? row : row + 1, after);
      }
    // Around an island that crosses no line is the sea.
    for (const [square, size] of this.#ends.listRings()) {
      const [column, row] = [square % SQUARES, Math.floor(square / SQUARES)];
      if (!this.#isCrossed(column, row)) vote(column + 1, row + 1, size < 0 ? 1 : -1);
    }
    return seeds;
  }

  #isCrossed(column: number, row: number): boolean {
    const [east, south] = this.#sides;
    return (
      east.has(keyOf(column, row)) ||
      east.has(keyOf(column, row + 1)) ||
      south.has(keyOf(column, row)) ||
      south.has(keyOf(column + 1, row))
    );
  }

  /** Corners that no coastline parts from this one. */
  #listNext({ x, y, columns, rows }: Grid, corner: number): number[] {
    const [left, top] = [corner % (columns + 1), Math.floor(corner / (columns + 1))];
    const [east, south] = this.#sides;
    const [column, row] = [x + left, y + top];
    const next: number[] = [];
    if (left > 0 && !east.has(keyOf(column - 1, row))) next.push(corner - 1);
    if (left < columns && !east.has(keyOf(column, row))) next.push(corner + 1);
    if (top > 0 && !south.has(keyOf(column, row - 1))) next.push(corner - columns - 1);
    if (top < rows && !south.has(keyOf(column, row))) next.push(corner + columns + 1);
    return next;
  }
}

const KEYS = SQUARES + 1;

function keyOf(column: number, row: number): number {
  return row * KEYS + column;
}

/** Number of the first line after a place; lines lie half a unit before the squares that they begin. */
function lineAfter(place: number): number {
  return Math.ceil((place + 0.5) / SQUARE_SIZE);
}

function isAcross(from: number, to: number): boolean {
  return lineAfter(from) !== lineAfter(to);
}

/** Where a stretch crosses lines: number of the line, place on it, and which of its sides that is. */
function* crossings(
  from: number,
  otherFrom: number,
  to: number,
  otherTo: number,
): Generator<{ side: number; line: number; place: number }> {
  const last = lineAfter(Math.max(from, to));
  for (let line = lineAfter(Math.min(from, to)); line < last; line++) {
    const share = (line * SQUARE_SIZE - 0.5 - from) / (to - from);
    const place = otherFrom + share * (otherTo - otherFrom);
    yield { side: lineAfter(place) - 1, line, place };
  }
}

/** How a line that breaks off goes on. */
function toLeads(broken: BrokenCoast, box: TileBox): number[][] {
  const { x0, y0, x1, y1 } = broken;
  const { before, after } = leadOut(broken, box);
  return [
    ...(after ? clipLine([x1, y1, ...after], box) : []),
    ...(before ? clipLine([...before, x0, y0], box) : []),
  ];
}

function boxOf({ x, y, columns, rows }: Grid): TileBox {
  const { minX, minY } = boxOfSquare({ x, y });
  const { maxX, maxY } = boxOfSquare({ x: x + columns - 1, y: y + rows - 1 });
  return { minX, minY, maxX, maxY };
}
