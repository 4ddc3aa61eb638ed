/** Parts of a group that lie apart: things within a gap of one another are of one part. */
import { metresOf } from "./metres.ts";

/** South, west, north, east. */
export type Box7 = readonly [number, number, number, number];

/** Part of each box, numbered from 0 in order of appearance. */
export function clusterBoxes(boxes: readonly Box7[], gap_m: number): number[] {
  const parents = boxes.map((_, i) => i);
  const rootOf = (i: number): number => {
    let at = i;
    while (parents[at] !== at) at = parents[at] = parents[parents[at]!]!;
    return at;
  };
  const order = boxes.map((_, i) => i).sort((a, b) => boxes[a]![0] - boxes[b]![0] || a - b);
  for (let i = 0; i < order.length; i++)
    for (let j = i - 1; j >= 0 && i - j <= MAX_LOOK_BACK; j--) {
      const [a, b] = [order[i]!, order[j]!];
      if (rootOf(a) !== rootOf(b) && gapOf(boxes[a]!, boxes[b]!) <= gap_m)
        parents[Math.max(rootOf(a), rootOf(b))] = Math.min(rootOf(a), rootOf(b));
    }
  const numbers = new Map<number, number>();
  return boxes.map((_, i) => {
    const root = rootOf(i);
    if (!numbers.has(root)) numbers.set(root, numbers.size);
    return numbers.get(root)!;
  });
}

/** A group of thousands is not compared each with each. */
const MAX_LOOK_BACK = 200;

/** Metres between two boxes; 0: they touch. */
export function gapOf(a: Box7, b: Box7): number {
  const north = Math.max(0, b[0] - a[2], a[0] - b[2]);
  const east = Math.max(0, b[1] - a[3], a[1] - b[3]);
  return metresOf(north, east, a[0]);
}

export function unionOf(boxes: readonly Box7[]): Box7 {
  return boxes.reduce((a, b) => [
    Math.min(a[0], b[0]),
    Math.min(a[1], b[1]),
    Math.max(a[2], b[2]),
    Math.max(a[3], b[3]),
  ]);
}
