/**
 * Squares are crossed from entrance to entrance: an edge joins two vertices of the rim wherever the
 * straight line between them stays inside.
 */
import { lengthOf, type Edges, type Vertices } from "./build-graph.ts";
import type { Square } from "./walk-intake.ts";

/** A rim of more vertices is crossed between these many of them, a longer rim is walked around. */
const MAX_ENTRANCES = 64;
const MAX_POINTS = 2_000;

type Point = readonly [x: number, y: number];

/** Adds the edges that cross the squares. Yields after each square. */
export function* crossSquares(
  squares: readonly Square[],
  { vertices, vertexOf }: { vertices: Vertices; vertexOf: (node: number) => number },
  edges: Edges,
): Generator<void> {
  for (const { rings, flags } of squares) {
    const size = rings.reduce((sum, { nodes }) => sum + nodes.length, 0);
    if (size > MAX_POINTS) continue;
    const rim_edges = listRimEdges(rings, vertexOf);
    const polygon = rings.map(({ points }) => cornersOf(points));
    const rim = rings.flatMap(({ nodes }) =>
      [...nodes].map(vertexOf).filter((vertex) => vertex >= 0),
    );
    const entrances = [...new Set(rim)];
    const step = Math.ceil(entrances.length / MAX_ENTRANCES);
    const chosen = entrances.filter((_, i) => i % step === 0);
    for (const [i, from] of chosen.entries())
      for (const to of chosen.slice(i + 1)) {
        if (rim_edges.has(keyOf(from, to))) continue;
        const line = Int32Array.of(...pointOf(vertices, from), ...pointOf(vertices, to));
        if (!staysInside([line[0]!, line[1]!], [line[2]!, line[3]!], polygon)) continue;
        edges.from.push(from);
        edges.to.push(to);
        edges.length_cm.push(lengthOf(line, 0, 1));
        edges.flags.push(flags);
        edges.shape.push(0);
        edges.between.push(0);
      }
    yield;
  }
}

/** Pairs of vertices that the rim joins by a straight line: an edge does so already. */
function listRimEdges(rings: Square["rings"], vertexOf: (node: number) => number): Set<string> {
  const keys = new Set<string>();
  for (const { nodes } of rings) {
    const vertices = [...nodes].map(vertexOf);
    vertices.forEach((vertex, i) => {
      if (i > 0 && vertex >= 0 && vertices[i - 1]! >= 0) keys.add(keyOf(vertices[i - 1]!, vertex));
    });
  }
  return keys;
}

function keyOf(a: number, b: number): string {
  return a < b ? `${a},${b}` : `${b},${a}`;
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
  for (const ring of rings)
    for (const [i, corner] of ring.entries()) {
      const next = ring[(i + 1) % ring.length]!;
      if (crosses(from, to, corner, next)) return false;
      const at = placeOn(corner, from, to);
      if (at !== null) touches.push(at);
    }
  touches.sort((a, b) => a - b);
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

function crosses(a: Point, b: Point, c: Point, d: Point): boolean {
  const isApart = (p: Point, q: Point, r: Point, s: Point): boolean =>
    turn(p, q, r) * turn(p, q, s) < 0;
  return isApart(a, b, c, d) && isApart(c, d, a, b);
}

/** Where on a line a point lies, 0 to 1; null: next to it. */
function placeOn(point: Point, from: Point, to: Point): number | null {
  if (turn(from, to, point) !== 0) return null;
  const axis = Math.abs(to[0] - from[0]) > Math.abs(to[1] - from[1]) ? 0 : 1;
  const length = to[axis] - from[axis];
  const at = length === 0 ? -1 : (point[axis] - from[axis]) / length;
  return at > 0 && at < 1 ? at : null;
}

/** Whether a point is in a polygon with holes, its rim included. */
function isInside(point: Point, rings: readonly (readonly Point[])[]): boolean {
  let inside = false;
  for (const ring of rings)
    for (const [i, a] of ring.entries()) {
      const b = ring[(i + 1) % ring.length]!;
      if (turn(a, b, point) === 0 && isBetween(point, a, b)) return true;
      if (a[1] > point[1] === b[1] > point[1]) continue;
      const x = a[0] + ((b[0] - a[0]) * (point[1] - a[1])) / (b[1] - a[1]);
      if (point[0] < x) inside = !inside;
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
