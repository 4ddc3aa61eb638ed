/** Writes vector tiles (Mapbox Vector Tile specification 2.1). */
import { ByteWriter } from "./tile-bytes.ts";
import type { ShapePart } from "./tile-shape.ts";

export type Geometry = { shape: "point" | "line" | "area"; parts: readonly ShapePart[] };
/** A text of a point, as UTF-8, at most 2 ** 21 bytes; `to` is not included. */
export type OnlyText = { key: string; bytes: Uint8Array; from: number; to: number };
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

/** One layer of a tile. Features are drawn in the order of `place`, the least first. */
export class LayerWriter {
  readonly #name: string;
  readonly #extent: number;
  readonly #keys = new Map<string, number>();
  readonly #values = new Map<PropertyValue, number>();
  /** Values in the order of their numbers, as they are written. */
  readonly #encoded = new ByteWriter();
  #value_count = 0;
  readonly #features: { place: number; bytes: Uint8Array }[] = [];
  /** Of `point`, whole. */
  readonly #points = new ByteWriter();
  readonly #feature = new ByteWriter();
  readonly #list = new ByteWriter();
  readonly #value = new ByteWriter();
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
  tagsOf(properties: Properties): ByteWriter {
    const tags = new ByteWriter(32);
    this.#addTags(properties, tags);
    return tags;
  }

  /**
   * Adds a point: with tags of `tagsOf`, then with properties of its own, and a text that no other has.
   * Points are drawn last, in their order.
   */
  point({ x, y }: Point, shared: ByteWriter, own: Properties, only?: OnlyText): void {
    const feature = this.#feature;
    const tags = this.#tags;
    const list = this.#list;
    feature.clear();
    tags.clear();
    list.clear();
    tags.append(shared);
    this.#addTags(own);
    if (only) this.#addOnly(only);
    feature.varint(FIELD.feature.tags);
    feature.varint(tags.length);
    feature.append(tags);
    feature.varint(FIELD.feature.type);
    feature.varint(TYPES.point);
    list.varint(MOVE_TO | (1 << 3));
    list.zigzag(x);
    list.zigzag(y);
    feature.varint(FIELD.feature.geometry);
    feature.varint(list.length);
    feature.append(list);
    this.#points.varint(FIELD.layer.feature);
    this.#points.varint(feature.length);
    this.#points.append(feature);
    this.size += feature.length + 3;
  }

  finish(): Uint8Array {
    const layer = new ByteWriter(this.size);
    layer.varint(FIELD.layer.version);
    layer.varint(VERSION);
    layer.varint(FIELD.layer.name);
    layer.text(this.#name);
    this.#features.sort((a, b) => a.place - b.place);
    for (const { bytes } of this.#features) writeBytes(layer, FIELD.layer.feature, bytes);
    layer.bytes(this.#points.view());
    for (const key of this.#keys.keys()) {
      layer.varint(FIELD.layer.key);
      layer.text(key);
    }
    layer.bytes(this.#encoded.view());
    layer.varint(FIELD.layer.extent);
    layer.varint(this.#extent);
    return layer.view();
  }

  /** It is read where it lies, and remembered for no other feature. */
  #addOnly({ key, bytes, from, to }: OnlyText): void {
    const length = to - from;
    const values = this.#encoded;
    values.varint(FIELD.layer.value);
    values.varint(1 + varintBytes(length) + length);
    values.varint(FIELD.value.text);
    values.varint(length);
    values.part(bytes, from, to);
    this.#tags.varint(this.#keyOf(key));
    this.#tags.varint(this.#value_count++);
    this.size += length + 12;
  }

  #addTags(properties: Properties, tags = this.#tags): void {
    for (let i = 0; i < properties.length; i++) {
      const property = properties[i]!;
      tags.varint(this.#keyOf(property[0]));
      tags.varint(this.#valueOf(property[1]));
    }
  }

  #keyOf(key: string): number {
    const known_number = this.#keys.get(key);
    if (known_number !== undefined) return known_number;
    this.#keys.set(key, this.#keys.size);
    this.size += 6 + 3 * key.length;
    return this.#keys.size - 1;
  }

  #valueOf(each: PropertyValue): number {
    const known_number = this.#values.get(each);
    if (known_number !== undefined) return known_number;
    this.#values.set(each, this.#value_count);
    const value = this.#value;
    value.clear();
    writeValue(value, each);
    this.#encoded.varint(FIELD.layer.value);
    this.#encoded.varint(value.length);
    this.#encoded.append(value);
    this.size += value.length + 6;
    return this.#value_count++;
  }
}

function varintBytes(value: number): number {
  return value < 0x80 ? 1 : value < 0x4000 ? 2 : 3;
}

/** Layers in the order in which they are given. */
export function writeTile(layers: readonly LayerWriter[]): Uint8Array<ArrayBuffer> {
  const tile = new ByteWriter(layers.reduce((sum, { size }) => sum + size, 16));
  for (const layer of layers) writeBytes(tile, FIELD.tile.layer, layer.finish());
  return tile.view().slice();
}

/** Whole numbers of 32 bits are short, and of 31 with a sign; others are doubles. */
function writeValue(to: ByteWriter, value: PropertyValue): void {
  if (typeof value === "string") {
    to.varint(FIELD.value.text);
    to.text(value);
  } else if (typeof value === "boolean") {
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
