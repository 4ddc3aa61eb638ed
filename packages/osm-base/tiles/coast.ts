/**
 * The sea in a square of the grid, made of coastlines, which have the land on their left: it is closed
 * along the edge of the square. A line that breaks off in the square is led on straight to its edge.
 */
import { clipLine, clipRing } from "./clip.ts";
import { leadOut } from "./coast-ends.ts";
import type { TileBox, TilePoints } from "./grid.ts";
import { doubleArea, isInside, turned } from "./tile-rings.ts";
import type { Area } from "./tile-areas.ts";

/** Rings of the whole sea: outer ones turn clockwise on the map, islands the other way. */
type Sea = { outer: TilePoints[]; islands: TilePoints[] };

/**
 * The areas of the sea in a box, of the coastlines that may touch it; `isSea`: it is sea, or land, where
 * there are none.
 */
export function toSea(ways: readonly number[][], box: TileBox, isSea: boolean): Area[] {
  return toAreas(assemble(ways, box, isSea));
}

function clipAll(rings: readonly TilePoints[], box: TileBox): TilePoints[] {
  return rings.flatMap((ring) => {
    const clipped = clipRing(ring, box);
    return clipped.length >= 6 && doubleArea(clipped) !== 0 ? [clipped] : [];
  });
}

/** Gives each island to the part of the sea that it lies in. */
function toAreas({ outer, islands }: Sea): Area[] {
  const areas = outer.map((points) => [{ points, inner: false }]);
  for (const points of islands) {
    const home = outer.length === 1 ? 0 : outer.findIndex((ring) => liesIn(points, ring));
    areas[home]?.push({ points, inner: true });
  }
  return areas.filter((area) => {
    const land = area.slice(1).reduce((sum, { points }) => sum + Math.abs(doubleArea(points)), 0);
    return Math.abs(doubleArea(area[0]!.points)) > land;
  });
}

/** By the middle of an edge: a corner may lie on the other ring. */
function liesIn(ring: TilePoints, outer: TilePoints): boolean {
  const x = (ring[0]! + ring[2]!) / 2;
  const y = (ring[1]! + ring[3]!) / 2;
  return isInside(outer, x, y);
}

function assemble(ways: readonly number[][], box: TileBox, isSea: boolean): Sea {
  const chains = joinDirected(ways);
  const islands: number[][] = [];
  const lakes: number[][] = [];
  const open: number[][] = [];
  for (const chain of chains) {
    const last = chain.length - 2;
    const isClosed = chain.length > 6 && chain[0] === chain[last] && chain[1] === chain[last + 1];
    if (!isClosed) open.push(...clipLine(leadOn(chain, box), box));
    // Land is on the left: around an island the line turns against the clock.
    else if (doubleArea(chain.slice(0, -2)) < 0) islands.push(chain.slice(0, -2));
    else lakes.push(chain.slice(0, -2));
  }
  const land = clipAll(islands, box);
  const water = [...closeAlong(open, box), ...clipAll(lakes, box)];
  const hasNone = open.length + water.length === 0;
  const around = hasNone && (isSea || land.length > 0) ? [cornersOf(box)] : [];
  return { outer: [...water, ...around].map((ring) => turned(ring, true)), islands: land };
}

/** A chain whose ends are in the box, led on out of it. */
function leadOn(chain: number[], box: TileBox): number[] {
  const last = chain.length - 2;
  const [x0, y0] = [chain[0]!, chain[1]!];
  const [x1, y1] = [chain[last]!, chain[last + 1]!];
  const { before, after } = leadOut({ x0, y0, x1, y1 }, box);
  return [...(before ?? []), ...chain, ...(after ?? [])];
}

/** Joins lines from edge to edge by way of the edge, with the sea on the right. */
function closeAlong(lines: readonly number[][], box: TileBox): number[][] {
  const around = 2 * (box.maxX - box.minX + box.maxY - box.minY);
  const starts = lines
    .map((line, i) => ({ i, place: placeOnEdge(box, line[0]!, line[1]!) }))
    .sort((a, b) => a.place - b.place);
  const left = new Set(lines.keys());
  const rings: number[][] = [];
  while (left.size > 0) {
    const first = left.values().next().value!;
    const ring: number[] = [];
    let next: number | undefined = first;
    while (next !== undefined && left.delete(next)) {
      const line: number[] = lines[next]!;
      for (const each of line) ring.push(each);
      const from = placeOnEdge(box, line.at(-2)!, line.at(-1)!);
      const ahead = findStart(starts, from);
      const to = ahead.place >= from ? ahead.place : ahead.place + around;
      for (const { x, y } of cornersBetween(box, from, to, around)) ring.push(x, y);
      next = ahead.i;
    }
    if (ring.length >= 6) rings.push(ring);
  }
  return rings;
}

type Start = { i: number; place: number };

/** The first at or after a place, going around. */
function findStart(starts: readonly Start[], from: number): Start {
  let low = 0;
  let high = starts.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (starts[middle]!.place < from) low = middle + 1;
    else high = middle;
  }
  return starts[low] ?? starts[0]!;
}

/** Joins lines that begin where others end, in their direction. */
function joinDirected(ways: readonly number[][]): number[][] {
  const keyOf = (x: number, y: number): string => `${x} ${y}`;
  const byStart = new Map<string, number>();
  const ends = new Set<string>();
  ways.forEach((way, i) => {
    byStart.set(keyOf(way[0]!, way[1]!), i);
    ends.add(keyOf(way.at(-2)!, way.at(-1)!));
  });
  const used = new Uint8Array(ways.length);
  const follow = (first: number): number[] => {
    const chain: number[] = [];
    for (let next: number | undefined = first; next !== undefined && used[next] === 0;) {
      used[next] = 1;
      const way: number[] = ways[next]!;
      for (let i = chain.length > 0 ? 2 : 0; i < way.length; i++) chain.push(way[i]!);
      next = byStart.get(keyOf(way.at(-2)!, way.at(-1)!));
    }
    return chain;
  };
  // Those that nothing leads to first; what is left then are closed.
  const order = [...ways.keys()];
  const first = order.filter((i) => !ends.has(keyOf(ways[i]![0]!, ways[i]![1]!)));
  return [...first, ...order].flatMap((i) => (used[i] === 1 ? [] : [follow(i)]));
}

/** How far around the box an edge point is, clockwise on the map from its north-west corner. */
function placeOnEdge({ minX, minY, maxX, maxY }: TileBox, x: number, y: number): number {
  const [width, height] = [maxX - minX, maxY - minY];
  if (y === minY) return x - minX;
  if (x === maxX) return width + (y - minY);
  if (y === maxY) return width + height + (maxX - x);
  return 2 * width + height + (maxY - y);
}

function cornersBetween(
  box: TileBox,
  from: number,
  to: number,
  around: number,
): { place: number; x: number; y: number }[] {
  const { minX, minY, maxX, maxY } = box;
  const [width, height] = [maxX - minX, maxY - minY];
  const corners = [
    { place: 0, x: minX, y: minY },
    { place: width, x: maxX, y: minY },
    { place: width + height, x: maxX, y: maxY },
    { place: 2 * width + height, x: minX, y: maxY },
  ];
  const twice = [...corners, ...corners.map((each) => ({ ...each, place: each.place + around }))];
  return twice.filter(({ place }) => place > from && place < to);
}

function cornersOf({ minX, minY, maxX, maxY }: TileBox): number[] {
  return [minX, minY, maxX, minY, maxX, maxY, minX, maxY];
}
