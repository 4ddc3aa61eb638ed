/**
 * The bytes of a shape: how many lines or rings, and of each how many points, whether it is an inner
 * ring, and the steps from point to point.
 */
import type { ByteWriter } from "./tile-bytes.ts";
import type { TilePoints } from "./grid.ts";

/** A line, a point, or a ring without its last point. */
export type ShapePart = { points: TilePoints; inner: boolean };

export function writeShape(bytes: ByteWriter, parts: readonly ShapePart[]): void {
  bytes.varint(parts.length);
  let x = 0;
  let y = 0;
  for (const { points, inner } of parts) {
    // Twice the number of points is the length.
    bytes.varint(points.length + (inner ? 1 : 0));
    bytes.steps(points, x, y);
    x = points[points.length - 2] ?? x;
    y = points[points.length - 1] ?? y;
  }
}

export type Origin = { x: number; y: number; shift: number };

/** Reads a shape from `at`, less the origin and divided by 2 ** shift, without repeated points. */
export function readShape(
  bytes: Uint8Array,
  at: number,
  origin: Origin,
): { points: number[]; inner: boolean }[] {
  const reader = new ShapeReader(bytes, at, origin);
  const parts: { points: number[]; inner: boolean }[] = [];
  for (let left = reader.varint(); left > 0; left--) {
    const head = reader.varint();
    parts.push({ points: reader.points(head >>> 1), inner: (head & 1) === 1 });
  }
  return parts;
}

class ShapeReader {
  readonly #bytes: Uint8Array;
  readonly #shift: number;
  #at: number;
  #x: number;
  #y: number;

  constructor(bytes: Uint8Array, at: number, { x, y, shift }: Origin) {
    // So that a division rounds to the nearest.
    const half = shift === 0 ? 0 : 1 << (shift - 1);
    this.#bytes = bytes;
    this.#shift = shift;
    this.#at = at;
    this.#x = half - x;
    this.#y = half - y;
  }

  varint(): number {
    const bytes = this.#bytes;
    let byte = bytes[this.#at++]!;
    let value = byte & 0x7f;
    for (let by = 7; byte >= 0x80 && by < 35; by += 7) {
      byte = bytes[this.#at++]!;
      value |= (byte & 0x7f) << by;
    }
    return value >>> 0;
  }

  points(count: number): number[] {
    const points: number[] = [];
    const shift = this.#shift;
    let lastX = Infinity;
    let lastY = Infinity;
    for (let left = count; left > 0; left--) {
      const stepX = this.varint();
      const stepY = this.varint();
      this.#x += (stepX >>> 1) ^ -(stepX & 1);
      this.#y += (stepY >>> 1) ^ -(stepY & 1);
      const x = this.#x >> shift;
      const y = this.#y >> shift;
      if (x === lastX && y === lastY) continue;
      points.push(x, y);
      lastX = x;
      lastY = y;
    }
    return points;
  }
}
