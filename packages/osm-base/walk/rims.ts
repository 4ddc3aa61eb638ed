/**
 * Rims of the marked squares of a grid, as rings of its corners that neither cross nor touch: polygons
 * of them are valid wherever they are read.
 */

/** Row by row from the south-west. */
export type Grid = { cells: Uint8Array; width: number };
export type Corner = [row: number, column: number];
/** Closed rings of a part that hangs together: around it counter-clockwise, then around its holes. */
export type Part = Corner[][];

/** A hole of fewer squares is a block of houses or a garden, not a place that is out of reach. */
const LEAST_HOLE = 16;

/** Columns `from` to `to`, `factor` squares of a row and of a column taken as one. */
type Cut = { from: number; to: number; factor: number };

/** Parts of a cut of the grid, in corners of the grid. */
export function listParts(grid: Grid, cut: Cut): Part[] {
  const squares = cutOf(grid, cut);
  partCorners(squares);
  fillHoles(squares);
  const parts = new Map<number, Part>();
  for (const { label, ring } of followRims(squares)) {
    const corners = ring.map((key): Corner => [
      (Math.floor(key / squares.width) - 1) * cut.factor,
      ((key % squares.width) - 1) * cut.factor + cut.from,
    ]);
    const known = parts.get(label) ?? [];
    // Of a part that hangs together, one ring goes around all of it.
    if (areaOf(corners) > 0) known.unshift(corners);
    else known.push(corners);
    parts.set(label, known);
  }
  return [...parts.values()];
}

/** The cut with a row and a column of unmarked squares on each side. */
function cutOf({ cells, width }: Grid, { from, to, factor }: Cut): Grid {
  const rows = Math.ceil(cells.length / width / factor) + 2;
  const columns = Math.ceil((to - from) / factor) + 2;
  const squares = new Uint8Array(rows * columns);
  for (let start = 0, row = 0; start < cells.length; start += width, row++)
    for (let column = from; column < to; column++)
      if (cells[start + column])
        squares[
          (Math.floor(row / factor) + 1) * columns + Math.floor((column - from) / factor) + 1
        ] = 1;
  return { cells: squares, width: columns };
}

/** Where two squares touch at a corner alone, marks a third one: no rim meets another, or itself. */
function partCorners({ cells, width }: Grid): void {
  const isTouched = (key: number): boolean =>
    cells[key] === cells[key + width + 1] &&
    cells[key + 1] === cells[key + width] &&
    cells[key] !== cells[key + 1];
  for (let first = 0; first + width + 1 < cells.length; first++) {
    if (!isTouched(first)) continue;
    const left = [first];
    for (const key of left) {
      if (!isTouched(key)) continue;
      const third = cells[key] ? key + 1 : key;
      cells[third] = 1;
      left.push(third, third - 1, third - width, third - width - 1);
    }
  }
}

/** Marks what is enclosed by marked squares and small. */
function fillHoles({ cells, width }: Grid): void {
  const seen = new Uint8Array(cells.length);
  for (let start = 0; start < cells.length; start++) {
    if (cells[start] || seen[start]) continue;
    const part = partOf({ cells, width }, start, seen, 1);
    if (part.length < LEAST_HOLE) for (const at of part) cells[at] = 1;
  }
}

/** The squares that hang together with one, marked as it is or not, noted as seen by a number. */
function partOf(
  { cells, width }: Grid,
  start: number,
  seen: Uint8Array | Uint32Array,
  label: number,
): number[] {
  const part = [start];
  const is = cells[start];
  const add = (next: number): void => {
    if (cells[next] !== is || seen[next] !== 0) return;
    seen[next] = label;
    part.push(next);
  };
  seen[start] = label;
  // Most of the time of an outline is here: no list is made for a square.
  for (const at of part) {
    add(at - 1);
    add(at + 1);
    add(at - width);
    add(at + width);
  }
  return part;
}

/** Rings around the squares, these on the left, each with the number of its part. */
function followRims({ cells, width }: Grid): { label: number; ring: number[] }[] {
  const labels = new Uint32Array(cells.length);
  /** The corner that follows a corner of a rim; 0: it is of none, or was followed. */
  const next = new Uint32Array(cells.length);
  let parts = 0;
  cells.forEach((is, key) => {
    if (!is) return;
    if (labels[key] === 0) partOf({ cells, width }, key, labels, ++parts);
    if (!cells[key - width]) next[key] = key + 1;
    if (!cells[key + 1]) next[key + 1] = key + width + 1;
    if (!cells[key + width]) next[key + width + 1] = key + width;
    if (!cells[key - 1]) next[key + width] = key;
  });
  const rings: { label: number; ring: number[] }[] = [];
  // The first corner of a ring is its westernmost in its southernmost row, where it turns: around a
  // part to the east, around a hole to the north.
  next.forEach((end, start) => {
    if (next[start] !== 0)
      rings.push({
        label: labels[end === start + 1 ? start : start - 1]!,
        ring: followRim(next, start),
      });
  });
  return rings;
}

/** Follows a rim once. */
function followRim(next: Uint32Array, start: number): number[] {
  const ring = [start];
  let [before, at] = [start, next[start]!];
  next[start] = 0;
  while (at !== start) {
    const end = next[at]!;
    next[at] = 0;
    if (end - at !== at - before) ring.push(at);
    [before, at] = [at, end];
  }
  ring.push(start);
  return ring;
}

/** Twice the area in squares, positive counter-clockwise. */
export function areaOf(ring: readonly Corner[]): number {
  let sum = 0;
  for (let i = 1; i < ring.length; i++)
    sum += ring[i - 1]![1] * ring[i]![0] - ring[i]![1] * ring[i - 1]![0];
  return sum;
}
