/** Makes a tile: what of the maps lies in it, the important first, until it is full. */
import type Flatbush from "flatbush";
import { type Area, clipArea, doubleAreaOf, simplifyArea } from "./areas.ts";
import { clipLine } from "./clip.ts";
import {
  type Box,
  boxOf,
  bufferOf,
  extentOf,
  groupOf,
  GROUPS,
  isTile,
  MAX_ZOOM,
  TOLERANCE,
} from "./grid.ts";
import type { DrawnKind } from "./kinds.ts";
import { readLabel } from "./labels.ts";
import { structureOf } from "./marks.ts";
import { LayerWriter, type Properties, writeTile } from "./mvt.ts";
import { turned } from "./rings.ts";
import { type Part, readShape } from "./shape.ts";
import { simplifyLine } from "./simplify.ts";

/** Bounds of a tile: bytes, features, and how many are looked at. */
export const TILE_BOUNDS = { bytes: 190_000, features: 20_000, looked_at: 30_000 } as const;

/** Rings of buildings that are one feature. */
const BUILDINGS_JOINED = 64;

/** Names of the layers, in the order in which a tile has them. */
export const LAYERS = [
  ...["water", "landcover", "landuse", "building"],
  ...["road", "rail", "boundary", "place"],
] as const;

/** The features of a group of zooms. */
export type MapGroup = {
  index: Flatbush;
  /** Kind, lowest zoom and marks of each. */
  looks: Uint32Array;
  labels: Uint32Array;
  offsets: Uint32Array;
  shapes: Uint8Array;
};

/** The map of a base, as a tile is made of it. */
export type MapSource = {
  groups: readonly (MapGroup | null)[];
  kinds: readonly DrawnKind[];
  readLabel(number: number): string;
};

/** One tile of all maps; null: nothing of them is in it. */
export function makeTile(
  maps: readonly MapSource[],
  z: number,
  x: number,
  y: number,
): Uint8Array<ArrayBuffer> | null {
  if (!isTile(z, x, y)) return null;
  const canvas = createCanvas(z);
  for (const map of maps) if (!drawMap(map, { z, x, y }, canvas)) break;
  return canvas.finish();
}

type Canvas = {
  zoom: number;
  box: Box;
  /** false: it is full. */
  add(kind: DrawnKind, place: number, properties: Properties, parts: readonly Part[]): boolean;
  finish(): Uint8Array<ArrayBuffer> | null;
};

function createCanvas(zoom: number): Canvas {
  const extent = extentOf(zoom);
  const margin = bufferOf(zoom);
  const layers = new Map<string, LayerWriter>();
  let features = 0;
  let bytes = 0;
  const write = (
    kind: DrawnKind,
    place: number,
    properties: Properties,
    parts: readonly Part[],
  ): void => {
    const layer = layers.get(kind.layer) ?? new LayerWriter(kind.layer, extent);
    layers.set(kind.layer, layer);
    bytes -= layer.size;
    layer.add(place, properties, { shape: kind.shape, parts });
    bytes += layer.size;
  };
  /** Buildings are all alike: many of them are one feature, which halves their bytes. */
  let buildings: { kind: DrawnKind; properties: Properties; parts: Part[] } | null = null;
  const writeBuildings = (): void => {
    if (buildings === null) return;
    bytes -= 2 * numbersOf(buildings.parts);
    write(buildings.kind, 0, buildings.properties, buildings.parts);
    buildings = null;
  };
  return {
    zoom,
    box: { minX: -margin, minY: -margin, maxX: extent + margin, maxY: extent + margin },
    add(kind, place, properties, parts) {
      if (kind.layer === "building") {
        buildings ??= { kind, properties, parts: [] };
        for (const part of parts) buildings.parts.push(part);
        bytes += 2 * numbersOf(parts);
        if (buildings.parts.length >= BUILDINGS_JOINED) writeBuildings();
      } else write(kind, place, properties, parts);
      features += 1;
      return bytes < TILE_BOUNDS.bytes && features < TILE_BOUNDS.features;
    },
    finish() {
      writeBuildings();
      const drawn = LAYERS.flatMap((name) => layers.get(name) ?? []);
      return drawn.length === 0 ? null : writeTile(drawn);
    },
  };
}

function numbersOf(parts: readonly Part[]): number {
  return parts.reduce((sum, { points }) => sum + points.length, 0);
}

