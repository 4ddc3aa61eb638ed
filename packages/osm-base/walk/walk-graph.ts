/** The walking section of a base, read where its columns lie. */
import type { Columns } from "#kit/pack.ts";
import { COLUMNS, cornerOf } from "./walk-cells.ts";
import {
  BACKWARDS,
  EDGE_BITS,
  readColumns,
  type WalkColumns,
  type WalkMeta,
} from "./walk-layout.ts";
import { readNumber, readSigned } from "./edge-shapes.ts";
import { GateIndex, withIslands } from "./gate-index.ts";
import { partsBetween, toCentimetres } from "./lengths.ts";

export class WalkGraph {
  readonly columns: WalkColumns;
  readonly meta: WalkMeta;
  readonly #spread: Spread;
  /** Made with the first question that comes to the edge of the page. */
  #gates: GateIndex | null = null;

  constructor(columns: WalkColumns, meta: WalkMeta) {
    this.columns = columns;
    this.meta = meta;
    this.#spread = spreadOf(columns.cells);
  }

  /** Whether anything may be in a cell, or `most` rows and columns away from it. */
  isNear(row: number, column: number, most: number): boolean {
    const { south, north, west, east } = this.#spread;
    return (
      row >= south - most && row <= north + most && column >= west - most && column <= east + most
    );
  }

  get vertices(): number {
    return this.columns.marks.length;
  }

  get edges(): number {
    return this.columns.edges.length;
  }

