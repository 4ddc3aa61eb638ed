/**
 * Squares are crossed from entrance to entrance: an edge joins two vertices of the rim wherever the
 * straight line between them stays inside.
 */
import type { Edges, Vertices } from "./build-graph.ts";
import { chooseEntrances, MET } from "./entrances.ts";
import { keyOfEntrance, keyOfPlace } from "./gates.ts";
import { partsBetween, toCentimetres } from "./lengths.ts";
import type { Square } from "./walk-intake.ts";
import type { GateKey } from "./walk-layout.ts";

/** A longer rim is walked around. */
const MAX_POINTS = 2_000;

type Point = readonly [x: number, y: number];

/** A node of a rim, in the order of the rim; `isOwn`: it lies in the page's cell. */
type Entrance = { node: number; vertex: number; isOwn: boolean };

/**
 * Adds the edges that cross the squares. Of a page: from the entrances in its cell to each other, and
 * to what follows on the rim elsewhere. Yields after each square.
 */
export function* crossSquares(
  squares: readonly Square[],
  { vertices, vertexOf }: { vertices: Vertices; vertexOf: (node: number) => number },
  edges: Edges,
): Generator<void> {
  const elsewhere = new Map<GateKey, number>();
  for (const { key, vertex, isOwn, isEntrance } of vertices.gates)
    if (isEntrance && !isOwn) elsewhere.set(key, vertex);
  const metAt = (node: number): number => {
    const vertex = vertexOf(node);
    return vertex < 0 ? MET.gate : vertices.met[vertex]!;
  };
  for (const square of squares) {
    const { rings, flags, isArea } = square;
    const size = rings.reduce((sum, { nodes }) => sum + nodes.length, 0);
    if (size > MAX_POINTS) continue;
    const neighbours = listNeighbours(rings);
    const polygon = rings.map(({ points }) => cornersOf(points));
    const own = chooseEntrances(square, metAt);
    const entrances = new Map<number, Entrance>();
    for (const { nodes, points } of rings)
      nodes.forEach((node, i) => {
        const key = isArea ? keyOfPlace(points[2 * i]!, points[2 * i + 1]!) : node;
        const other = elsewhere.get(keyOfEntrance(key));
        if (other !== undefined) entrances.set(node, { node, vertex: other, isOwn: false });
        else if (own.has(node)) entrances.set(node, { node, vertex: vertexOf(node), isOwn: true });
      });
    const chosen = [...entrances.values()];
    for (const [i, from] of chosen.entries()) {
      if (!from.isOwn) continue;
      const near = neighbours.get(from.node) ?? [];
      const one = pointOf(vertices, from.vertex);
      for (const to of chosen.slice(i + 1)) {
        const other = pointOf(vertices, to.vertex);
        if (near.includes(to.node) || !staysInside(one, other, polygon)) continue;
        edges.from.push(from.vertex);
        edges.to.push(to.vertex);
        edges.length_cm.push(toCentimetres(partsBetween(...one, ...other)));
        edges.phases.push(0);
        edges.flags.push(flags);
        edges.shape.push(0);
        edges.between.push(0);
      }
    }
    yield;
  }
}

/** Nodes that follow one another on the rim: an edge joins them already. */
function listNeighbours(rings: Square["rings"]): Map<number, number[]> {
  const neighbours = new Map<number, number[]>();
  const add = (from: number, to: number): void => {
    const known = neighbours.get(from);
    if (known) known.push(to);
    else neighbours.set(from, [to]);
  };
  for (const { nodes } of rings)
    for (let i = 1; i < nodes.length; i++) {
      add(nodes[i - 1]!, nodes[i]!);
      add(nodes[i]!, nodes[i - 1]!);
    }
  return neighbours;
}

function pointOf({ points }: Vertices, vertex: number): Point {
  return [points[2 * vertex]!, points[2 * vertex + 1]!];
}

/** Corners of a ring, each once. */
function cornersOf(ring: Int32Array): Point[] {
  const count = ring.length / 2 - 1;
  return Array.from({ length: count }, (_, i) => [ring[2 * i]!, ring[2 * i + 1]!]);
}

/** Whether no part of the line between two corners is outside of a polygon with holes. */
function staysInside(from: Point, to: Point, rings: readonly (readonly Point[])[]): boolean {
  const touches = [0, 1];
  for (const ring of rings) {
    let before = ring.at(-1)!;
    let side_before = turn(from, to, before);
    for (let i = 0; i < ring.length; i++) {
      const corner = ring[i]!;
      const side = turn(from, to, corner);
      if (side === 0) {
        const at = placeOn(corner, from, to);
        if (at !== null) touches.push(at);
      } else if (
        side * side_before < 0 &&
        turn(before, corner, from) * turn(before, corner, to) < 0
      )
        return false;
      before = corner;
      side_before = side;
    }
  }
  if (touches.length > 2) touches.sort((a, b) => a - b);
  return touches.every((at, i) => {
    const middle = (at + (touches[i - 1] ?? at)) / 2;
    if (i === 0 || at === touches[i - 1]) return true;
    return isInside(
      [from[0] + (to[0] - from[0]) * middle, from[1] + (to[1] - from[1]) * middle],
      rings,
    );
  });
}

/** Twice the area of a triangle, positive when it turns left. */
function turn(a: Point, b: Point, c: Point): number {
  return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

/** Where on a line a point of its direction lies, 0 to 1; null: not between its ends. */
function placeOn(point: Point, from: Point, to: Point): number | null {
  const axis = Math.abs(to[0] - from[0]) > Math.abs(to[1] - from[1]) ? 0 : 1;
  const length = to[axis] - from[axis];
  const at = length === 0 ? -1 : (point[axis] - from[axis]) / length;
  return at > 0 && at < 1 ? at : null;
}

/** Whether a point is in a polygon with holes, its rim included. */
function isInside(point: Point, rings: readonly (readonly Point[])[]): boolean {
  let inside = false;
  for (const ring of rings) {
    let a = ring.at(-1)!;
    for (const b of ring) {
      if (turn(a, b, point) === 0 && isBetween(point, a, b)) return true;
      if (a[1] > point[1] !== b[1] > point[1]) {
        const x = a[0] + ((b[0] - a[0]) * (point[1] - a[1])) / (b[1] - a[1]);
        if (point[0] < x) inside = !inside;
      }
      a = b;
    }
  }
  return inside;
}

function isBetween(point: Point, a: Point, b: Point): boolean {
  return (
    Math.min(a[0], b[0]) <= point[0] &&
    point[0] <= Math.max(a[0], b[0]) &&
    Math.min(a[1], b[1]) <= point[1] &&
    point[1] <= Math.max(a[1], b[1])
  );
}
