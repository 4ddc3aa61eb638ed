/**
 * What can be reached, as polygons: squares of the ground that reached edges pass, and those next to
 * them, are joined, and their rim is followed.
 */
import type { Placed } from "./paged-search.ts";
import { Raster, SQUARE_M } from "./raster.ts";
import { isAhead } from "./snap.ts";
import type { WalkGraph } from "./walk-graph.ts";
import { isOpen, ISLAND, type Profile } from "./walk-layout.ts";
import type { WalkSearch } from "./walk-search.ts";

type Wish = { most_cm: number; profile: Profile };

/** Squares that the newest search of `reach` has reached from a point, in all its pages. */
export function squaresOf(pages: readonly WalkSearch[], from: Placed, wish: Wish): Raster {
  const { most_cm, profile } = wish;
  const raster = new Raster(from.at, most_cm / 100);
  raster.mark(from.at.lat7, from.at.lon7);
  const { graph } = pages[from.page]!;
  if (isOpen(graph.columns.edges[from.at.edge]!, profile))
    markPart(raster, graph, from.at.edge, (at_cm) => Math.abs(at_cm - from.at.from_cm) <= most_cm);
  for (const page of pages) markPage(raster, page, wish);
  return raster;
}

function markPage(raster: Raster, search: WalkSearch, { most_cm, profile }: Wish): void {
  const { graph } = search;
  const { out, to, edges, marks } = graph.columns;
  /** Centimetres left at a vertex, below 0: it is not passed. */
  const leftAt = (vertex: number): number => {
    const cost = search.costOf(vertex);
    return cost === null || search.leftWith(vertex) === null ? -1 : most_cm - cost;
  };
  // Nothing leads to an island, but to what looks as if a square were entered there.
  const isIsland = (vertex: number): boolean => (marks[vertex]! & ISLAND) !== 0;
  const mark = (edge: number, start: number, end: number): void => {
    if (!isOpen(edges[edge]!, profile) || isIsland(start) || isIsland(end)) return;
    const length_cm = graph.lengthOf(edge);
    const [before, after] = [leftAt(start), length_cm - leftAt(end)];
    markPart(raster, graph, edge, (at_cm) => at_cm <= before || at_cm >= after);
  };
  for (const vertex of search.reached()) {
    if (!isIsland(vertex)) raster.mark(...graph.pointOf(vertex));
    for (let edge = out[vertex]!; edge < out[vertex + 1]!; edge++) mark(edge, vertex, to[edge]!);
    // What arrives from a vertex that is reached was marked there.
    for (const start of graph.arrivalsAt(vertex))
      if (search.costOf(start) === null)
        for (let edge = out[start]!; edge < out[start + 1]!; edge++)
          if (to[edge] === vertex) mark(edge, start, vertex);
  }
}

/** Marks what of an edge is reached, by the way along it: at the same points however it is cut. */
function markPart(
  raster: Raster,
  graph: WalkGraph,
  edge: number,
  isReached: (at_cm: number) => boolean,
): void {
  const line = graph.lineOf(edge);
  const places = graph.placesOn(edge, line);
  for (let i = 1; i < line.length; i++) {
    const isBackwards = isAhead(line[i]!, line[i - 1]!);
    const [first, last] = isBackwards ? [i, i - 1] : [i - 1, i];
    const [a, b] = [line[first]!, line[last]!];
    const length_cm = places[i]! - places[i - 1]!;
    const steps = Math.max(1, Math.ceil(raster.lengthOf(a, b) / (SQUARE_M / 2)));
    for (let step = 0; step <= steps; step++) {
      const share = step / steps;
      const so_far = Math.round(share * length_cm);
      if (isReached(places[first]! + (isBackwards ? -so_far : so_far)))
        raster.mark(a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share);
    }
  }
}
