/** The part of a base by which ways on foot are found (docs/lab/walking.md). */
import { problem } from "#kit/problem.ts";
import type { BaseSection } from "../base/base-features.ts";
import { Growing } from "#kit/growing.ts";
import type { PageCell } from "../pages/page-cell.ts";
import { boundsOf } from "./cell-bounds.ts";
import { MET } from "./entrances.ts";
import { findIslands } from "./islands.ts";
import {
  createEdges,
  createVertexOf,
  cutWays,
  type Edges,
  findVertices,
  indexOf,
  type Vertices,
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
 * in their order in the extract, and the nodes that lie in its cell; what else comes is left out.
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
    keys: { node: NODE_KEYS, way: WAY_KEYS, relation: ["highway"] },
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
  const low = from.map((vertex, i) => Math.min(vertex, to[i]!));
  const high = from.map((vertex, i) => Math.max(vertex, to[i]!));
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
  for (let vertex = 0; vertex < count; vertex++) {
    for (let at = out[vertex]!; at < out[vertex + 1]!; at++)
      writeEdge(intake, vertices, edges, order[at]!, { shapes, passing });
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
    phases: Uint8Array.from(order, phaseOf),
    ...toColumns(vertices.gates),
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
  first.forEach((edge, i) => (values[i] = ofFirst(edge)));
  second.forEach((edge, i) => (values[first.length + i] = ofSecond(edge)));
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
  vertex_of.forEach((vertex, edge) => (order[next[vertex]!++] = edge));
  return { starts, order };
}

/** Writes the points between the ends, from the smaller vertex on, and the cells that the edge passes. */
function writeEdge(
  intake: WalkIntake,
  { points }: Vertices,
  edges: Edges,
  edge: number,
  { shapes, passing }: { shapes: Growing<Uint8Array>; passing: Passing },
): void {
  const [from, to] = [edges.from.at(edge), edges.to.at(edge)];
  const [first, count] = [edges.shape.at(edge), edges.between.at(edge)];
  const backwards = from > to;
  const start = Math.min(from, to);
  const end = Math.max(from, to);
  writeNumber(shapes, count);
  let before: [number, number] = [points[2 * start]!, points[2 * start + 1]!];
  for (let i = 0; i <= count; i++) {
    const at = 2 * (backwards ? first + count - 1 - i : first + i);
    const next: [number, number] =
      i === count
        ? [points[2 * end]!, points[2 * end + 1]!]
        : [intake.points.at(at), intake.points.at(at + 1)];
    if (i < count) {
      writeSigned(shapes, next[0] - before[0]);
      writeSigned(shapes, next[1] - before[1]);
    }
    passing.add(start, before, next);
    before = next;
  }
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
    this.#keys = Float64Array.from(ids, (_, i) => keyOf(points[2 * i]!, points[2 * i + 1]!));
  }

  add(vertex: number, from: readonly [number, number], to: readonly [number, number]): void {
    const own = this.#keys[vertex]!;
    passCells(from, to, (key) => {
      const last = this.#pairs.cell.length - 1;
      const isKnown =
        key === own ||
        (last >= 0 && this.#pairs.cell.at(last) === key && this.#pairs.vertex.at(last) === vertex);
      if (isKnown) return;
      if (this.#pairs.cell.length >= this.#most)
        throw problem("extract: walked ways pass more cells than those of any map");
      this.#pairs.cell.push(key);
      this.#pairs.vertex.push(vertex);
    });
  }

  toCells(): Pick<PackedWalk, "cells" | "cell_starts" | "passing_starts" | "passing"> {
    const [pair_cells, pair_vertices] = [this.#pairs.cell.view(), this.#pairs.vertex.view()];
    const keys = new Float64Array(this.#keys.length + pair_cells.length);
    keys.set(this.#keys);
    keys.set(pair_cells, this.#keys.length);
    keys.sort();
    const cells = keys.filter((key, i) => i === 0 || key !== keys[i - 1]);
    const cellOf = (key: number): number => indexOf(cells, key);
    const vertices = sortInto(cells.length, Uint32Array.from(this.#keys, cellOf));
    const passing = sortInto(cells.length, Uint32Array.from(pair_cells, cellOf));
    return {
      cells,
      cell_starts: vertices.starts,
      passing_starts: passing.starts,
      passing: Uint32Array.from(passing.order, (pair) => pair_vertices[pair]!),
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
