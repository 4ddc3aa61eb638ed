/**
 * What can be reached, as polygons: squares of the ground that reached edges pass, and those next to
 * them, are joined, and their rim is followed. A street is reached, and so are the doors along it.
 */
import { METRES_PER_DEGREE } from "#kit/geo.ts";
import type { WalkGraph } from "./walk-graph.ts";
import { isOpen, type Profile } from "./walk-layout.ts";
import type { WalkSearch } from "./walk-search.ts";
import type { Snap } from "./snap.ts";

/** Closed ring of [lon, lat] in degrees. */
type Ring = [lon: number, lat: number][];
/** Of each polygon the outer ring, counter-clockwise, then its holes, clockwise (RFC 7946). */
export type Outline = Ring[][];

/** Metres of a square's side. */
const SQUARE_M = 25;
/** A hole of fewer squares is a block of houses or a garden, not a place that is out of reach. */
const LEAST_HOLE = 16;
const METRES_PER_UNIT = METRES_PER_DEGREE / 1e7;

type Wish = { most_cm: number; profile: Profile };

/** Polygons of what the newest search of `reach` has reached from a point. */
export function outlineOf(graph: WalkGraph, search: WalkSearch, from: Snap, wish: Wish): Outline {
  const raster = new Raster(from, wish.most_cm);
  raster.mark(from.lat7, from.lon7);
  const { out, to } = graph.columns;
  const mark = (edge: number, start: number, end: number): void =>
    markPart(raster, graph, edge, {
      ...wish,
      from_cm: search.costOf(start),
      to_cm: search.costOf(end),
    });
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

/** Marks what of an edge can be reached from its ends; null: that end is not reached. */
function markPart(
  raster: Raster,
  graph: WalkGraph,
  edge: number,
  { most_cm, profile, from_cm, to_cm }: Wish & { from_cm: number | null; to_cm: number | null },
): void {
  if (!isOpen(graph.columns.edges[edge]!, profile)) return;
  const length_cm = graph.lengthOf(edge);
  const before = from_cm === null ? -1 : most_cm - from_cm;
  const after = to_cm === null ? Infinity : length_cm - (most_cm - to_cm);
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
      if (at_cm > before && at_cm < after) continue;
      raster.mark(a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share);
    }
    done += piece;
  });
}

/** Squares around a point, row by row from the south-west. A way is no longer than the beeline is wide. */
class Raster {
  readonly #origin: { lat7: number; lon7: number };
  /** Ten-millionths of a degree of a square's sides. */
  readonly #side: { lat7: number; lon7: number };
  readonly #scale: number;
  readonly #half: number;
  readonly #width: number;
  readonly #marked: Uint8Array;

  constructor(origin: { lat7: number; lon7: number }, most_cm: number) {
    this.#origin = origin;
    this.#scale = Math.max(1e-3, Math.cos((origin.lat7 / 1e7) * (Math.PI / 180)));
    const side = SQUARE_M / METRES_PER_UNIT;
    this.#side = { lat7: side, lon7: side / this.#scale };
    this.#half = Math.ceil(most_cm / 100 / SQUARE_M) + 3;
    this.#width = 2 * this.#half;
    this.#marked = new Uint8Array(this.#width ** 2);
  }

