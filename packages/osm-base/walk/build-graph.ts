/** The graph of what was walked: nodes where ways meet become vertices, what lies between them edges. */
import { filled, Growing } from "#kit/growing.ts";
import { lowerBound } from "#kit/sorted.ts";
import { SortedIds } from "../base/sorted-ids.ts";
import { MET } from "./entrances.ts";
import { findEntrances, findGates, type Gate } from "./gates.ts";
import { PARTS, partsBetween, toCentimetres } from "./lengths.ts";
import { keyOf } from "./walk-cells.ts";
import type { WalkIntake } from "./walk-intake.ts";

/** A gate of the page at one of its vertices; a vertex may be several. */
export type GateAt = Pick<Gate, "key" | "node" | "isOwn" | "isEntrance"> & { vertex: number };

/** Vertices in the order of their cells. */
export type Vertices = {
  /** Of a page: gates that are elsewhere have an id of a rim, too, which is no node's. */
  ids: Float64Array;
  gates: readonly GateAt[];
  /** What makes it one: MET. */
  met: Uint8Array;
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
  /** Parts of a centimetre at which it begins on its way (`lengths.ts`). */
  phases: Growing<Uint8Array>;
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
    phases: new Growing(Uint8Array),
    flags: new Growing(Uint8Array),
    shape: new Growing(Uint32Array),
    between: new Growing(Uint32Array),
  };
}

/**
 * Nodes that are an end of a way, that two ways share or one passes twice, or that are marked. Of a
 * page those in its cell, and its gates.
 */
export function findVertices(intake: WalkIntake): Vertices {
  const nodes = intake.nodes.view();
  const sorted = insideOf(intake).sort();
  const junctions = junctionsOf(intake, sorted);
  const bends = [...intake.bends].filter((id) => indexOf(sorted, id) >= 0);
  const met = united(junctions, bends);
  const metAt = (id: number): number =>
    indexOf(junctions, id) >= 0 ? MET.ways : indexOf(met, id) >= 0 ? MET.bend : MET.gate;
  const entrances = findEntrances(intake, metAt);
  const gates = [...findGates(intake), ...entrances];
  const ids = united(
    met,
    gates.map(({ id }) => id),
  );
  const points = new Int32Array(2 * ids.length);
  const all = intake.points.view();
  // Nodes of a way are often neighbours: each is looked for from where the one before it is.
  const places = SortedIds.from(ids);
  const at = filled(new Int32Array(nodes.length), (i) => places.find(nodes[i]!));
  for (let i = 0; i < at.length; i++) {
    const junction = at[i]!;
    if (junction < 0) continue;
    points[2 * junction] = all[2 * i]!;
    points[2 * junction + 1] = all[2 * i + 1]!;
  }
  for (const { id, lat7, lon7 } of entrances) points.set([lat7, lon7], 2 * indexOf(ids, id));
  const marks = filled(new Uint8Array(ids.length), (i) => intake.marksAt(ids[i]!));
  const listed = gates.map((gate) => ({ ...gate, vertex: indexOf(ids, gate.id) }));
  return sortByCells({
    ...{ ids, gates: listed, points, marks, at },
    met: filled(new Uint8Array(ids.length), (i) => metAt(ids[i]!)),
  });
}

/** Nodes of the ways that lie in the page's cell, a new list. */
function insideOf(intake: WalkIntake): Float64Array {
  const nodes = intake.nodes.view();
  if (intake.bounds === null) return nodes.slice();
  const inside = new Growing(Float64Array);
  for (let i = 0; i < nodes.length; i++) if (intake.isInside(i)) inside.push(nodes[i]!);
  return inside.view();
}

/** Sorted ids, and others, each once. */
function united(sorted: Float64Array, more: readonly number[]): Float64Array {
  if (more.length === 0) return sorted;
  const all = new Float64Array(sorted.length + more.length);
  all.set(sorted);
  all.set(more, sorted.length);
  return withoutRepeats(all.sort());
}

