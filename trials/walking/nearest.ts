/**
 * The nearest place on foot, for the addresses of an extract: as a search by the loop of a textbook over
 * all vertices finds it, without bounds, buckets or parts; and how often the nearest by the straight
 * line is another one.
 */
import { basename } from "node:path";
import { importBase } from "#osm/index.ts";
import { openPack } from "#osm/imports.ts";
import type { BaseSection } from "#osm/index.ts";
import {
  createSnapBudget,
  createWalkSection,
  findDoors,
  metresBetween,
  openWalk,
  type Snap,
  snap,
  Walker,
  type WalkGraph,
  type WalkMeta,
} from "#osm/walking.ts";
import { distance_m } from "#kit/geo.ts";

type Point = { lat: number; lon: number };
type Kind = (typeof KINDS)[number];
type Tags = ReadonlyMap<string, string>;

const KINDS = ["aed", "bus stop", "parking", "toilets", "water"] as const;
const IS: Readonly<Record<Kind, (tags: Tags) => boolean>> = {
  aed: (tags) => tags.get("emergency") === "defibrillator",
  "bus stop": (tags) => tags.get("highway") === "bus_stop",
  parking: (tags) => tags.get("amenity") === "parking",
  toilets: (tags) => tags.get("amenity") === "toilets",
  water: (tags) => tags.get("amenity") === "drinking_water",
};
/** As a question has them at most (LIMITS.walk). */
const MOST_M = 4_500;
const MOST_SNAP_M = 100;
const SAME_M = 0.05;
/** What is further by less is as near: the map is not more exact. */
const FURTHER_M = 1;

type Row = { kind: Kind; addresses: number; differ: number; other: number; further_m: number[] };

/** Prints a table of each extract; resolves to the number of differences. */
export async function compareNearest(paths: readonly string[], most: number): Promise<number> {
  console.log(
    "| extract | kind | places | addresses | beeline wrong | further, median | 90 % | differ |",
  );
  console.log("|---|---|---:|---:|---:|---:|---:|---:|");
  let differences = 0;
  for (const path of paths) {
    const { graph, addresses, places } = await load(path);
    const step = Math.max(1, Math.ceil(addresses.length / most));
    const starts = addresses.filter((_, i) => i % step === 0);
    if (starts.length < 50) continue;
    for (const row of compareExtract(graph, starts, places)) {
      differences += row.differ;
      // One place is the nearest by either.
      if (places[row.kind].length < 2 || row.addresses === 0) continue;
      const quantile = (q: number): string => {
        const sorted = row.further_m.toSorted((a, b) => a - b);
        return sorted.length === 0
          ? "–"
          : `${Math.round(sorted[Math.floor(q * sorted.length)]!)} m`;
      };
      const share =
        row.addresses === 0 ? "–" : `${((100 * row.other) / row.addresses).toFixed(1)} %`;
      console.log(
        `| ${basename(path, ".osm.pbf")} | ${row.kind} | ${places[row.kind].length} | ${row.addresses} | ${share} | ${quantile(0.5)} | ${quantile(0.9)} | ${row.differ} |`,
      );
    }
  }
  return differences;
}

/** The graph as a base has it, the addresses and the places of each kind. */
async function load(path: string) {
  const addresses: Point[] = [];
  const places = Object.fromEntries(KINDS.map((kind) => [kind, [] as Point[]])) as Record<
    Kind,
    Point[]
  >;
  const take = (tags: Tags, lat7: number, lon7: number): void => {
    const point = { lat: lat7 / 1e7, lon: lon7 / 1e7 };
    if (tags.has("addr:housenumber")) addresses.push(point);
    for (const kind of KINDS) if (IS[kind](tags)) places[kind].push(point);
  };
  const keys = ["addr:housenumber", "emergency", "highway", "amenity"];
  const collector: BaseSection = {
    name: "collector",
    keys: { node: keys, way: keys.filter((key) => key !== "highway"), relation: [] },
    node: ({ tags, lat7, lon7 }) => take(tags, lat7, lon7),
    way: ({ tags, points }) => take(tags, points[0] ?? 0, points[1] ?? 0),
    relation: () => undefined,
    *finish() {
      yield;
      return { columns: {}, meta: {}, counts: {} };
    },
  };
  const sections = [createWalkSection(), collector];
  const done = await importBase(path, { id: "nearest", region: null, now_ms: 0, sections });
  if (!done.ok) throw new Error(done.problem);
  const { columns, meta } = openPack(done.pack)!;
  return { graph: openWalk(columns, meta.sections["walk"] as WalkMeta)!, addresses, places };
}