  get gates(): GateIndex {
    return (this.#gates ??= new GateIndex(this));
  }

  lengthOf(edge: number): number {
    return this.columns.edges[edge]! >>> EDGE_BITS;
  }

  /** The vertex that an edge leaves, the one of the smaller number. */
  startOf(edge: number): number {
    return placeIn(this.columns.out, edge);
  }

  /** Latitude and longitude in ten-millionths of a degree, of a vertex of the cell that is known. */
  pointIn(cell: number, vertex: number): [lat7: number, lon7: number] {
    const { cells, offsets } = this.columns;
    const corner = cornerOf(cells[cell]!);
    return [corner.lat7 + offsets[2 * vertex]!, corner.lon7 + offsets[2 * vertex + 1]!];
  }

  /** `near`: a cell in which it may be. */
  pointOf(vertex: number, near = 0): [lat7: number, lon7: number] {
    const { cell_starts } = this.columns;
    const isNear = cell_starts[near]! <= vertex && vertex < cell_starts[near + 1]!;
    return this.pointIn(isNear ? near : placeIn(cell_starts, vertex), vertex);
  }

  /** The edge of these bits that leaves a vertex for another; -1: there is none. */
  edgeOf(start: number, end: number, bits: number): number {
    const { out, to, edges } = this.columns;
    for (let edge = out[start]!; edge < out[start + 1]!; edge++)
      if (to[edge] === end && edges[edge] === bits) return edge;
    return -1;
  }

  /** Vertices from which edges arrive at a vertex. */
  arrivalsAt(vertex: number): Uint32Array {
    const { into, from } = this.columns;
    return from.subarray(into[vertex], into[vertex + 1]);
  }

  /** Edges that meet at a vertex, each with its other end. */
  edgesAt(vertex: number): { edge: number; other: number }[] {
    const { out, to } = this.columns;
    const list: { edge: number; other: number }[] = [];
    for (let edge = out[vertex]!; edge < out[vertex + 1]!; edge++)
      list.push({ edge, other: to[edge]! });
    for (const other of new Set(this.arrivalsAt(vertex)))
      for (let edge = out[other]!; edge < out[other + 1]!; edge++)
        if (to[edge] === vertex) list.push({ edge, other });
    return list;
  }

  /**
   * Calls back with each piece of the edges that leave a vertex: its number within the edge, and its
   * ends, lat7, lon7, lat7, lon7, in memory that is used again. `near`: a cell in which others may be.
   */
  readPieces(
    vertex: number,
    from: readonly [number, number],
    onPiece: (edge: number, piece: number, ends: Ends) => void,
    near = 0,
  ): void {
    const { out, to, shape_starts, shapes } = this.columns;
    const reader = { bytes: shapes, at: shape_starts[vertex]! };
    const end = shape_starts[vertex + 1]!;
    const ends: Ends = [0, 0, 0, 0];
    for (let edge = out[vertex]!; edge < out[vertex + 1]!; edge++) {
      ends[2] = from[0];
      ends[3] = from[1];
      const between = readNumber(reader);
      let piece = 0;
      for (; piece < between && reader.at < end; piece++) {
        ends[0] = ends[2];
        ends[1] = ends[3];
        ends[2] += readSigned(reader);
        ends[3] += readSigned(reader);
        onPiece(edge, piece, ends);
      }
      const last = this.pointOf(to[edge]!, near);
      ends[0] = ends[2];
      ends[1] = ends[3];
      ends[2] = last[0];
      ends[3] = last[1];
      onPiece(edge, piece, ends);
    }
  }

  /** Centimetres from the first point of an edge's line to each of them. */
  placesOn(edge: number, line: readonly (readonly [number, number])[]): number[] {
    const { phases } = this.columns;
    const length_cm = this.lengthOf(edge);
    const parts = line.map((point, i) => (i === 0 ? 0 : partsBetween(...line[i - 1]!, ...point)));
    if (phases === undefined) {
      const whole = parts.reduce((sum, each) => sum + each, 0);
      let so_far = 0;
      return parts.map((each) => ((so_far += each) * length_cm) / Math.max(1, whole));
    }
    const backwards = (phases[edge]! & BACKWARDS) !== 0;
    const phase = phases[edge]! & (BACKWARDS - 1);
    const pieces = backwards ? [0, ...parts.slice(1).toReversed()] : parts;
    let so_far = phase;
    const places = pieces.map((each) => toCentimetres((so_far += each)) - toCentimetres(phase));
    return backwards ? places.map((place) => length_cm - place).toReversed() : places;
  }

  /** Points of an edge, from the vertex of the smaller number on. */
  lineOf(wanted: number): [lat7: number, lon7: number][] {
    const start = this.startOf(wanted);
    const cell = placeIn(this.columns.cell_starts, start);
    const first = this.pointIn(cell, start);
    const line = [first];
    const onPiece = (edge: number, _: number, [, , lat7, lon7]: Ends): void => {
      if (edge === wanted) line.push([lat7, lon7]);
    };
    this.readPieces(start, first, onPiece, cell);
    return line;
  }
}

/** Rows and columns of the cells in which something is. */
type Spread = { south: number; north: number; west: number; east: number };

function spreadOf(cells: Float64Array): Spread {
  const spread = { south: Infinity, north: -Infinity, west: Infinity, east: -Infinity };
  for (const key of cells) {
    const row = Math.floor(key / COLUMNS);
    const column = key - row * COLUMNS;
    spread.south = Math.min(spread.south, row);
    spread.north = Math.max(spread.north, row);
    spread.west = Math.min(spread.west, column);
    spread.east = Math.max(spread.east, column);
  }
  return spread;
}

type Ends = [lat7: number, lon7: number, lat7: number, lon7: number];

/**
 * The graph of a base or of a page; null: it has no walking section, an import since then would make
 * it. `head`: the header of the section in the head of a paged base.
 */
export function openWalk(
  columns: Columns,
  meta: WalkMeta | undefined,
  head?: WalkMeta,
): WalkGraph | null {
  const walk = meta === undefined ? null : readColumns(columns);
  if (walk === null) return null;
  const graph = new WalkGraph(walk, meta!);
  const marks = head === undefined ? null : withIslands(graph, head);
  return marks === null ? graph : new WalkGraph({ ...walk, marks }, meta!);
}

/** The i for which starts[i] <= place < starts[i + 1]. */
export function placeIn(starts: Uint32Array, place: number): number {
  let [low, high] = [0, starts.length - 1];
  while (high - low > 1) {
    const middle = (low + high) >>> 1;
    if (starts[middle]! <= place) low = middle;
    else high = middle;
  }
  return low;
}