/** Of a sorted list each number once; the list is written over. */
export function withoutRepeats(sorted: Float64Array): Float64Array {
  let stored = 0;
  for (let i = 0; i < sorted.length; i++)
    if (i === 0 || sorted[i] !== sorted[i - 1]) sorted[stored++] = sorted[i]!;
  return sorted.subarray(0, stored);
}

function junctionsOf(intake: WalkIntake, sorted: Float64Array): Float64Array {
  const nodes = intake.nodes.view();
  const starts = intake.starts.view();
  const found = new Growing(Float64Array);
  const addEnd = (end: number): void => {
    if (intake.isInside(end)) found.push(nodes[end]!);
  };
  for (let i = 1; i < starts.length; i++) {
    addEnd(starts[i - 1]!);
    addEnd(starts[i]! - 1);
  }
  for (let i = 1; i < sorted.length; i++) if (sorted[i] === sorted[i - 1]) found.push(sorted[i]!);
  for (const id of intake.marked) if (indexOf(sorted, id) >= 0) found.push(id);
  return withoutRepeats(found.view().sort());
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
  return filled(new Uint32Array(count), (i) => words[2 * i]! & (MAX_VERTICES - 1));
}

function sortByCells({ ids, gates, met, points, marks, at }: Vertices): Vertices {
  const order = orderByKeys(ids.length, (i) => keyOf(points[2 * i]!, points[2 * i + 1]!));
  const sorted = new Int32Array(points.length);
  const places = new Int32Array(ids.length);
  order.forEach((from, to) => {
    places[from] = to;
    sorted[2 * to] = points[2 * from]!;
    sorted[2 * to + 1] = points[2 * from + 1]!;
  });
  return {
    ids: filled(new Float64Array(ids.length), (to) => ids[order[to]!]!),
    gates: gates.map((gate) => ({ ...gate, vertex: places[gate.vertex]! })),
    met: filled(new Uint8Array(ids.length), (to) => met[order[to]!]!),
    points: sorted,
    marks: filled(new Uint8Array(ids.length), (to) => marks[order[to]!]!),
    at: filled(at, (i) => (at[i]! < 0 ? -1 : places[at[i]!]!)),
  };
}

/** Finds a vertex by the id of its node. */
export function createVertexOf({ ids }: Vertices): (id: number) => number {
  const sorted = ids.slice().sort();
  const places = SortedIds.from(sorted);
  const numbers = new Uint32Array(ids.length);
  ids.forEach((id, number) => (numbers[places.find(id)] = number));
  return (id) => {
    const at = indexOf(sorted, id);
    return at < 0 ? -1 : numbers[at]!;
  };
}

/**
 * Cuts each way at its vertices. A piece that leads nowhere, of no length, is left out, and of a page
 * what neither begins nor ends in its cell.
 */
export function cutWays(intake: WalkIntake, vertices: Vertices, into: Edges): void {
  const [starts, points, flags] = [intake.starts.view(), intake.points.view(), intake.flags.view()];
  for (let way = 0; way < flags.length; way++) {
    let begin = starts[way]!;
    let from = vertices.at[begin]!;
    // From where the way begins, and to where the piece does.
    let [parts, parts_before] = [0, 0];
    for (let at = begin + 1; at < starts[way + 1]!; at++) {
      parts += partsBetween(
        points[2 * at - 2]!,
        points[2 * at - 1]!,
        points[2 * at]!,
        points[2 * at + 1]!,
      );
      const to = vertices.at[at]!;
      if (!intake.isInside(at) && !intake.isInside(at - 1)) {
        [begin, from, parts_before] = [at, to, parts];
        continue;
      }
      if (to < 0) continue;
      const length_cm = toCentimetres(parts) - toCentimetres(parts_before);
      if (from !== to || length_cm > 0) {
        into.from.push(from);
        into.to.push(to);
        into.length_cm.push(length_cm);
        into.phases.push(parts_before % PARTS);
        into.flags.push(flags[way]!);
        into.shape.push(begin + 1);
        into.between.push(at - begin - 1);
      }
      [begin, from, parts_before] = [at, to, parts];
    }
  }
}
