/** Compares a decoded tile with what must be on it, both ways; one line per fault. */
import Flatbush from "flatbush";
import { areaOf, type TileFeature, type TileLayer } from "./mvt.ts";
import type { MapFeature, XY } from "./map-oracle.ts";

export type Place = { z: number; x: number; y: number };
export type Judged = { faults: string[]; compared: number };

type Segment = { from: XY; to: XY; name: string | null };
/** Segments of one class, found by their place. */
type Segments = { list: Segment[]; near(at: XY, by: number): Segment[] };

const MARGIN = 1 / 64;

/** `tolerance`: units of the tile by which a point may be off. */
export function judgeTile(
  tile: ReadonlyMap<string, TileLayer>,
  listed: readonly MapFeature[],
  { z, x, y }: Place,
  tolerance: number,
): Judged {
  const extent = z === 14 ? 8192 : 4096;
  const scale = 2 ** z * extent;
  const toTile = ([px, py]: XY): XY => [px * scale - x * extent, py * scale - y * extent];
  const here = listed
    .filter(({ zoom }) => zoom <= z)
    .map((each) => ({ ...each, parts: each.parts.map((part) => part.map(toTile)) }))
    .filter(({ parts }) => overlaps(parts.flat(), extent));
  const faults: string[] = [];
  for (const layer of tile.values()) {
    if (layer.extent !== extent) faults.push(`extent ${layer.extent}`);
    for (const feature of layer.features) faults.push(...checkForm(layer, feature));
  }
  const bounds = { extent, tolerance, finest: z === 14 };
  const classes = new Set(here.map((each) => `${each.layer}/${each.class}`));
  for (const { name, features } of tile.values())
    for (const { properties } of features) classes.add(`${name}/${String(properties["class"])}`);
  let compared = 0;
  for (const key of classes) {
    const [layer, name] = key.split("/") as [string, string];
    const drawn = (tile.get(layer)?.features ?? []).filter(
      (each) => each.properties["class"] === name,
    );
    const wanted = here.filter((each) => each.layer === layer && each.class === name);
    const input = { key, drawn, wanted, ...bounds };
    compared += drawn.length + wanted.length;
    // The sea is assembled, and borders have their own rule: unit tests have them.
    if (name === "ocean" || layer === "boundary") continue;
    faults.push(...comparePoints(input), ...compareLines(input), ...compareAreas(input));
  }
  return { faults, compared };
}

type Input = {
  key: string;
  drawn: TileFeature[];
  wanted: MapFeature[];
  extent: number;
  tolerance: number;
  /** Nothing is left out because it is small. */
  finest: boolean;
};

/** Rings turn as the specification says, and nothing leaves the margin. */
function checkForm(
  { name, extent }: TileLayer,
  { type, parts, properties }: TileFeature,
): string[] {
  const what = `${name}/${String(properties["class"])}`;
  const margin = extent * MARGIN;
  const faults: string[] = [];
  for (const [px, py] of parts.flat())
    if (Math.min(px, py) < -margin || Math.max(px, py) > extent + margin)
      faults.push(`${what}: ${px}, ${py} is outside the margin`);
  if (type !== "polygon") return faults;
  parts.forEach((ring, i) => {
    if (ring.length < 3) faults.push(`${what}: a ring of ${ring.length} points`);
    // Several buildings are one feature: a ring that turns clockwise begins the next area.
    const isWrong = i === 0 ? areaOf(ring) <= 0 : areaOf(ring) === 0;
    if (isWrong) faults.push(`${what}: ring ${i} turns wrongly`);
  });
  return faults;
}

/** Names of areas are placed by a rule of their own: those are checked by the name alone. */
function comparePoints({ key, drawn, wanted, extent, tolerance }: Input): string[] {
  const points = drawn.filter(({ type }) => type === "point");
  const places = wanted.filter(({ shape }) => shape === "point");
  const isIn = ([x, y]: XY): boolean => Math.min(x, y) >= 0 && Math.max(x, y) <= extent;
  const missing = places
    .filter(({ parts }) => isIn(parts[0]![0]!))
    .filter(({ parts, name }) =>
      points.every(
        (each) =>
          each.properties["name"] !== name ||
          distance(each.parts[0]![0]!, parts[0]![0]!) > tolerance,
      ),
    );
  return missing.map(({ name }) => `${key}: ${String(name)} is missing`);
}

function compareLines({ key, drawn, wanted, extent, tolerance, finest }: Input): string[] {
  const lines = drawn.filter(({ type }) => type === "line");
  const ways = wanted.filter(({ shape }) => shape === "line");
  if (lines.length + ways.length === 0) return [];
  const name = (each: string | number | boolean | null | undefined): string | null =>
    finest && each !== undefined && each !== null ? String(each) : null;
  const drawnSegments = segmentsOf(
    lines.flatMap(({ parts, properties }) =>
      parts.map((points) => ({ points, name: name(properties["name"]) })),
    ),
  );
  const toLines = (list: readonly MapFeature[]): { points: XY[]; name: string | null }[] =>
    list.map(({ parts, name: each }) => ({ points: parts[0]!, name: name(each) }));
  const wantedSegments = segmentsOf(toLines(ways));
  // From far, what is smaller than a pixel is left out; and at last what has no length at all.
  const least = finest ? 2 * tolerance : 2 * tolerance + 8;
  const seen = segmentsOf(toLines(ways.filter(({ parts }) => reachOf(parts[0]!) > least)));
  const invented = samplesOf(drawnSegments, extent).filter(
    (each) => !isNear(wantedSegments, each, tolerance),
  );
  const missing = samplesOf(seen, extent).filter(
    (each) => !isNear(drawnSegments, each, 2 * tolerance),
  );
  return [
    ...invented.map(({ at, name: each }) => `${key}: ${at.join()} (${String(each)}) is in no way`),
    ...missing.map(({ at, name: each }) => `${key}: ${at.join()} (${String(each)}) is not drawn`),
  ];
}

