/** Makes a tile: what of the maps lies in it, the important first, until it is full. */
import type Flatbush from "flatbush";
import { type Area, clipArea, doubleAreaOf, simplifyArea } from "./tile-areas.ts";
import { clipLine } from "./clip.ts";
import {
  type TileBox,
  tileBox,
  bufferOf,
  extentOf,
  groupOf,
  GROUPS,
  isTile,
  MAX_ZOOM,
  TOLERANCE,
} from "./grid.ts";
import type { DrawnKind } from "./tile-kinds.ts";
import { readTileLabel } from "./tile-labels.ts";
import { structureOf } from "./marks.ts";
import { LayerWriter, type Properties, writeTile } from "./mvt.ts";
import { turned } from "./tile-rings.ts";
import { type ShapePart, readShape } from "./tile-shape.ts";
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
  const tile = new TileDraft(z, x, y);
  for (const map of maps) if (!tile.draw(map)) break;
  return tile.finish();
}

/** A tile while it is made, of one map after the other. */
export class TileDraft {
  readonly #place: Place;
  readonly #canvas: Canvas;

  /** Zoom, column and row are in range (`isTile`). */
  constructor(z: number, x: number, y: number) {
    this.#place = { z, x, y };
    this.#canvas = new Canvas(z);
  }

  /** false: it is full, and no other map has room in it. */
  draw(map: MapSource): boolean {
    return drawMap(map, this.#place, this.#canvas);
  }

  /** null: nothing is in it. */
  finish(): Uint8Array<ArrayBuffer> | null {
    return this.#canvas.finish();
  }
}

class Canvas {
  readonly zoom: number;
  readonly box: TileBox;
  readonly #layers = new Map<string, LayerWriter>();
  /** Buildings are all alike: many of them are one feature, which halves their bytes. */
  #buildings: { kind: DrawnKind; properties: Properties; parts: ShapePart[] } | null = null;
  /** How many there are by now. */
  features = 0;
  #bytes = 0;

  constructor(zoom: number) {
    const margin = bufferOf(zoom);
    const end = extentOf(zoom) + margin;
    this.zoom = zoom;
    this.box = { minX: -margin, minY: -margin, maxX: end, maxY: end };
  }

  /** false: it is full. */
  add(
    kind: DrawnKind,
    place: number,
    properties: Properties,
    parts: readonly ShapePart[],
  ): boolean {
    if (kind.layer === "building") return this.#addBuildings(kind, properties, parts);
    this.#write(kind, place, properties, parts);
    this.features += 1;
    return this.#hasRoom();
  }

  finish(): Uint8Array<ArrayBuffer> | null {
    this.#writeBuildings();
    const drawn = LAYERS.flatMap((name) => this.#layers.get(name) ?? []);
    return drawn.length === 0 ? null : writeTile(drawn);
  }

  /** One by one, since bases differ in which of them share a row. */
  #addBuildings(kind: DrawnKind, properties: Properties, parts: readonly ShapePart[]): boolean {
    for (const area of toAreas(parts)) {
      const { parts: all } = (this.#buildings ??= { kind, properties, parts: [] });
      for (const part of area) all.push(part);
      this.#bytes += 2 * numbersOf(area);
      if (all.length >= BUILDINGS_JOINED) this.#writeBuildings();
      this.features += 1;
      if (!this.#hasRoom()) return false;
    }
    return true;
  }

  #hasRoom(): boolean {
    return this.#bytes < TILE_BOUNDS.bytes && this.features < TILE_BOUNDS.features;
  }

  #write(
    { layer: name, shape }: DrawnKind,
    place: number,
    properties: Properties,
    parts: readonly ShapePart[],
  ): void {
    const layer = this.#layers.get(name) ?? new LayerWriter(name, extentOf(this.zoom));
    this.#layers.set(name, layer);
    this.#bytes -= layer.size;
    layer.add(place, properties, { shape, parts });
    this.#bytes += layer.size;
  }

  #writeBuildings(): void {
    if (this.#buildings === null) return;
    const { kind, properties, parts } = this.#buildings;
    this.#bytes -= 2 * numbersOf(parts);
    this.#write(kind, 0, properties, parts);
    this.#buildings = null;
  }
}

function numbersOf(parts: readonly ShapePart[]): number {
  return parts.reduce((sum, { points }) => sum + points.length, 0);
}

type Place = { z: number; x: number; y: number };

function drawMap(map: MapSource, { z, x, y }: Place, canvas: Canvas): boolean {
  const number = groupOf(z);
  const group = map.groups[number];
  if (!group) return true;
  const size = 2 ** (GROUPS[number]!.bits - z);
  const shift = Math.log2(size / extentOf(z));
  const origin = { x: x * size, y: y * size, shift, first: canvas.features };
  const margin = bufferOf(z) << shift;
  const match = group.index.search(
    origin.x - margin,
    origin.y - margin,
    origin.x + size + margin,
    origin.y + size + margin,
    (row) => ((group.looks[row]! >> 8) & 0xff) <= z,
  );
  // Rows are in the order of importance.
  const rows = Uint32Array.from(match).sort().subarray(0, TILE_BOUNDS.looked_at);
  for (const row of rows) if (!drawRow({ map, group, row }, origin, canvas)) return false;
  return true;
}

type Row = { map: MapSource; group: MapGroup; row: number };

function drawRow(
  { map, group, row }: Row,
  origin: { x: number; y: number; shift: number; first: number },
  canvas: Canvas,
): boolean {
  const look = group.looks[row]!;
  const kind = map.kinds[look & 0xff]!;
  const read = readShape(group.shapes, group.offsets[row]!, origin);
  const parts = toDrawn(kind, read, origin.shift, canvas);
  if (parts.length === 0) return true;
  // Large areas are drawn first, then what is no area, and of lines the important ones of each map last.
  const place =
    kind.shape === "area"
      ? -TILE_BOUNDS.features - reachOfArea(read[0]!)
      : origin.first - canvas.features;
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
  parts: readonly ShapePart[],
  shift: number,
  canvas: Canvas,
): readonly ShapePart[] {
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
function toAreas(parts: readonly ShapePart[]): Area[] {
  if (parts.length === 1) return [parts];
  const areas: ShapePart[][] = [];
  for (const part of parts) {
    if (part.inner) areas.at(-1)?.push(part);
    else areas.push([part]);
  }
  return areas;
}

/** Before it is cut to the tile: two tiles agree on which of two areas is larger. */
function reachOfArea({ points }: ShapePart): number {
  const { minX, minY, maxX, maxY } = tileBox(points);
  return maxX - minX + (maxY - minY);
}

function isWithin({ minX, minY, maxX, maxY }: TileBox, { points }: ShapePart): boolean {
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
  return [...properties, ...readTileLabel(label)];
}
