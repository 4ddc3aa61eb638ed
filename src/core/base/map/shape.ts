/**
 * The bytes of a shape: how many lines or rings, and of each how many points, whether it is an inner
 * ring, and the steps from point to point.
 */
import type { ByteWriter } from "./bytes.ts";
import type { Points } from "./grid.ts";

/** A line, a point, or a ring without its last point. */
export type Part = { points: Points; inner: boolean };

export function writeShape(bytes: ByteWriter, parts: readonly Part[]): void {
  bytes.varint(parts.length);
  let x = 0;
  let y = 0;
  for (const { points, inner } of parts) {
    // Twice the number of points is the length.
    bytes.varint(points.length + (inner ? 1 : 0));
    for (let i = 0; i < points.length; i += 2) {
      bytes.zigzag(points[i]! - x);
      bytes.zigzag(points[i + 1]! - y);
      x = points[i]!;
      y = points[i + 1]!;
    }
  }
}

/** Reads a shape from `at`, less the origin and divided by 2 ** shift, without repeated points. */
export function readShape(
  bytes: Uint8Array,
  at: number,
  { x: originX, y: originY, shift }: { x: number; y: number; shift: number },
): { points: number[]; inner: boolean }[] {
  let next = at;
  const readVarint = (): number => {
    let value = 0;
    for (let by = 0; by < 35; by += 7) {
      const byte = bytes[next++]!;
      value |= (byte & 0x7f) << by;
      if (byte < 0x80) break;
    }
    return value >>> 0;
  };
  const half = shift === 0 ? 0 : 1 << (shift - 1);
  const parts = Array.from({ length: readVarint() }, () => ({
    points: [] as number[],
    inner: false,
  }));
  let x = half - originX;
  let y = half - originY;
  for (const part of parts) {
    const head = readVarint();
    part.inner = (head & 1) === 1;
    const { points } = part;
    let lastX = NaN;
    let lastY = NaN;
    for (let left = head >>> 1; left > 0; left--) {
      const stepX = readVarint();
      const stepY = readVarint();
      x += (stepX >>> 1) ^ -(stepX & 1);
      y += (stepY >>> 1) ^ -(stepY & 1);
      const tileX = x >> shift;
      const tileY = y >> shift;
      if (tileX === lastX && tileY === lastY) continue;
      points.push(tileX, tileY);
      lastX = tileX;
      lastY = tileY;
    }
  }
  return parts;
}
