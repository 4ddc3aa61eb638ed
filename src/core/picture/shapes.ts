/** Outlines of lines, circles and boxes, all turning the same way, so that those that overlap add up. */
import type { Point } from "./raster.ts";

/** Corners of a circle. */
const CORNERS = 32;
/** Of the round end of a line. */
const END_CORNERS = 8;

export function circle([x, y]: Point, radius: number, corners = CORNERS): Point[] {
  return Array.from({ length: corners }, (_, n) => {
    const turn = (n / corners) * 2 * Math.PI;
    return [x + radius * Math.cos(turn), y + radius * Math.sin(turn)] as const;
  });
}

/** A ring as two outlines. */
export function ring(middle: Point, radius: number, width: number): Point[][] {
  const corners = Math.max(CORNERS, Math.ceil(radius));
  return [circle(middle, radius, corners), circle(middle, radius - width, corners).toReversed()];
}

export function box(x: number, y: number, width: number, height: number): Point[] {
  return [
    [x, y],
    [x + width, y],
    [x + width, y + height],
    [x, y + height],
  ];
}

/** A box whose corners are quarters of circles. */
export function roundBox(
  { x, y, width, height }: { x: number; y: number; width: number; height: number },
  radius: number,
): Point[] {
  const middles = [
    [x + width - radius, y + height - radius],
    [x + radius, y + height - radius],
    [x + radius, y + radius],
    [x + width - radius, y + radius],
  ] as const;
  return middles.flatMap(([cx, cy], quarter) =>
    Array.from({ length: 9 }, (_, n): Point => {
      const turn = ((quarter + n / 8) * Math.PI) / 2;
      return [cx + radius * Math.cos(turn), cy + radius * Math.sin(turn)];
    }),
  );
}

/** The outlines of a line of this width: a box for each piece, and a disc at its points where it is wide. */
export function stroke(line: readonly Point[], width: number): Point[][] {
  const outlines: Point[][] = [];
  const half = width / 2;
  for (let i = 1; i < line.length; i++) {
    const [ax, ay] = line[i - 1]!;
    const [bx, by] = line[i]!;
    const length = Math.hypot(bx - ax, by - ay);
    if (length === 0) continue;
    const [nx, ny] = [((by - ay) / length) * half, ((ax - bx) / length) * half];
    outlines.push([
      [ax + nx, ay + ny],
      [bx + nx, by + ny],
      [bx - nx, by - ny],
      [ax - nx, ay - ny],
    ]);
    if (width > 3) outlines.push(circle([bx, by], half, END_CORNERS));
  }
  return outlines;
}
