/** Layers of vector tiles that others have made, read where they lie. */
import { damaged, lengthTag, unpackNumbers, varintTag, Wire } from "#kit/wire.ts";

type Value = string | number | boolean | null;
export type ForeignFeature = {
  shape: "point" | "line" | "area";
  properties: ReadonlyMap<string, Value>;
  /** Commands as the tile has them. */
  geometry: Uint8Array;
};
export type ForeignLayer = {
  name: string;
  extent: number;
  features(): Generator<ForeignFeature>;
};

const NAME = lengthTag(1);
const FEATURE = lengthTag(2);
const KEY = lengthTag(3);
const VALUE = lengthTag(4);
const EXTENT = varintTag(5);
const FEATURE_TAGS = lengthTag(2);
const FEATURE_TYPE = varintTag(3);
const FEATURE_GEOMETRY = lengthTag(4);
/** Fields of a value. */
const TEXT = lengthTag(1);
const WHOLE = varintTag(4);
const UNSIGNED = varintTag(5);
const SIGNED = varintTag(6);
const YES = varintTag(7);
const SHAPES = [null, "point", "line", "area"] as const;
const EXTENT_MAX = 65_536;

const decoder = new TextDecoder();

export function readForeignLayer(bytes: Uint8Array): ForeignLayer {
  // Pieces are read when they are wanted: of a full tile most never are.
  const features = new Pieces(bytes, (piece) => piece);
  const keys = new Pieces(bytes, (piece) => decoder.decode(piece));
  const values = new Pieces(bytes, readValue);
  let [name, extent] = ["", 4096];
  const wire = new Wire(bytes);
  for (let tag = wire.next(); tag !== 0; tag = wire.next())
    if (tag === NAME) name = decoder.decode(wire.view());
    else if (tag === FEATURE) features.add(wire);
    else if (tag === KEY) keys.add(wire);
    else if (tag === VALUE) values.add(wire);
    else if (tag === EXTENT) extent = wire.varint();
    else wire.skip(tag);
  if (extent < 1 || extent > EXTENT_MAX) throw damaged("a tile of no extent");
  return {
    name,
    extent,
    *features() {
      for (let n = 0; n < features.count; n++) {
        const feature = readFeature(features.read(n)!, keys, values);
        if (feature !== null) yield feature;
      }
    },
  };
}

/** Pieces of one kind in a layer, by their number. */
class Pieces<T> {
  readonly #bytes: Uint8Array;
  readonly #read: (piece: Uint8Array) => T;
  /** Where each begins and ends, in turn. */
  readonly #places: number[] = [];
  readonly #known = new Map<number, T>();

  constructor(bytes: Uint8Array, read: (piece: Uint8Array) => T) {
    this.#bytes = bytes;
    this.#read = read;
  }

  get count(): number {
    return this.#places.length / 2;
  }

  /** Takes the field that the wire is at. */
  add(wire: Wire): void {
    const end = wire.span();
    this.#places.push(wire.at, end);
    wire.at = end;
  }

  /** As `read`, and once only. */
  at(number: number): T | undefined {
    const entry = this.#known.get(number);
    if (entry !== undefined) return entry;
    const piece = this.read(number);
    if (piece !== undefined) this.#known.set(number, piece);
    return piece;
  }

  /** undefined: there is none of this number. */
  read(number: number): T | undefined {
    const [from, to] = [this.#places[2 * number], this.#places[2 * number + 1]];
    return from === undefined || to === undefined
      ? undefined
      : this.#read(this.#bytes.subarray(from, to));
  }
}

/** Texts, whole numbers and truths; null: another number. */
function readValue(bytes: Uint8Array): Value {
  const wire = new Wire(bytes);
  let value: Value = null;
  for (let tag = wire.next(); tag !== 0; tag = wire.next())
    if (tag === TEXT) value = decoder.decode(wire.view());
    else if (tag === WHOLE) value = wire.signed();
    else if (tag === UNSIGNED) value = wire.varint();
    else if (tag === SIGNED) value = wire.zigzag();
    else if (tag === YES) value = wire.varint() === 1;
    else wire.skip(tag);
  return value;
}

/** null: it has no shape that is drawn. */
function readFeature(
  bytes: Uint8Array,
  keys: Pieces<string>,
  values: Pieces<Value>,
): ForeignFeature | null {
  const wire = new Wire(bytes);
  const properties = new Map<string, Value>();
  let type = 0;
  let geometry: Uint8Array | null = null;
  for (let tag = wire.next(); tag !== 0; tag = wire.next())
    if (tag === FEATURE_TAGS) {
      const end = wire.span();
      const numbers = new Uint32Array(end - wire.at);
      const count = unpackNumbers(wire, wire.at, end, numbers);
      for (let i = 0; i + 1 < count; i += 2) {
        const key = keys.at(numbers[i]!);
        if (key !== undefined) properties.set(key, values.at(numbers[i + 1]!) ?? null);
      }
      wire.at = end;
    } else if (tag === FEATURE_TYPE) type = wire.varint();
    else if (tag === FEATURE_GEOMETRY) geometry = wire.view();
    else wire.skip(tag);
  const shape = SHAPES[type] ?? null;
  return shape === null || geometry === null ? null : { shape, properties, geometry };
}
