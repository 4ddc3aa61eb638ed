/**
 * What of a vector tile a picture draws: outlines and lines by layer and class, in parts of the tile. A
 * tile may be of a file that others made: what does not fit the format ends the reading.
 */
import type { Point } from "./raster.ts";

export type TileShape = { layer: string; kind: string; isArea: boolean; parts: Point[][] };

/** Points of one tile at most; what comes later is left out. */
const POINTS_MAX = 120_000;
const EXTENT = 4_096;

/** Returns its shapes, places in 0 to 1 of the tile. Throws a RangeError where the tile is not well-formed. */
export function* readTileShapes(
  bytes: Uint8Array,
  layers: ReadonlySet<string>,
): Generator<TileShape, void> {
  let points = 0;
  for (const { number, value } of fieldsOf(bytes)) {
    if (number !== 3 || typeof value === "number") continue;
    for (const shape of readLayer(value, layers)) {
      points += shape.parts.reduce((sum, { length }) => sum + length, 0);
      if (points > POINTS_MAX) return;
      yield shape;
    }
  }
}

type Field = { number: number; value: number | Uint8Array };

function* readLayer(bytes: Uint8Array, layers: ReadonlySet<string>): Generator<TileShape, void> {
  const keys: string[] = [];
  const values: string[] = [];
  const features: Uint8Array[] = [];
  let layer = "";
  let extent = EXTENT;
  for (const { number, value } of fieldsOf(bytes)) {
    if (number === 5 && typeof value === "number") extent = value;
    if (typeof value === "number") continue;
    if (number === 1) layer = toText(value);
    if (number === 1 && !layers.has(layer)) return;
    if (number === 2) features.push(value);
    if (number === 3) keys.push(toText(value));
    if (number === 4) values.push(toValue(value));
  }
  if (!layers.has(layer) || extent < 1) return;
  for (const feature of features) {
    const shape = readFeature(feature, { keys, values, extent });
    if (shape !== null) yield { layer, ...shape };
  }
}

type Tables = { keys: readonly string[]; values: readonly string[]; extent: number };

function readFeature(
  bytes: Uint8Array,
  { keys, values, extent }: Tables,
): Omit<TileShape, "layer"> | null {
  let kind = "";
  let type = 0;
  let parts: Point[][] = [];
  for (const { number, value } of fieldsOf(bytes)) {
    if (number === 3 && typeof value === "number") type = value;
    if (typeof value === "number") continue;
    const numbers = [...varintsOf(value)];
    if (number === 2)
      for (let i = 0; i + 1 < numbers.length; i += 2)
        if (keys[numbers[i]!] === "class") kind = values[numbers[i + 1]!] ?? "";
    if (number === 4) parts = toParts(numbers, extent);
  }
  return type === 2 || type === 3 ? { kind, isArea: type === 3, parts } : null;
}

/** Moves, lines and closings, as the format counts them. */
function toParts(commands: readonly number[], extent: number): Point[][] {
  const parts: Point[][] = [];
  let [x, y, at] = [0, 0, 0];
  while (at < commands.length) {
    const command = commands[at++]!;
    const [what, count] = [command & 7, command >>> 3];
    if (what === 7) continue;
    if (what !== 1 && what !== 2) throw new RangeError("a command that there is not");
    for (let n = 0; n < count && at + 1 < commands.length; n++) {
      x += unzigzag(commands[at++]!);
      y += unzigzag(commands[at++]!);
      if (what === 1) parts.push([]);
      parts.at(-1)?.push([x / extent, y / extent]);
    }
  }
  return parts;
}

/** A value that is a text; others are none. */
function toValue(bytes: Uint8Array): string {
  for (const { number, value } of fieldsOf(bytes))
    if (number === 1 && typeof value !== "number") return toText(value);
  return "";
}

function toText(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

function unzigzag(value: number): number {
  return (value >>> 1) ^ -(value & 1);
}

/** Bytes of a number that is no varint, by its wire type. */
const FIXED: Readonly<Record<number, number>> = { 1: 8, 5: 4 };

function* fieldsOf(bytes: Uint8Array): Generator<Field, void> {
  const reader = new Reader(bytes);
  while (!reader.isDone) {
    const head = reader.varint();
    const [number, wire] = [head >>> 3, head & 7];
    if (wire === 0) yield { number, value: reader.varint() };
    else if (wire === 2) yield { number, value: reader.take(reader.varint()) };
    else if (FIXED[wire] === undefined) throw new RangeError("a wire type that there is not");
    else reader.take(FIXED[wire]);
  }
}

function* varintsOf(bytes: Uint8Array): Generator<number, void> {
  const reader = new Reader(bytes);
  while (!reader.isDone) yield reader.varint();
}

class Reader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get isDone(): boolean {
    return this.#at >= this.#bytes.length;
  }

  /** Of 32 bits; further ones are dropped. */
  varint(): number {
    let value = 0;
    for (let shift = 0; shift < 70; shift += 7) {
      const byte = this.#bytes[this.#at++];
      if (byte === undefined) throw new RangeError("a number that goes on after its message");
      if (shift < 35) value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value >>> 0;
    }
    throw new RangeError("a number without an end");
  }

  take(length: number): Uint8Array {
    const start = this.#at;
    this.#at += length;
    if (this.#at > this.#bytes.length) throw new RangeError("a field longer than its message");
    return this.#bytes.subarray(start, this.#at);
  }
}
