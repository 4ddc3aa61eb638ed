/** Parts of a group that lie apart: things within a gap of one another are of one part. */
import { type Buckets, bucketsOf } from "./buckets.ts";
import { metresOf, type Point7 } from "./metres.ts";

/** South, west, north, east. */
export type ClusterBox7 = readonly [number, number, number, number];

/** The box that is one point. */
export function pointBox({ lat7, lon7 }: Point7): ClusterBox7 {
  return [lat7, lon7, lat7, lon7];
}

/** Boxes one behind the other, each south, west, north, east. */
export type Boxes = Int32Array;

/** Boxes of each part, the parts in the order of their first boxes. */
export function clusterBoxes(boxes: Boxes, gap_m: number): Buckets {
  const count = boxes.length / 4;
  if (count <= 1) return bucketsOf(new Uint32Array(count), count);
  const parents = Uint32Array.from({ length: count }, (_, i) => i);
  const rootOf = (i: number): number => {
    let at = i;
    while (parents[at] !== at) at = parents[at] = parents[parents[at]!]!;
    return at;
  };
  const order = parents.slice().sort((a, b) => boxes[a * 4]! - boxes[b * 4]! || a - b);
  for (let i = 0; i < count; i++)
    for (let j = i - 1; j >= 0 && i - j <= MAX_LOOK_BACK; j--) {
      const [a, b] = [rootOf(order[i]!), rootOf(order[j]!)];
      if (a !== b && gapOf(boxes, boxes, { i: order[i]!, j: order[j]! }) <= gap_m)
        parents[Math.max(a, b)] = Math.min(a, b);
    }
  const numbers = new Map<number, number>();
  const parts = parents.map((_, i) => {
    const root = rootOf(i);
    const number = numbers.get(root) ?? numbers.size;
    numbers.set(root, number);
    return number;
  });
  return bucketsOf(parts, numbers.size);
}

/** A group of thousands is not compared each with each. */
const MAX_LOOK_BACK = 200;

/** Metres between two boxes, or box i of some and box j of others; 0: they touch. */
export function gapOf(
  boxes: ArrayLike<number>,
  others: ArrayLike<number>,
  { i = 0, j = 0 }: { i?: number; j?: number } = {},
): number {
  const [a, b] = [i * 4, j * 4];
  const north = Math.max(0, others[b]! - boxes[a + 2]!, boxes[a]! - others[b + 2]!);
  const east = Math.max(0, others[b + 1]! - boxes[a + 3]!, boxes[a + 1]! - others[b + 3]!);
  return metresOf(north, east, boxes[a]!);
}

/** The box around all. */
export function unionOf(boxes: Boxes): Boxes {
  const union = boxes.slice(0, 4);
  for (let i = 4; i < boxes.length; i += 4) {
    union[0] = Math.min(union[0]!, boxes[i]!);
    union[1] = Math.min(union[1]!, boxes[i + 1]!);
    union[2] = Math.max(union[2]!, boxes[i + 2]!);
    union[3] = Math.max(union[3]!, boxes[i + 3]!);
  }
  return union;
}

/** The box around points lat7, lon7, …. */
export function clusterBox(points: Int32Array): [number, number, number, number] {
  let [south, west, north, east] = [points[0]!, points[1]!, points[0]!, points[1]!];
  for (let i = 2; i < points.length; i += 2) {
    south = Math.min(south, points[i]!);
    north = Math.max(north, points[i]!);
    west = Math.min(west, points[i + 1]!);
    east = Math.max(east, points[i + 1]!);
  }
  return [south, west, north, east];
}