type Place = { z: number; x: number; y: number };

function drawMap(map: MapSource, { z, x, y }: Place, canvas: Canvas): boolean {
  const number = groupOf(z);
  const group = map.groups[number];
  if (!group) return true;
  const size = 2 ** (GROUPS[number]!.bits - z);
  const shift = Math.log2(size / extentOf(z));
  const origin = { x: x * size, y: y * size, shift };
  const margin = bufferOf(z) << shift;
  const found = group.index.search(
    origin.x - margin,
    origin.y - margin,
    origin.x + size + margin,
    origin.y + size + margin,
    (row) => ((group.looks[row]! >> 8) & 0xff) <= z,
  );
  // Rows are in the order of importance.
  const rows = Uint32Array.from(found).sort().subarray(0, TILE_BOUNDS.looked_at);
  for (const row of rows) if (!drawRow({ map, group, row }, origin, canvas)) return false;
  return true;
}

type Row = { map: MapSource; group: MapGroup; row: number };

function drawRow(
  { map, group, row }: Row,
  origin: { x: number; y: number; shift: number },
  canvas: Canvas,
): boolean {
  const look = group.looks[row]!;
  const kind = map.kinds[look & 0xff]!;
  const read = readShape(group.shapes, group.offsets[row]!, origin);
  const parts = toDrawn(kind, read, origin.shift, canvas);
  if (parts.length === 0) return true;
  // Large areas are drawn first, and of lines the important ones last.
  const place = kind.shape === "area" ? -reachOfArea(read[0]!) : -row;
  return canvas.add(
    kind,
    place,
    toProperties(kind, look >>> 16, map.readLabel(group.labels[row]!)),
    parts,
  );
}

/** What is seen of a shape; empty: nothing. */
function toDrawn(
  kind: DrawnKind,
  parts: readonly Part[],
  shift: number,
  canvas: Canvas,
): readonly Part[] {
  const { zoom, box } = canvas;
  // The finest tiles are drawn at greater zooms too, where everything can be seen.
  const least = zoom === MAX_ZOOM ? 0 : 8;
  if (kind.shape === "point") return isWithin(box, parts[0]!) ? parts : [];
  if (kind.shape === "line") {
    const line = shift > 0 ? simplifyLine(parts[0]!.points, TOLERANCE) : parts[0]!.points;
    return clipLine(line, box).flatMap((points) =>
      reach(points) > least ? [{ points, inner: false }] : [],
    );
  }
  return toAreas(parts).flatMap((area) => {
    const simple = shift > 0 ? simplifyArea(area, TOLERANCE, least * least) : area;
    const clipped = simple === null ? null : clipArea(simple, box);
    if (clipped === null || doubleAreaOf(clipped) <= 2 * least * least) return [];
    return clipped.map(({ points, inner }) => ({ points: turned(points, !inner), inner }));
  });
}

/** Buildings share a row: each outer ring begins another one. */
function toAreas(parts: readonly Part[]): Area[] {
  if (parts.length === 1) return [parts];
  const areas: Part[][] = [];
  for (const part of parts) {
    if (part.inner) areas.at(-1)?.push(part);
    else areas.push([part]);
  }
  return areas;
}

/** Before it is cut to the tile: two tiles agree on which of two areas is larger. */
function reachOfArea({ points }: Part): number {
  const { minX, minY, maxX, maxY } = boxOf(points);
  return maxX - minX + (maxY - minY);
}

function isWithin({ minX, minY, maxX, maxY }: Box, { points }: Part): boolean {
  return points[0]! >= minX && points[0]! <= maxX && points[1]! >= minY && points[1]! <= maxY;
}

/** The greatest distance from the first point, nearly. */
function reach(points: ArrayLike<number>): number {
  let most = 0;
  for (let i = 2; i < points.length; i++)
    most = Math.max(most, Math.abs(points[i]! - points[i % 2]!));
  return most;
}

function toProperties(kind: DrawnKind, marks: number, label: string): Properties {
  const properties: (readonly [string, string | number])[] = [["class", kind.class]];
  const structure = structureOf(marks & 0xff);
  if (structure !== null) properties.push(["structure", structure]);
  if (kind.ramp) properties.push(["ramp", 1]);
  if (kind.layer === "place") properties.push(["rank", marks >>> 8]);
  return [...properties, ...readLabel(label)];
}
