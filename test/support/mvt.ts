/** A reader of vector tiles after version 2.1 of their specification, with nothing of the writer in it. */
import assert from "node:assert/strict";

export type TileFeature = {
  type: "point" | "line" | "polygon";
  properties: Record<string, string | number | boolean>;
  /** Of lines and polygons; a ring ends where it began, without that point again. */
  parts: [x: number, y: number][][];
};
export type TileLayer = { name: string; extent: number; features: TileFeature[] };

type Field = { number: number; value: number | Uint8Array };

/** Throws where a tile is not well-formed. */
export function readMvt(bytes: Uint8Array): Map<string, TileLayer> {
  const layers = new Map<string, TileLayer>();
  for (const { number, value } of fieldsOf(bytes)) {
    assert.equal(number, 3, "a tile has layers only");
    const layer = readLayer(value as Uint8Array);
    assert.ok(!layers.has(layer.name), `two layers ${layer.name}`);
    layers.set(layer.name, layer);
  }
  return layers;
}

/** By the surveyor's formula: positive outside, negative inside (4.3.3.3). */
export function areaOf(ring: readonly (readonly [number, number])[]): number {
  return ring.reduce((sum, [x, y], i) => {
    const [nextX, nextY] = ring[(i + 1) % ring.length]!;
    return sum + (x * nextY - nextX * y) / 2;
  }, 0);
}

function readLayer(bytes: Uint8Array): TileLayer {
  const fields = fieldsOf(bytes);
  const all = (number: number) => fields.filter((each) => each.number === number);
  const text = (value: Field["value"]): string =>
    new TextDecoder("utf-8", { fatal: true }).decode(value as Uint8Array);
  assert.equal(all(15)[0]?.value, 2, "version 2");
  const [name, ...others] = all(1).map(({ value }) => text(value));
  assert.ok(name !== undefined && others.length === 0, "one name");
  const keys = all(3).map(({ value }) => text(value));
  const values = all(4).map(({ value }) => readValue(value as Uint8Array, text));
  assert.equal(new Set(keys).size, keys.length, "keys once");
  assert.equal(new Set(values).size, values.length, "values once");
  const features = all(2).map(({ value }) => readFeature(value as Uint8Array, keys, values));
  return { name, extent: (all(5)[0]?.value as number | undefined) ?? 4096, features };
}

function readValue(
  bytes: Uint8Array,
  text: (value: Field["value"]) => string,
): string | number | boolean {
  const [field, ...others] = fieldsOf(bytes);
  assert.ok(field !== undefined && others.length === 0, "one value");
  const number = field.value as number;
  switch (field.number) {
    case 1:
      return text(field.value);
    case 3:
    case 5:
      return number;
    case 6:
      return unzigzag(number);
    case 7:
      return number !== 0;
    default:
      assert.fail(`value ${field.number}`);
  }
}

function readFeature(
  bytes: Uint8Array,
  keys: readonly string[],
  values: readonly (string | number | boolean)[],
): TileFeature {
  const fields = fieldsOf(bytes);
  const packed = (number: number): number[] => {
    const match = fields.find((each) => each.number === number);
    return match ? varintsOf(match.value as Uint8Array) : [];
  };
  const tags = packed(2);
  assert.equal(tags.length % 2, 0, "pairs of tags");
  const properties: TileFeature["properties"] = {};
  for (let i = 0; i < tags.length; i += 2) {
    assert.ok(tags[i]! < keys.length && tags[i + 1]! < values.length, "tags are in the tables");
    properties[keys[tags[i]!]!] = values[tags[i + 1]!]!;
  }
  const type = fields.find(({ number }) => number === 3)?.value;
  assert.ok(type === 1 || type === 2 || type === 3, `type ${String(type)}`);
  const name = (["point", "line", "polygon"] as const)[type - 1]!;
  return { type: name, properties, parts: readGeometry(packed(4), name) };
}

/** Checks what the specification says of each type (4.3.4). */
function readGeometry(
  commands: readonly number[],
  type: TileFeature["type"],
): [number, number][][] {
  const parts: [number, number][][] = [];
  let at = 0;
  let [x, y] = [0, 0];
  const step = (): [number, number] => {
    x += unzigzag(commands[at++]!);
    y += unzigzag(commands[at++]!);
    return [x, y];
  };
  while (at < commands.length) {
    const move = commands[at++]!;
    assert.equal(move & 7, 1, "begins with MoveTo");
    const points = Array.from({ length: move >> 3 }, step);
    if (type === "point") {
      parts.push(points);
      continue;
    }
    assert.equal(points.length, 1, "one MoveTo");
    const line = commands[at++]!;
    assert.equal(line & 7, 2, "goes on with LineTo");
    assert.ok(line >> 3 >= (type === "line" ? 1 : 2), "enough points");
    for (let i = 0; i < line >> 3; i++) {
      const [beforeX, beforeY] = points.at(-1)!;
      const point = step();
      assert.ok(point[0] !== beforeX || point[1] !== beforeY, "no step without a length");
      points.push(point);
    }
    if (type === "polygon") assert.equal(commands[at++], 15, "ends with ClosePath");
    parts.push(points);
  }
  assert.equal(at, commands.length, "whole commands");
  assert.ok(parts.length > 0, "some geometry");
  if (type === "polygon") assert.ok(areaOf(parts[0]!) > 0, "the first ring is an outer one");
  return parts;
}

function unzigzag(value: number): number {
  return (value >>> 1) ^ -(value & 1);
}

function fieldsOf(bytes: Uint8Array): Field[] {
  const fields: Field[] = [];
  const reader = { bytes, at: 0 };
  while (reader.at < bytes.length) {
    const head = readVarint(reader);
    const [number, wire] = [head >>> 3, head & 7];
    if (wire === 0) fields.push({ number, value: readVarint(reader) });
    else if (wire === 1) {
      assert.ok(reader.at + 8 <= bytes.length, "a double ends with its message");
      const view = new DataView(bytes.buffer, bytes.byteOffset + reader.at, 8);
      fields.push({ number, value: view.getFloat64(0, true) });
      reader.at += 8;
    } else {
      assert.equal(wire, 2, `wire type ${wire}`);
      const length = readVarint(reader);
      assert.ok(reader.at + length <= bytes.length, "a field ends with its message");
      fields.push({ number, value: bytes.subarray(reader.at, reader.at + length) });
      reader.at += length;
    }
  }
  return fields;
}

function varintsOf(bytes: Uint8Array): number[] {
  const reader = { bytes, at: 0 };
  const values: number[] = [];
  while (reader.at < bytes.length) values.push(readVarint(reader));
  return values;
}

function readVarint(reader: { bytes: Uint8Array; at: number }): number {
  let value = 0;
  for (let shift = 0; shift < 35; shift += 7) {
    const byte = reader.bytes[reader.at++];
    assert.ok(byte !== undefined, "a number ends with its message");
    value += (byte & 0x7f) * 2 ** shift;
    if (byte < 0x80) return value;
  }
  assert.fail("a number of more than 35 bits");
}
