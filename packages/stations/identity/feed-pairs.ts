/**
 * Pairs of feeds that are compared at all: those that touch and are not known to be different
 * operators'.
 */
import { DIFFERENT } from "./kinship.ts";
import type { Prepared } from "./prepare.ts";

/** Places of two feeds; pairs with the same second one are adjacent. */
export type FeedPair = readonly [number, number];

type Reach = { south: number; north: number; west: number; east: number };

/** How far beyond one another's boxes two feeds are still compared, in degrees: some 20 km. */
const BOX_MARGIN = 0.2;

export function listFeedPairs(prepared: Prepared): FeedPair[] {
  const boxes = prepared.rows.map((rows) => boxOfRows(prepared, rows));
  const order = boxes.map((_, feed) => feed).sort((a, b) => boxes[a]!.south - boxes[b]!.south);
  let open: number[] = [];
  return order.flatMap((feed) => {
    const box = boxes[feed]!;
    open = open.filter((other) => boxes[other]!.north >= box.south);
    const near = open.filter(
      (other) => touches(boxes[other]!, box) && prepared.kinship(other, feed) !== DIFFERENT,
    );
    open.push(feed);
    return near.map((other) => [other, feed] as const);
  });
}

function boxOfRows(prepared: Prepared, rows: readonly number[]): Reach {
  const box = { south: 90, north: -90, west: 180, east: -180 };
  for (const i of rows) {
    const margin_lon = Math.min(360, BOX_MARGIN / prepared.cos[i]!);
    box.south = Math.min(box.south, prepared.lat[i]! - BOX_MARGIN);
    box.north = Math.max(box.north, prepared.lat[i]! + BOX_MARGIN);
    box.west = Math.min(box.west, prepared.lon[i]! - margin_lon);
    box.east = Math.max(box.east, prepared.lon[i]! + margin_lon);
  }
  return box;
}

/** Longitudes across the antimeridian: a box there spans the globe, or its twin is looked at by 360. */
function touches(a: Reach, b: Reach): boolean {
  return [-360, 0, 360].some((turn) => a.west <= b.east + turn && b.west + turn <= a.east);
}
