/**
 * What can be reached, as polygons: squares of the ground that reached edges pass, and those next to
 * them, are joined, and their rim is followed.
 */
import type { WalkGraph } from "./walk-graph.ts";
import { type Outline, Raster, SQUARE_M } from "./raster.ts";
import { closedTo, isOpen, type Profile } from "./walk-layout.ts";
import type { WalkSearch } from "./walk-search.ts";
import type { Snap } from "./snap.ts";

type Wish = { most_cm: number; profile: Profile };

/** Polygons of what the newest search of `reach` has reached from a point. */
export function outlineOf(graph: WalkGraph, search: WalkSearch, from: Snap, wish: Wish): Outline {
  const { most_cm, profile } = wish;
  const raster = new Raster(from, most_cm / 100);
  raster.mark(from.lat7, from.lon7);
  const { out, to, edges, marks } = graph.columns;
  /** Centimetres left at a vertex, below 0: it is not passed. */
  const leftAt = (vertex: number): number => {
    const cost = (marks[vertex]! & closedTo(profile)) === 0 ? search.costOf(vertex) : null;
    return cost === null ? -1 : most_cm - cost;
  };
  const mark = (edge: number, start: number, end: number): void => {
    if (!isOpen(edges[edge]!, profile)) return;
    const length_cm = graph.lengthOf(edge);
    const [before, after] = [leftAt(start), length_cm - leftAt(end)];
    markPart(raster, graph, edge, (at_cm) => at_cm <= before || at_cm >= after);
  };
  if (isOpen(edges[from.edge]!, profile))
    markPart(raster, graph, from.edge, (at_cm) => Math.abs(at_cm - from.from_cm) <= most_cm);
  for (const vertex of search.reached()) {
    raster.mark(...graph.pointOf(vertex));
    for (let edge = out[vertex]!; edge < out[vertex + 1]!; edge++) mark(edge, vertex, to[edge]!);
    // What arrives from a vertex that is reached was marked there.
    for (const start of graph.arrivalsAt(vertex))
      if (search.costOf(start) === null)
        for (let edge = out[start]!; edge < out[start + 1]!; edge++)
          if (to[edge] === vertex) mark(edge, start, vertex);
  }
  return raster.toOutline();
}

/** Marks what of an edge is reached, by the way along it. */
function markPart(
  raster: Raster,
  graph: WalkGraph,
  edge: number,
  isReached: (at_cm: number) => boolean,
): void {
  const length_cm = graph.lengthOf(edge);
  const line = graph.lineOf(edge);
  const pieces = line.slice(1).map((point, i) => raster.lengthOf(line[i]!, point));
  const all = pieces.reduce((sum, piece) => sum + piece, 0);
  let done = 0;
  pieces.forEach((piece, i) => {
    const [a, b] = [line[i]!, line[i + 1]!];
    const steps = Math.max(1, Math.ceil(piece / (SQUARE_M / 2)));
    for (let step = 0; step <= steps; step++) {
      const share = step / steps;
      const at_cm = all === 0 ? 0 : ((done + piece * share) / all) * length_cm;
      if (isReached(at_cm)) raster.mark(a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share);
    }
    done += piece;
  });
}
