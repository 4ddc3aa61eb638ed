/** The part of a base by which ways on foot are found (docs/lab/walking.md). */
import { problem } from "#kit/problem.ts";
import type { BaseSection } from "../base/base-features.ts";
import { SortedIds } from "../base/sorted-ids.ts";
import { filled, Growing } from "#kit/growing.ts";
import type { PageCell } from "../pages/page-cell.ts";
import { roomFor } from "../pbf/views.ts";
import { boundsOf } from "./cell-bounds.ts";
import { MET } from "./entrances.ts";
import { findIslands } from "./islands.ts";
import {
  createEdges,
  createVertexOf,
  cutWays,
  type Edges,
  findVertices,
  type Vertices,
  withoutRepeats,
} from "./build-graph.ts";
import { findParts } from "./parts.ts";
import { cornerOf, keyOf, passCells } from "./walk-cells.ts";
import { WalkIntake } from "./walk-intake.ts";
import {
  BACKWARDS,
  DEAD_END,
  EDGE,
  EDGE_BITS,
  ELSEWHERE,
  GATE,
  GATE_KIND,
  ISLAND,
  MAX_LENGTH_CM,
  SECTION,
  type PackedWalk,
  type WalkMeta,
} from "./walk-layout.ts";
import { NODE_KEYS, STEPS, WAY_KEYS } from "./walk-rules.ts";
import { writeNumber, writeSigned } from "./edge-shapes.ts";
import { crossSquares } from "./squares.ts";

/** `cell`: of the page that is made; absent: the base is one page. */
export type WalkSectionOptions = Partial<Pick<WalkMeta, "ruleset" | "squares">> & {
  cell?: PageCell;
};

/**
 * The section of a page takes whole ways and relations of which a segment begins or ends in its cell,
 * in their order in the extract, buildings that its cell touches, the nodes that lie in its cell and
 * doors near it; what else comes is left out.
 */
export function createWalkSection({
  ruleset = "usual",
  squares = true,
  cell,
}: WalkSectionOptions = {}): BaseSection {
  const options = { ruleset, squares, bounds: boundsOf(cell) };
  let taken = new WalkIntake(options);
  return {
    name: SECTION,
    keys: { node: NODE_KEYS, way: WAY_KEYS, relation: ["highway", "building"] },
    node: (feature) => taken.addNode(feature),
    way: (feature) => taken.addWay(feature),
    relation: (feature) => taken.addRelation(feature),
    *finish() {
      const intake = taken;
      // What was taken is free when the graph is made, though the import goes on.
      taken = new WalkIntake(options);
      intake.closeAreas();
      yield;
      const vertices = findVertices(intake);
      const vertexOf = createVertexOf(vertices);
      yield;
      const edges = createEdges();
      cutWays(intake, vertices, edges);
      yield;
      yield* crossSquares(intake.squares, { vertices, vertexOf }, edges);
      yield;
      const { marked, parts } = findIslands(vertices, edges);
      marked.forEach((is, i) => (vertices.marks[i]! |= is ? ISLAND : 0));
      yield;
      const columns = yield* pack(intake, vertices, edges);
      const counts = countStretches(vertices, edges);
      const meta: WalkMeta = { ruleset, squares, ...(parts.length > 0 && { parts }) };
      return { columns, meta, counts };
    },
  };
}

/** A stretch that pages share counts where its first node lies, so that all pages have as many as one. */
function countStretches({ met }: Vertices, edges: Edges): Record<string, number> {
  const counts = { vertices: 0, edges: 0, stairs: 0, steps_unknown: 0 };
  for (const each of met) if (each !== MET.gate) counts.vertices += 1;
  edges.from.view().forEach((vertex, i) => {
    if (met[vertex] === MET.gate) return;
    const flags = edges.flags.at(i);
    counts.edges += 1;
    if ((flags & EDGE.stairs) !== 0) counts.stairs += 1;
    if ((flags & EDGE.steps) === STEPS.unknown) counts.steps_unknown += 1;
  });
  return counts;
}