function compareExtract(
  graph: WalkGraph,
  starts: readonly Point[],
  places: Record<Kind, Point[]>,
): Row[] {
  const walker = new Walker(graph);
  const links = listLinks(graph);
  const unitsOf = ({ lat, lon }: Point) => ({
    lat7: Math.round(lat * 1e7),
    lon7: Math.round(lon * 1e7),
  });
  const snapAt = (point: ReturnType<typeof unitsOf>) =>
    snap(graph, point, { most_m: MOST_SNAP_M, profile: "foot" });
  const doorsAt = (point: Point) =>
    findDoors(graph.columns, unitsOf(point), createSnapBudget()) ?? [];
  const endsOf = (place: Point) => {
    const point = unitsOf(place);
    const doors = doorsAt(place).map((door) => ({
      ...{ to: snapAt(door), inside_m: metresBetween(door, point), door: placeOf(door) },
    }));
    return { doors, nearest: [{ to: snapAt(point), inside_m: 0 }] };
  };
  const ends = new Map(
    KINDS.flatMap((kind) => places[kind].map((place) => [place, endsOf(place)] as const)),
  );
  const rows = KINDS.map((kind): Row => ({
    kind,
    addresses: 0,
    differ: 0,
    other: 0,
    further_m: [],
  }));
  for (const start of starts) {
    const from = snapAt(unitsOf(start));
    if (from === null) continue;
    const own = new Set(doorsAt(start).map(placeOf));
    const costs = walkAll(graph, links, [
      [from.from, from.from_cm],
      [from.to, from.to_cm],
    ]);
    const closed = (vertex: number): boolean => (graph.columns.marks[vertex]! & 1) !== 0;
    const judge = (place: Point): number => {
      const { doors, nearest } = ends.get(place)!;
      const isWithin = doors.length > 0 && !doors.some(({ door }) => own.has(door));
      return Math.min(...(isWithin ? doors : nearest).map(judgeEnd));
    };
    const judgeEnd = ({ to, inside_m }: { to: Snap | null; inside_m: number }): number => {
      if (to === null) return Infinity;
      const by = (vertex: number, rest: number): number =>
        rest > 0 &&
        closed(vertex) &&
        !(from.from_cm === 0 && from.from === vertex) &&
        !(from.to_cm === 0 && from.to === vertex)
          ? Infinity
          : costs[vertex]! + rest;
      const along = to.edge === from.edge ? Math.abs(to.from_cm - from.from_cm) : Infinity;
      const least = Math.min(along, by(to.from, to.from_cm), by(to.to, to.to_cm));
      const metres = least / 100 + from.off_m + to.off_m + inside_m;
      return metres > MOST_M ? Infinity : metres;
    };
    for (const row of rows) {
      const list = places[row.kind];
      const judged = list.map(judge);
      const wanted = Math.min(Infinity, ...judged);
      const ways = walker.walkTo(start, list, { most_m: MOST_M, profile: "foot" });
      const got = Math.min(
        Infinity,
        ...ways.map((way) => (typeof way === "string" ? Infinity : way.meters)),
      );
      if (wanted === Infinity && got === Infinity) continue;
      row.addresses += 1;
      if (!(Math.abs(wanted - got) <= SAME_M)) row.differ += 1;
      const beelines = list.map(({ lat, lon }) => distance_m(start.lat, start.lon, lat, lon));
      const further_m = judged[beelines.indexOf(Math.min(...beelines))]! - wanted;
      if (further_m <= FURTHER_M) continue;
      row.other += 1;
      if (further_m < Infinity) row.further_m.push(further_m);
    }
  }
  return rows;
}

function placeOf({ lat7, lon7 }: { lat7: number; lon7: number }): string {
  return `${lat7} ${lon7}`;
}

type Link = readonly [to: number, length_cm: number];

function listLinks(graph: WalkGraph): Link[][] {
  const links: Link[][] = Array.from({ length: graph.vertices }, () => []);
  for (let edge = 0; edge < graph.edges; edge++) {
    const [a, b] = [graph.startOf(edge), graph.columns.to[edge]!];
    links[a]!.push([b, graph.lengthOf(edge)]);
    links[b]!.push([a, graph.lengthOf(edge)]);
  }
  return links;
}

/** Centimetres to every vertex, by Dijkstra's algorithm; Infinity: there is no way. */
function walkAll(graph: WalkGraph, links: readonly Link[][], begin: readonly Link[]): Float64Array {
  const costs = new Float64Array(links.length).fill(Infinity);
  const heap: Link[] = [];
  const push = (entry: Link): void => {
    let at = heap.push(entry) - 1;
    while (at > 0 && heap[(at - 1) >> 1]![1] > entry[1]) {
      heap[at] = heap[(at - 1) >> 1]!;
      at = (at - 1) >> 1;
    }
    heap[at] = entry;
  };
  const pop = (): Link => {
    const [top, last] = [heap[0]!, heap.pop()!];
    let at = 0;
    while (2 * at + 1 < heap.length) {
      let child = 2 * at + 1;
      if (child + 1 < heap.length && heap[child + 1]![1] < heap[child]![1]) child += 1;
      if (heap[child]![1] >= last[1]) break;
      heap[at] = heap[child]!;
      at = child;
    }
    if (heap.length > 0) heap[at] = last;
    return top;
  };
  const reach = (vertex: number, cost: number): void => {
    if (cost >= costs[vertex]!) return;
    costs[vertex] = cost;
    push([vertex, cost]);
  };
  for (const [vertex, cost] of begin) reach(vertex, cost);
  while (heap.length > 0) {
    const [vertex, cost] = pop();
    const isBarrier = cost > 0 && (graph.columns.marks[vertex]! & 1) !== 0;
    if (cost > costs[vertex]! || isBarrier) continue;
    for (const [to, length_cm] of links[vertex]!) reach(to, cost + length_cm);
  }
  return costs;
}