  /** Metres between two points. */
  lengthOf(a: readonly [number, number], b: readonly [number, number]): number {
    return Math.hypot(b[0] - a[0], (b[1] - a[1]) * this.#scale) * METRES_PER_UNIT;
  }

  mark(lat7: number, lon7: number): void {
    const row = Math.floor((lat7 - this.#origin.lat7) / this.#side.lat7) + this.#half;
    const column = Math.floor((lon7 - this.#origin.lon7) / this.#side.lon7) + this.#half;
    const last = this.#width - 2;
    if (row < 2 || column < 2 || row >= last || column >= last) return;
    for (let i = -1; i <= 1; i++)
      for (let j = -1; j <= 1; j++) this.#marked[(row + i) * this.#width + column + j] = 1;
  }

  toOutline(): Outline {
    fillHoles(this.#marked, this.#width);
    const rings = followRims(this.#marked, this.#width).map((ring) =>
      ring.map(([row, column]): [number, number] => [
        toDegrees(this.#origin.lon7 + (column - this.#half) * this.#side.lon7),
        toDegrees(this.#origin.lat7 + (row - this.#half) * this.#side.lat7),
      ]),
    );
    const polygons: Outline = rings.filter((ring) => areaOf(ring) > 0).map((ring) => [ring]);
    for (const hole of rings.filter((ring) => areaOf(ring) <= 0)) {
      const around = polygons
        .filter(([outer]) => isInside(hole[0]!, outer!))
        .toSorted(([a], [b]) => areaOf(a!) - areaOf(b!))[0];
      around?.push(hole);
    }
    return polygons.toSorted(([a], [b]) => areaOf(b!) - areaOf(a!));
  }
}

/** A metre is a hundred-thousandth of a degree: no digit more is known. */
function toDegrees(units: number): number {
  return Math.round(units / 10) / 1e6;
}

/** Marks what is enclosed by marked squares and small. */
function fillHoles(marked: Uint8Array, width: number): void {
  const seen = new Uint8Array(marked.length);
  for (let start = 0; start < marked.length; start++) {
    if (marked[start] || seen[start]) continue;
    const part = [start];
    seen[start] = 1;
    for (const at of part)
      for (const next of [at - 1, at + 1, at - width, at + width])
        if (marked[next] === 0 && seen[next] === 0) {
          seen[next] = 1;
          part.push(next);
        }
    if (part.length < LEAST_HOLE) for (const at of part) marked[at] = 1;
  }
}

type Corner = [row: number, column: number];

/** Rings around the squares, these on the left; corners as [row, column], the first again last. */
function followRims(marked: Uint8Array, width: number): Corner[][] {
  const next = new Map<number, number[]>();
  const add = (from: number, to: number): void => {
    const known = next.get(from);
    if (known) known.push(to);
    else next.set(from, [to]);
  };
  marked.forEach((is, key) => {
    if (!is) return;
    const [south_east, north_west] = [key + 1, key + width];
    if (!marked[key - width]) add(key, south_east);
    if (!marked[key + 1]) add(south_east, north_west + 1);
    if (!marked[key + width]) add(north_west + 1, north_west);
    if (!marked[key - 1]) add(north_west, key);
  });
  const rings: Corner[][] = [];
  for (const [start, ends] of next)
    while (ends.length > 0)
      rings.push(
        followRim(next, start, width).map((key) => [Math.floor(key / width), key % width]),
      );
  return rings;
}

function followRim(next: Map<number, number[]>, start: number, width: number): number[] {
  const corners = [start];
  let [before, at] = [start, next.get(start)!.pop()!];
  while (at !== start) {
    const ends = next.get(at)!;
    // Where two squares touch at a corner, the ring turns left: they stay apart.
    const left = at + leftOf(at - before, width);
    const end = ends.length > 1 && ends.includes(left) ? left : ends.at(-1)!;
    ends.splice(ends.indexOf(end), 1);
    if (end - at !== at - before) corners.push(at);
    [before, at] = [at, end];
  }
  corners.push(start);
  return corners;
}

function leftOf(step: number, width: number): number {
  if (step === 1) return width;
  if (step === width) return -1;
  return step === -1 ? -width : 1;
}

/** Twice the area in square degrees, positive counter-clockwise. */
function areaOf(ring: Ring): number {
  let sum = 0;
  for (let i = 1; i < ring.length; i++)
    sum += ring[i - 1]![0] * ring[i]![1] - ring[i]![0] * ring[i - 1]![1];
  return sum;
}

function isInside([x, y]: readonly [number, number], ring: Ring): boolean {
  let inside = false;
  for (let i = 1; i < ring.length; i++) {
    const [[ax, ay], [bx, by]] = [ring[i - 1]!, ring[i]!];
    if (ay > y !== by > y && x < ax + ((bx - ax) * (y - ay)) / (by - ay)) inside = !inside;
  }
  return inside;
}
