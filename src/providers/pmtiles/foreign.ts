/** Layers of vector tiles that others have made, read where they lie. */
import { damaged, lengthTag, unpackNumbers, varintTag, Wire } from "#providers/protobuf/wire.ts";

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
const FEATURES_MAX = 50_000;
const EXTENT_MAX = 65_536;

const decoder = new TextDecoder();

export function readForeignLayer(bytes: Uint8Array): ForeignLayer {
  const [features, keys, values]: [Uint8Array[], string[], Value[]] = [[], [], []];
  let [name, extent] = ["", 4096];
  const wire = new Wire(bytes);
  for (let tag = wire.next(); tag !== 0; tag = wire.next())
    if (tag === NAME) name = decoder.decode(wire.view());
    else if (tag === FEATURE) features.push(wire.view());
    else if (tag === KEY) keys.push(decoder.decode(wire.view()));
    else if (tag === VALUE) values.push(readValue(wire.view()));
    else if (tag === EXTENT) extent = wire.varint();
    else wire.skip(tag);
  if (extent < 1 || extent > EXTENT_MAX) throw damaged("a tile of no extent");
  return {
    name,
    extent,
    *features() {
      for (const each of features.slice(0, FEATURES_MAX)) {
        const feature = readFeature(each, keys, values);
        if (feature !== null) yield feature;
      }
    },
  };
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
  keys: readonly string[],
  values: readonly Value[],
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
        const key = keys[numbers[i]!];
        if (key !== undefined) properties.set(key, values[numbers[i + 1]!] ?? null);
      }
      wire.at = end;
    } else if (tag === FEATURE_TYPE) type = wire.varint();
    else if (tag === FEATURE_GEOMETRY) geometry = wire.view();
    else wire.skip(tag);
  const shape = SHAPES[type] ?? null;
  return shape === null || geometry === null ? null : { shape, properties, geometry };
}