function* pack(intake: WalkIntake, vertices: Vertices, edges: Edges): Generator<void, PackedWalk> {
  const count = vertices.ids.length;
  const [from, to] = [edges.from.view(), edges.to.view()];
  const low = filled(new Uint32Array(from.length), (i) => Math.min(from[i]!, to[i]!));
  const high = filled(new Uint32Array(from.length), (i) => Math.max(from[i]!, to[i]!));
  const { starts: out, order } = sortInto(count, low);
  yield;
  const arrivals = sortInto(count, high);
  yield;
  markDeadEnds(vertices.marks, out, arrivals.starts);
  for (const { vertex, isOwn } of vertices.gates) {
    vertices.marks[vertex]! &= ~DEAD_END;
    vertices.marks[vertex]! |= isOwn ? GATE : GATE | ELSEWHERE;
  }
  const shapes = new Growing(Uint8Array);
  const shape_starts = new Uint32Array(count + 1);
  const passing = new Passing(vertices, intake.nodes.length);
  const lines = new EdgeLines(intake, vertices);
  for (let vertex = 0; vertex < count; vertex++) {
    for (let at = out[vertex]!; at < out[vertex + 1]!; at++) {
      const line = lines.of(edges, order[at]!);
      writeBetween(shapes, line);
      passing.add(vertex, line);
    }
    shape_starts[vertex + 1] = shapes.length;
  }
  yield;
  const bitsOf = (edge: number): number =>
    (Math.min(edges.length_cm.at(edge), MAX_LENGTH_CM) << EDGE_BITS) | edges.flags.at(edge);
  const parts = findParts(vertices, edges);
  yield;
  const phaseOf = (edge: number): number =>
    edges.phases.at(edge) | (from[edge]! > to[edge]! ? BACKWARDS : 0);
  return {
    ...passing.toCells(),
    offsets: offsetsOf(vertices),
    marks: vertices.marks,
    parts,
    out,
    into: arrivals.starts,
    ends: joined(
      order,
      (edge) => high[edge]!,
      arrivals.order,
      (edge) => low[edge]!,
    ),
    bits: joined(order, bitsOf, arrivals.order, bitsOf),
    shape_starts,
    shapes: shapes.view().slice(),
    phases: filled(new Uint8Array(order.length), (i) => phaseOf(order[i]!)),
    ...toColumns(vertices.gates),
    ...intake.doors.pack(),
  };
}

function toColumns(
  gates: Vertices["gates"],
): Pick<PackedWalk, "gates" | "gate_kinds" | "gate_ids"> {
  if (gates.length === 0) return {};
  return {
    gates: Uint32Array.from(gates, ({ vertex }) => vertex),
    gate_kinds: Uint8Array.from(
      gates,
      ({ isOwn, isEntrance }) =>
        (isOwn ? 0 : GATE_KIND.elsewhere) | (isEntrance ? GATE_KIND.entrance : 0),
    ),
    gate_ids: Float64Array.from(gates, ({ node }) => node ?? NaN),
  };
}

function markDeadEnds(marks: Uint8Array, out: Uint32Array, into: Uint32Array): void {
  for (let i = 0; i < marks.length; i++)
    if (1 === out[i + 1]! - out[i]! + (into[i + 1]! - into[i]!)) marks[i]! |= DEAD_END;
}

/** Values of one list and then of another, as one column. */
function joined(
  first: Uint32Array,
  ofFirst: (edge: number) => number,
  second: Uint32Array,
  ofSecond: (edge: number) => number,
): Uint32Array<ArrayBuffer> {
  const values = new Uint32Array(first.length + second.length);
  filled(values.subarray(0, first.length), (i) => ofFirst(first[i]!));
  filled(values.subarray(first.length), (i) => ofSecond(second[i]!));
  return values;
}

/** Numbers of edges sorted by a vertex of theirs: those of vertex i are order[starts[i]] .. starts[i + 1]. */
function sortInto(
  count: number,
  vertex_of: Uint32Array,
): { starts: Uint32Array<ArrayBuffer>; order: Uint32Array } {
  const starts = new Uint32Array(count + 1);
  for (const vertex of vertex_of) starts[vertex + 1]! += 1;
  for (let i = 0; i < count; i++) starts[i + 1]! += starts[i]!;
  const next = starts.slice();
  const order = new Uint32Array(vertex_of.length);
  for (let edge = 0; edge < order.length; edge++) order[next[vertex_of[edge]!]!++] = edge;
  return { starts, order };
}

/** Points of an edge from the smaller vertex on, both ends included: valid until the next one. */
class EdgeLines {
  readonly #intake: WalkIntake;
  readonly #vertices: Vertices;
  #line = new Int32Array(64);

