/** The line of a way that a search has found. */
import { isOpen, EDGE } from "./walk-layout.ts";
import type { PagedSearch, Place, Placed } from "./paged-search.ts";
import { isAhead, type Snap } from "./snap.ts";
import type { Walk } from "./walk-ends.ts";
import type { WalkGraph } from "./walk-graph.ts";

type Point = [lat7: number, lon7: number];
type Line = Point[];

/** How a vertex is come to: by an edge from another one, or from the start. */
type Arrival = {
  /** The point before the vertex. */
  before: Point;
  by: { page: number; edge: number; vertex: number; start: Place } | { isFromTo: boolean };
};

/**
 * Points of a way of the newest search, from its start to the target, both included. Coordinates in
 * ten-millionths of a degree. Of ways that are as long it is the same one, however the pages are cut.
 */
export function lineOf(
  search: PagedSearch,
  { from, target, walk }: { from: Placed; target: Placed; walk: Walk },
): Line {
  const ends = [from, target].map(({ page }) => search.pages[page]!.graph);
  if (walk.by === null) return pieceOf(ends[0]!, from.at.edge, [from.at, target.at]);
  const pieces: Line[] = [];
  const seen = new Set<string>();
  let at = search.homeOf({ page: target.page, vertex: walk.by });
  let line: Line | null = null;
  for (let arrival = arrivalAt(search, from, at); arrival !== null && line === null;) {
    const { by } = arrival;
    if ("isFromTo" in by) line = towards(ends[0]!, from.at, by.isFromTo);
    else {
      const { graph } = search.pages[by.page]!;
      const piece = graph.lineOf(by.edge);
      pieces.push(graph.startOf(by.edge) === by.vertex ? piece.toReversed() : piece);
      at = search.homeOf(by.start);
      // Edges of no length may lead in circles.
      const key = `${at.page} ${at.vertex}`;
      arrival = seen.has(key) ? null : arrivalAt(search, from, at);
      seen.add(key);
    }
  }
  line ??= [[from.at.lat7, from.at.lon7]];
  for (const piece of pieces.toReversed()) line.push(...piece.slice(1));
  line.push(...towards(ends[1]!, target.at, walk.isFromTo).toReversed().slice(1));
  return line;
}

/** The last stretch of the way to a vertex; null: none is known. */
function arrivalAt(search: PagedSearch, from: Placed, home: Place): Arrival | null {
  const page = search.pages[home.page]!;
  const cost = page.costOf(home.vertex);
  if (cost === null) return null;
  const most = { cost, steps: page.stepsTo(home.vertex) };
  const places = search.listPlaces(home);
  const arrivals = places.flatMap((place) => [
    ...listStarts(search, from, place, most),
    ...listArrivals(search, place, most),
  ]);
  const first = arrivals.reduce<Arrival | null>(
    (best, each) => (best === null || isAhead(each.before, best.before) ? each : best),
    null,
  );
  return first ?? arrivalByLabel(search, places);
}

type Most = { cost: number; steps: number };

function listStarts(search: PagedSearch, from: Placed, { page, vertex }: Place, most: Most) {
  const { at } = from;
  const { graph } = search.pages[page]!;
  if (page !== from.page || (at.from !== vertex && at.to !== vertex)) return [];
  if ((graph.columns.edges[at.edge]! & EDGE.steps) > most.steps) return [];
  const line = graph.lineOf(at.edge);
  const starts: Arrival[] = [];
  if (at.from === vertex && at.from_cm === most.cost)
    starts.push({ before: line[1]!, by: { isFromTo: false } });
  if (at.to === vertex && at.to_cm === most.cost)
    starts.push({ before: line.at(-2)!, by: { isFromTo: true } });
  return starts;
}

/** Those by edges that have a length. */
function listArrivals(search: PagedSearch, { page, vertex }: Place, most: Most): Arrival[] {
  const walked = search.pages[page]!;
  const { graph } = walked;
  const { edges } = graph.columns;
  return graph.edgesAt(vertex).flatMap(({ edge, other }) => {
    const length_cm = graph.lengthOf(edge);
    const isWay =
      length_cm > 0 &&
      isOpen(edges[edge]!, search.profile) &&
      (edges[edge]! & EDGE.steps) <= most.steps &&
      walked.costOf(other) === most.cost - length_cm;
    const steps = isWay ? walked.leftWith(other) : null;
    if (steps === null || steps > most.steps) return [];
    return [toArrival(graph, { page, edge, vertex, start: { page, vertex: other } })];
  });
}

function toArrival(
  graph: WalkGraph,
  by: { page: number; edge: number; vertex: number; start: Place },
): Arrival {
  const line = graph.lineOf(by.edge);
  const before = graph.startOf(by.edge) === by.vertex ? line[1]! : line.at(-2)!;
  return { before, by };
}

function arrivalByLabel(search: PagedSearch, places: readonly Place[]): Arrival | null {
  for (const { page, vertex } of places) {
    const { graph } = search.pages[page]!;
    const edge = search.pages[page]!.edgeTo(vertex);
    if (edge === null) continue;
    const start = graph.startOf(edge);
    const other = start === vertex ? graph.columns.to[edge]! : start;
    return toArrival(graph, { page, edge, vertex, start: { page, vertex: other } });
  }
  return null;
}

/** From a point on its edge to the end `to`, or to the end `from`. */
function towards(graph: WalkGraph, at: Snap, isToTo: boolean): Line {
  const line = graph.lineOf(at.edge);
  const cut = placeOf(graph, line, at);
  const rest = isToTo ? line.slice(cut) : line.slice(0, cut).toReversed();
  return withoutRepeats([[at.lat7, at.lon7], ...rest]);
}

/** The part of an edge between two points on it. */
function pieceOf(graph: WalkGraph, edge: number, [from, to]: readonly [Snap, Snap]): Line {
  const line = graph.lineOf(edge);
  const [first, last] = from.from_cm <= to.from_cm ? [from, to] : [to, from];
  const between = line.slice(placeOf(graph, line, first), placeOf(graph, line, last));
  const piece: Line = withoutRepeats([
    [first.lat7, first.lon7],
    ...between,
    [last.lat7, last.lon7],
  ]);
  return first === from ? piece : piece.toReversed();
}

/** Number of the first point of a line that lies beyond a point on it. */
function placeOf(graph: WalkGraph, line: Line, { edge, piece, from_cm }: Snap): number {
  if (piece !== undefined) return piece + 1;
  const beyond = graph.placesOn(edge, line).findIndex((place, i) => i > 0 && place > from_cm);
  return beyond < 0 ? line.length : beyond;
}

function withoutRepeats(line: Line): Line {
  return line.filter(
    ([lat7, lon7], i) => i === 0 || lat7 !== line[i - 1]![0] || lon7 !== line[i - 1]![1],
  );
}
