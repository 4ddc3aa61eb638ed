/** The graph of what was walked: nodes where ways meet become vertices, what lies between them edges. */
import { distance_m } from "#kit/geo.ts";
import { Growing } from "#kit/growing.ts";
import { lowerBound } from "#kit/sorted.ts";
import { joinParts, rootOf } from "./joined.ts";
import { keyOf } from "./walk-cells.ts";
import type { WalkIntake } from "./walk-intake.ts";

const DEGREE = 1e7;

/** Vertices in the order of their cells. */
export type Vertices = {
  ids: Float64Array;
  /** lat7, lon7, … */
  points: Int32Array;
  marks: Uint8Array;
  /** Vertex of each node of the walked ways, in their order; -1: none. */
  at: Int32Array;
};

/** Edges in the order of the ways. `from`, `to`: vertices. */
export type Edges = {
  from: Growing<Uint32Array>;
  to: Growing<Uint32Array>;
  length_cm: Growing<Uint32Array>;
  flags: Growing<Uint8Array>;
  /** Points between the ends: those of edge i are at 2 * shape[i] .. 2 * (shape[i] + between[i]) of the intake. */
  shape: Growing<Uint32Array>;
  between: Growing<Uint32Array>;
};

export function createEdges(): Edges {
  return {
    from: new Growing(Uint32Array),
    to: new Growing(Uint32Array),
    length_cm: new Growing(Uint32Array),
    flags: new Growing(Uint8Array),
    shape: new Growing(Uint32Array),
    between: new Growing(Uint32Array),
  };
}

/** Great-circle length of a line, in centimetres. */
export function lengthOf(points: Int32Array, from: number, to: number): number {
  let sum = 0;
  for (let i = from; i < to; i++)
    sum += distance_m(
      points[2 * i]! / DEGREE,
      points[2 * i + 1]! / DEGREE,
      points[2 * i + 2]! / DEGREE,
      points[2 * i + 3]! / DEGREE,
    );
  return Math.round(sum * 100);
}

/** Nodes that are an end of a way, that two ways share or one passes twice, or that are marked. */
export function findVertices(intake: WalkIntake): Vertices {
  const nodes = intake.nodes.view();
  const ids = junctionsOf(intake, nodes.slice().sort());
  const points = new Int32Array(2 * ids.length);
  const all = intake.points.view();
  const at = Int32Array.from(nodes, (node) => indexOf(ids, node));
  at.forEach((junction, i) => {
    if (junction < 0) return;
    points[2 * junction] = all[2 * i]!;
    points[2 * junction + 1] = all[2 * i + 1]!;
  });
  return sortByCells({ ids, points, marks: Uint8Array.from(ids, (id) => intake.marksAt(id)), at });
}

function junctionsOf(intake: WalkIntake, sorted: Float64Array): Float64Array {
  const nodes = intake.nodes.view();
  const starts = intake.starts.view();
  const found = new Growing(Float64Array);
  for (let i = 1; i < starts.length; i++) {
    found.push(nodes[starts[i - 1]!]!);
    found.push(nodes[starts[i]! - 1]!);
  }
  for (let i = 1; i < sorted.length; i++) if (sorted[i] === sorted[i - 1]) found.push(sorted[i]!);
  for (const id of intake.wanted()) if (indexOf(sorted, id) >= 0) found.push(id);
  const all = found.view().sort();
  return all.filter((id, i) => i === 0 || id !== all[i - 1]);
}

/** Place of a number among sorted ones; -1: it is not among them. */
export function indexOf(sorted: Float64Array, value: number): number {
  const at = lowerBound(sorted, value);
  return sorted[at] === value ? at : -1;
}

const INDEX_BITS = 28;
const MAX_VERTICES = 1 << INDEX_BITS;

/** Numbers 0 .. count - 1 in the order of whole keys below 2^53. */
function orderByKeys(count: number, keyAt: (index: number) => number): Uint32Array {
  const pairs = new BigUint64Array(count);
  const words = new Uint32Array(pairs.buffer);
  const high_unit = 2 ** (32 - INDEX_BITS);
  for (let i = 0; i < count; i++) {
    const key = keyAt(i);
    words[2 * i] = ((key % high_unit) * MAX_VERTICES + i) >>> 0;
    words[2 * i + 1] = Math.floor(key / high_unit);
  }
  pairs.sort();
  return Uint32Array.from({ length: count }, (_, i) => words[2 * i]! & (MAX_VERTICES - 1));
}

function sortByCells({ ids, points, marks, at }: Vertices): Vertices {
  const order = orderByKeys(ids.length, (i) => keyOf(points[2 * i]!, points[2 * i + 1]!));
  const sorted = new Int32Array(points.length);
  const places = new Int32Array(ids.length);
  order.forEach((from, to) => {
    places[from] = to;
    sorted[2 * to] = points[2 * from]!;
    sorted[2 * to + 1] = points[2 * from + 1]!;
  });
  return {
    ids: Float64Array.from(order, (from) => ids[from]!),
    points: sorted,
    marks: Uint8Array.from(order, (from) => marks[from]!),
    at: at.map((junction) => (junction < 0 ? -1 : places[junction]!)),
  };
}

/** Finds a vertex by the id of its node. */
export function createVertexOf({ ids }: Vertices): (id: number) => number {
  const sorted = ids.slice().sort();
  const numbers = new Uint32Array(ids.length);
  ids.forEach((id, number) => (numbers[indexOf(sorted, id)] = number));
  return (id) => {
    const at = indexOf(sorted, id);
    return at < 0 ? -1 : numbers[at]!;
  };
}

/** Cuts each way at its vertices. A piece that leads nowhere, of no length, is left out. */
export function cutWays(intake: WalkIntake, vertices: Vertices, into: Edges): void {
  const [starts, points, flags] = [intake.starts.view(), intake.points.view(), intake.flags.view()];
  for (let way = 0; way < flags.length; way++) {
    let begin = starts[way]!;
    let from = vertices.at[begin]!;
    for (let at = begin + 1; at < starts[way + 1]!; at++) {
      const to = vertices.at[at]!;
      if (to < 0) continue;
      const length_cm = lengthOf(points, begin, at);
      if (from !== to || length_cm > 0) {
        into.from.push(from);
        into.to.push(to);
        into.length_cm.push(length_cm);
        into.flags.push(flags[way]!);
        into.shape.push(begin + 1);
        into.between.push(at - begin - 1);
      }
      [begin, from] = [at, to];
    }
  }
}

/** Marks the vertices of parts that hang together and have fewer nodes than `least`. */
export function findIslands({ ids }: Vertices, edges: Edges, least: number): Uint8Array {
  const parents = Uint32Array.from(ids, (_, i) => i);
  const [from, to] = [edges.from.view(), edges.to.view()];
  from.forEach((vertex, i) => joinParts(parents, vertex, to[i]!));
  const sizes = new Float64Array(ids.length);
  for (let i = 0; i < ids.length; i++) sizes[rootOf(parents, i)]! += 1;
  from.forEach((vertex, i) => (sizes[rootOf(parents, vertex)]! += edges.between.at(i)));
  return Uint8Array.from(ids, (_, i) => (sizes[rootOf(parents, i)]! < least ? 1 : 0));
}
