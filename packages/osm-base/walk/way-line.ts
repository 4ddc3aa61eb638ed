/** The line of a way that a search has found. */
import type { WalkGraph } from "./walk-graph.ts";
import type { Walk, WalkSearch } from "./walk-search.ts";
import type { Snap } from "./snap.ts";

type Line = [lat7: number, lon7: number][];

/**
 * Points of a way of the newest search, from its start to the target, both included. Coordinates in
 * ten-millionths of a degree.
 */
export function lineOf(
  graph: WalkGraph,
  search: WalkSearch,
  { from, target, walk: { by } }: { from: Snap; target: Snap; walk: Walk },
): Line {
  if (by === null) return pieceOf(graph, from.edge, [from, target]);
  const edges = search.edgesTo(by);
  // The vertices from the start on, which the edges join.
  const vertices = [by];
  for (const edge of edges.toReversed()) vertices.unshift(otherEnd(graph, edge, vertices[0]!));
  const line = towards(graph, from, vertices[0]!);
  edges.forEach((edge, i) => {
    const piece = graph.lineOf(edge);
    line.push(...(graph.startOf(edge) === vertices[i]! ? piece : piece.toReversed()).slice(1));
  });
  line.push(...towards(graph, target, by).toReversed().slice(1));
  return line;
}

function otherEnd(graph: WalkGraph, edge: number, vertex: number): number {
  const start = graph.startOf(edge);
  return start === vertex ? graph.columns.to[edge]! : start;
}

/** From a point on its edge to one of the edge's ends. Of an edge back to itself, the shorter part. */
function towards(graph: WalkGraph, at: Snap, vertex: number): Line {
  const isLoop = at.from === at.to;
  const toStart = isLoop ? at.from_cm <= at.to_cm : vertex === at.from;
  const line = graph.lineOf(at.edge);
  const cut = placeOf(line, at);
  const rest = toStart ? line.slice(0, cut).toReversed() : line.slice(cut);
  return withoutRepeats([[at.lat7, at.lon7], ...rest]);
}

/** The part of an edge between two points on it. */
function pieceOf(graph: WalkGraph, edge: number, [from, to]: readonly [Snap, Snap]): Line {
  const line = graph.lineOf(edge);
  const [first, last] = from.from_cm <= to.from_cm ? [from, to] : [to, from];
  const between = line.slice(placeOf(line, first), placeOf(line, last));
  const piece: Line = withoutRepeats([
    [first.lat7, first.lon7],
    ...between,
    [last.lat7, last.lon7],
  ]);
  return first === from ? piece : piece.toReversed();
}

/** Number of the first point of a line that lies beyond a point on it. */
function placeOf(line: Line, { from_cm, to_cm }: Snap): number {
  const parts = line.map((point, i) => (i === 0 ? 0 : planeLength(line[i - 1]!, point)));
  const whole = parts.reduce((sum, part) => sum + part, 0);
  let left = (whole * from_cm) / Math.max(1, from_cm + to_cm);
  for (let i = 1; i < line.length; i++) {
    if (left < parts[i]!) return i;
    left -= parts[i]!;
  }
  return line.length;
}

function planeLength(a: readonly [number, number], b: readonly [number, number]): number {
  const scale = Math.cos((a[0] / 1e7) * (Math.PI / 180));
  return Math.hypot(b[0] - a[0], (b[1] - a[1]) * scale);
}

function withoutRepeats(line: Line): Line {
  return line.filter(
    ([lat7, lon7], i) => i === 0 || lat7 !== line[i - 1]![0] || lon7 !== line[i - 1]![1],
  );
}