  constructor(intake: WalkIntake, vertices: Vertices) {
    this.#intake = intake;
    this.#vertices = vertices;
  }

  of(edges: Edges, edge: number): Int32Array {
    const [from, to] = [edges.from.at(edge), edges.to.at(edge)];
    const [first, count] = [edges.shape.at(edge), edges.between.at(edge)];
    const length = 2 * (count + 2);
    const line = (this.#line = roomFor(this.#line, length));
    const { points } = this.#vertices;
    const [start, end] = [Math.min(from, to), Math.max(from, to)];
    line[0] = points[2 * start]!;
    line[1] = points[2 * start + 1]!;
    for (let i = 0; i < count; i++) {
      const at = 2 * (from > to ? first + count - 1 - i : first + i);
      line[2 * i + 2] = this.#intake.points.at(at);
      line[2 * i + 3] = this.#intake.points.at(at + 1);
    }
    line[length - 2] = points[2 * end]!;
    line[length - 1] = points[2 * end + 1]!;
    return line.subarray(0, length);
  }
}

/** Writes the points between the ends of a line. */
function writeBetween(shapes: Growing<Uint8Array>, line: Int32Array): void {
  writeNumber(shapes, line.length / 2 - 2);
  for (let at = 2; at < line.length - 2; at++) writeSigned(shapes, line[at]! - line[at - 2]!);
}

/** Cells that edges may pass; of maps it is one for three edges. */
const FREE_PASSES = 1_000_000;
const PASSES_PER_NODE = 4;

/** Cells in which vertices are, and those that edges from elsewhere pass. */
class Passing {
  readonly #keys: Float64Array;
  readonly #most: number;
  readonly #pairs: { cell: Growing<Float64Array>; vertex: Growing<Uint32Array> } = {
    cell: new Growing(Float64Array),
    vertex: new Growing(Uint32Array),
  };

  constructor({ points, ids }: Vertices, nodes: number) {
    this.#most = FREE_PASSES + PASSES_PER_NODE * nodes;
    this.#keys = filled(new Float64Array(ids.length), (i) =>
      keyOf(points[2 * i]!, points[2 * i + 1]!),
    );
  }

  /** `line`: of an edge from that vertex on. */
  add(vertex: number, line: Int32Array): void {
    const own = this.#keys[vertex]!;
    const see = (key: number): void => {
      if (key !== own) this.#note(vertex, key);
    };
    for (let at = 0; at + 2 < line.length; at += 2) passCells(line, at, see);
  }

  #note(vertex: number, key: number): void {
    const { cell, vertex: of } = this.#pairs;
    const last = cell.length - 1;
    if (last >= 0 && cell.at(last) === key && of.at(last) === vertex) return;
    if (cell.length >= this.#most)
      throw problem("extract: walked ways pass more cells than those of any map");
    cell.push(key);
    of.push(vertex);
  }

  toCells(): Pick<PackedWalk, "cells" | "cell_starts" | "passing_starts" | "passing"> {
    const [pair_cells, pair_vertices] = [this.#pairs.cell.view(), this.#pairs.vertex.view()];
    const keys = new Float64Array(this.#keys.length + pair_cells.length);
    keys.set(this.#keys);
    keys.set(pair_cells, this.#keys.length);
    const cells = withoutRepeats(keys.sort()).slice();
    const places = SortedIds.from(cells);
    const placesOf = (of: Float64Array): Uint32Array =>
      filled(new Uint32Array(of.length), (i) => places.find(of[i]!));
    const vertices = sortInto(cells.length, placesOf(this.#keys));
    const passing = sortInto(cells.length, placesOf(pair_cells));
    return {
      cells,
      cell_starts: vertices.starts,
      passing_starts: passing.starts,
      passing: filled(passing.order, (at) => pair_vertices[passing.order[at]!]!),
    };
  }
}

function offsetsOf({ points }: Vertices): Uint16Array<ArrayBuffer> {
  const offsets = new Uint16Array(points.length);
  for (let i = 0; i < points.length; i += 2) {
    const corner = cornerOf(keyOf(points[i]!, points[i + 1]!));
    offsets[i] = points[i]! - corner.lat7;
    offsets[i + 1] = points[i + 1]! - corner.lon7;
  }
  return offsets;
}