/** Areas are compared at points: which are inside, as the tile has it and as the extract has it. */
function compareAreas({ key, drawn, wanted, extent, tolerance, finest }: Input): string[] {
  const areas = drawn.filter(({ type }) => type === "polygon").flatMap(toPolygons);
  const real = wanted.filter(({ shape }) => shape === "area").map(({ parts }) => parts);
  if (areas.length + real.length === 0) return [];
  const edges = segmentsOf(
    [...areas, ...real].flat().map((points) => ({ points: [...points, points[0]!], name: null })),
  );
  const grid = Array.from({ length: 400 }, (_, i): XY => [
    ((i % 20) + 0.5) * (extent / 20),
    (Math.floor(i / 20) + 0.5) * (extent / 20),
  ]);
  const middles = [...areas, ...real].flat().map(middleOf);
  const least = finest ? tolerance + 1 : tolerance + 12;
  const faults: string[] = [];
  for (const at of [...grid, ...middles]) {
    if (Math.min(...at) < 0 || Math.max(...at) > extent) continue;
    if (isNear(edges, { at, name: null }, least)) continue;
    const isDrawn = areas.some((rings) => isInside(rings, at));
    const isReal = real.some((rings) => isInside(rings, at));
    if (isDrawn !== isReal)
      faults.push(`${key}: ${at.join()} is ${isReal ? "not drawn" : "in no area"}`);
  }
  return faults;
}

type Sample = { at: XY; name: string | null };

/** Points and middles of segments, within the tile. */
function samplesOf({ list }: Segments, extent: number): Sample[] {
  return list
    .flatMap(({ from, to, name }): Sample[] => [
      { at: from, name },
      { at: [(from[0] + to[0]) / 2, (from[1] + to[1]) / 2], name },
      { at: to, name },
    ])
    .filter(({ at }) => Math.min(...at) >= 0 && Math.max(...at) <= extent);
}

function isNear(segments: Segments, { at, name }: Sample, by: number): boolean {
  return segments
    .near(at, by)
    .some((each) => each.name === name && distanceToSegment(at, each) <= by);
}

function segmentsOf(lines: readonly { points: XY[]; name: string | null }[]): Segments {
  const list = lines.flatMap(({ points, name }) =>
    points.slice(1).map((to, i): Segment => ({ from: points[i]!, to, name })),
  );
  if (list.length === 0) return { list, near: () => [] };
  const index = new Flatbush(list.length);
  for (const { from, to } of list)
    index.add(
      Math.min(from[0], to[0]),
      Math.min(from[1], to[1]),
      Math.max(from[0], to[0]),
      Math.max(from[1], to[1]),
    );
  index.finish();
  return {
    list,
    near: ([x, y], by) => index.search(x - by, y - by, x + by, y + by).map((i) => list[i]!),
  };
}

/** A point inside a small convex ring, and somewhere near it otherwise. */
function middleOf(ring: readonly XY[]): XY {
  const [a, b, c] = [
    ring[0]!,
    ring[Math.floor(ring.length / 3)]!,
    ring[Math.floor((2 * ring.length) / 3)]!,
  ];
  return [(a[0] + b[0] + c[0]) / 3, (a[1] + b[1] + c[1]) / 3];
}

/** Each outer ring with the inner ones that follow it, as the specification says. */
function toPolygons({ parts }: TileFeature): XY[][][] {
  const polygons: XY[][][] = [];
  for (const ring of parts) {
    if (areaOf(ring) > 0) polygons.push([ring]);
    else polygons.at(-1)?.push(ring);
  }
  return polygons;
}

function isInside(rings: readonly (readonly XY[])[], [x, y]: XY): boolean {
  let inside = false;
  for (const ring of rings)
    ring.forEach(([ax, ay], i) => {
      const [bx, by] = ring[(i + 1) % ring.length]!;
      if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) inside = !inside;
    });
  return inside;
}

function reachOf(points: readonly XY[]): number {
  return points.reduce((most, each) => Math.max(most, distance(each, points[0]!)), 0);
}

function distance(a: XY, b: XY): number {
  return Math.hypot(a[0] - b[0], a[1] - b[1]);
}

function distanceToSegment([x, y]: XY, { from, to }: Segment): number {
  const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
  const length = dx * dx + dy * dy;
  const share = length === 0 ? 0 : ((x - from[0]) * dx + (y - from[1]) * dy) / length;
  const at = Math.max(0, Math.min(1, share));
  return Math.hypot(x - from[0] - at * dx, y - from[1] - at * dy);
}

function overlaps(points: readonly XY[], extent: number): boolean {
  const xs = points.map(([px]) => px);
  const ys = points.map(([, py]) => py);
  const [minX, maxX] = [xs.reduce((a, b) => Math.min(a, b)), xs.reduce((a, b) => Math.max(a, b))];
  const [minY, maxY] = [ys.reduce((a, b) => Math.min(a, b)), ys.reduce((a, b) => Math.max(a, b))];
  const margin = extent * MARGIN;
  return minX <= extent + margin && maxX >= -margin && minY <= extent + margin && maxY >= -margin;
}
