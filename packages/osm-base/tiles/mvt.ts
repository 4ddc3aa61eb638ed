/** Writes vector tiles (Mapbox Vector Tile specification 2.1). */
import { ByteWriter } from "./tile-bytes.ts";
import type { ShapePart } from "./tile-shape.ts";

export type Geometry = { shape: "point" | "line" | "area"; parts: readonly ShapePart[] };
/** Units of the tile. */
export type Point = { x: number; y: number };
export type EncodedGeometry = Pick<Geometry, "shape"> & { bytes: Uint8Array };
export type PropertyValue = string | number | boolean;
export type Properties = readonly (readonly [key: string, value: PropertyValue])[];

const VERSION = 2;
const TYPES = { point: 1, line: 2, area: 3 } as const;
const MOVE_TO = 1;
const LINE_TO = 2;
const CLOSE = 15;
/** Fields of a message, with their wire type: number × 8 + type. */
const FIELD = {
  tile: { layer: 26 },
  layer: { name: 10, feature: 18, key: 26, value: 34, extent: 40, version: 120 },
  feature: { tags: 18, type: 24, geometry: 34 },
  value: { text: 10, real: 25, whole: 40, signed: 48, flag: 56 },
} as const;

const encoder = new TextEncoder();

/** One layer of a tile. Features are drawn in the order of `place`, the least first. */
export class LayerWriter {
  readonly #name: string;
  readonly #extent: number;
  readonly #keys = new Map<string, number>();
  readonly #values = new Map<PropertyValue, number>();
  readonly #features: { place: number; bytes: Uint8Array }[] = [];
  readonly #feature = new ByteWriter();
  readonly #list = new ByteWriter();
  readonly #tags = new ByteWriter();
  /** Bytes so far, nearly. */
  size = 0;

  constructor(name: string, extent: number) {
    this.#name = name;
    this.#extent = extent;
    this.size = name.length + 12;
  }

  add(place: number, properties: Properties, { shape, parts }: Geometry): void {
    const list = this.#list;
    list.clear();
    writeGeometry(list, shape, parts);
    this.copy(place, properties, { shape, bytes: list.view() });
  }

  /** Adds a feature whose geometry was written before, by this layer's extent. */
  copy(place: number, properties: Properties, { shape, bytes }: EncodedGeometry): void {
    const feature = this.#feature;
    const tags = this.#tags;
    feature.clear();
    tags.clear();
    this.#addTags(properties);
    writeBytes(feature, FIELD.feature.tags, tags.view());
    feature.varint(FIELD.feature.type);
    feature.varint(TYPES[shape]);
    writeBytes(feature, FIELD.feature.geometry, bytes);
    this.#features.push({ place, bytes: feature.view().slice() });
    this.size += feature.length + 3;
  }

  /** Tags of properties that several points have, for `point`; true as long as this layer. */
  tagsOf(properties: Properties): Uint8Array {
    const tags = this.#tags;
    tags.clear();
    this.#addTags(properties);
    return tags.view().slice();
  }

  /** Adds a point: with tags of `tagsOf`, then with properties of its own. */
  point(place: number, { x, y }: Point, shared: Uint8Array, own: Properties): void {
    const feature = this.#feature;
    const tags = this.#tags;
    const list = this.#list;
    feature.clear();
    tags.clear();
    list.clear();
    tags.bytes(shared);
    this.#addTags(own);
    writeBytes(feature, FIELD.feature.tags, tags.view());
    feature.varint(FIELD.feature.type);
    feature.varint(TYPES.point);
    list.varint(MOVE_TO | (1 << 3));
    list.zigzag(x);
    list.zigzag(y);
    writeBytes(feature, FIELD.feature.geometry, list.view());
    this.#features.push({ place, bytes: feature.view().slice() });
    this.size += feature.length + 3;
  }

  finish(): Uint8Array {
    const layer = new ByteWriter(this.size);
    layer.varint(FIELD.layer.version);
    layer.varint(VERSION);
    writeBytes(layer, FIELD.layer.name, encoder.encode(this.#name));
    this.#features.sort((a, b) => a.place - b.place);
    for (const { bytes } of this.#features) writeBytes(layer, FIELD.layer.feature, bytes);
    for (const key of this.#keys.keys()) writeBytes(layer, FIELD.layer.key, encoder.encode(key));
    const value = new ByteWriter();
    for (const each of this.#values.keys()) {
      value.clear();
      writeValue(value, each);
      writeBytes(layer, FIELD.layer.value, value.view());
    }
    layer.varint(FIELD.layer.extent);
    layer.varint(this.#extent);
    return layer.view();
  }

  #addTags(properties: Properties): void {
    for (const [key, value] of properties) {
      this.#tags.varint(this.#numberOf(this.#keys, key));
      this.#tags.varint(this.#numberOf(this.#values, value));
    }
  }

  #numberOf<T extends PropertyValue>(numbers: Map<T, number>, each: T): number {
    const known_number = numbers.get(each);
    if (known_number !== undefined) return known_number;
    numbers.set(each, numbers.size);
    this.size += 12 + (typeof each === "string" ? 3 * each.length : 0);
    return numbers.size - 1;
  }
}

/** Layers in the order in which they are given. */
export function writeTile(layers: readonly LayerWriter[]): Uint8Array<ArrayBuffer> {
  const tile = new ByteWriter(layers.reduce((sum, { size }) => sum + size, 16));
  for (const layer of layers) writeBytes(tile, FIELD.tile.layer, layer.finish());
  return tile.view().slice();
}

/** Whole numbers of 32 bits are short, and of 31 with a sign; others are doubles. */
function writeValue(to: ByteWriter, value: PropertyValue): void {
  if (typeof value === "string") return writeBytes(to, FIELD.value.text, encoder.encode(value));
  if (typeof value === "boolean") {
    to.varint(FIELD.value.flag);
    to.varint(value ? 1 : 0);
  } else if (value >>> 0 === value) {
    to.varint(FIELD.value.whole);
    to.varint(value);
  } else if (value >= -0x4000_0000 && (value | 0) === value) {
    to.varint(FIELD.value.signed);
    to.zigzag(value);
  } else {
    to.varint(FIELD.value.real);
    const bytes = new Uint8Array(8);
    new DataView(bytes.buffer).setFloat64(0, value, true);
    to.bytes(bytes);
  }
}

function writeBytes(to: ByteWriter, field: number, bytes: Uint8Array): void {
  to.varint(field);
  to.varint(bytes.length);
  to.bytes(bytes);
}

function writeGeometry(
  to: ByteWriter,
  shape: Geometry["shape"],
  parts: readonly ShapePart[],
): void {
  let x = 0;
  let y = 0;
  const step = (points: ArrayLike<number>, at: number): void => {
    to.zigzag(points[at]! - x);
    to.zigzag(points[at + 1]! - y);
    x = points[at]!;
    y = points[at + 1]!;
  };
  for (const { points } of parts) {
    const count = points.length / 2;
    to.varint(MOVE_TO | (1 << 3));
    step(points, 0);
    if (shape === "point") continue;
    to.varint(LINE_TO | ((count - 1) << 3));
    for (let at = 2; at < points.length; at += 2) step(points, at);
    if (shape === "area") to.varint(CLOSE);
  }
}
