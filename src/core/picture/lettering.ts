/** Text as outlines, in the one font of pictures: letters from left to right, without joining them. */
import glyphs from "./glyphs.json" with { type: "json" };
import type { Point } from "./raster.ts";

const { units } = glyphs;
const LETTERS = new Map(
  glyphs.letters.map(([letter, advance, path]) => [
    String(letter),
    { advance: Number(advance), path: String(path) },
  ]),
);
const MISSING = { advance: 0, path: "" };
/** Pieces of a curve. */
const PIECES = 4;
const CUT = "…";

/** Whether the font has all of a text, so that it can be written. */
export function canWrite(text: string): boolean {
  return Array.from(text).every((letter) => LETTERS.has(letter));
}

/** Pixels that a text takes. */
export function widthOf(text: string, size: number): number {
  return (
    Array.from(text).reduce((sum, letter) => sum + (LETTERS.get(letter)?.advance ?? 0), 0) *
    (size / units)
  );
}

/** The text, or as much of its beginning as the width holds. */
export function fitted(text: string, size: number, width: number): string {
  if (widthOf(text, size) <= width) return text;
  const letters = Array.from(text);
  while (letters.length > 0 && widthOf(letters.join("") + CUT, size) > width) letters.pop();
  return letters.join("").trimEnd() + CUT;
}

/** Outlines of a text whose baseline begins at a point. */
export function* write(text: string, [x, y]: Point, size: number): Generator<Point[]> {
  const scale = size / units;
  let at = x;
  for (const letter of text) {
    const { advance, path } = LETTERS.get(letter) ?? MISSING;
    for (const outline of outlinesOf(path))
      yield outline.map(([px, py]) => [at + px * scale, y - py * scale]);
    at += advance * scale;
  }
}

/** Reads outlines of straight lines (L) and curves with one control (Q), each begun by M. */
function outlinesOf(path: string): Point[][] {
  const outlines: Point[][] = [];
  for (const [, command = "", numbers = ""] of path.matchAll(/([MLQ])([^MLQ]+)/g)) {
    const [a = 0, b = 0, c = 0, d = 0] = numbers.split(" ").map(Number);
    if (command === "M") outlines.push([[a, b]]);
    const outline = outlines.at(-1)!;
    if (command === "L") outline.push([a, b]);
    if (command === "Q") outline.push(...curve(outline.at(-1)!, [a, b], [c, d]));
  }
  return outlines;
}

function curve([ax, ay]: Point, [bx, by]: Point, [cx, cy]: Point): Point[] {
  return Array.from({ length: PIECES }, (_, n) => {
    const t = (n + 1) / PIECES;
    const [p, q, r] = [(1 - t) ** 2, 2 * t * (1 - t), t * t];
    return [p * ax + q * bx + r * cx, p * ay + q * by + r * cy] as const;
  });
}
