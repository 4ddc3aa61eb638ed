// Straight lines inside of a polygon with holes, on a plane: squares are small.
import type { Point } from "../geo.ts";

type Ring = readonly Point[];

/** Twice the area of the triangle, positive where it turns to the left. */
const bend = (a: Point, b: Point, c: Point): number =>
  (b.lon - a.lon) * (c.lat - a.lat) - (b.lat - a.lat) * (c.lon - a.lon);

/** Whether the shortest line inside may bend around a corner of a ring. */
export function isCorner(ring: Ring, n: number, is_hole: boolean): boolean {
  const [before, at, after] = [ring.at(n - 1)!, ring[n]!, ring[(n + 1) % ring.length]!];
  const turns_left = bend(before, at, after) > 0;
  return (turns_left === is_hole) === isLeftTurning(ring);
}

const isLeftTurning = (ring: Ring): boolean =>
  ring.reduce((sum, at, n) => {
    const next = ring[(n + 1) % ring.length]!;
    return sum + (at.lon * next.lat - next.lon * at.lat);
  }, 0) > 0;

/** Whether the line stays in the polygon: looked at in many places between its ends. */
export function isInside(from: Point, to: Point, rings: readonly Ring[]): boolean {
  for (let step = 1; step < LOOKS; step += 1) {
    const share = step / LOOKS;
    const at = {
      lat: from.lat + (to.lat - from.lat) * share,
      lon: from.lon + (to.lon - from.lon) * share,
    };
    const is_in = rings.reduce((odd, ring) => odd !== isAround(ring, at), false);
    if (!is_in && !isOnRim(rings, at)) return false;
  }
  return true;
}

const LOOKS = 64;
/** A ten-millionth of a degree. */
const RIM = 1e-7;

/** Whether a ring is around a point. */
export function isAround(ring: Ring, { lat, lon }: Point): boolean {
  let odd = false;
  for (const [n, a] of ring.entries()) {
    const b = ring[(n + 1) % ring.length]!;
    if (a.lat > lat === b.lat > lat) continue;
    if (lon < a.lon + ((lat - a.lat) / (b.lat - a.lat)) * (b.lon - a.lon)) odd = !odd;
  }
  return odd;
}

const isOnRim = (rings: readonly Ring[], at: Point): boolean =>
  rings.some((ring) =>
    ring.some((a, n) => {
      const b = ring[(n + 1) % ring.length]!;
      const length = Math.sqrt((b.lon - a.lon) ** 2 + (b.lat - a.lat) ** 2);
      const along =
        ((at.lon - a.lon) * (b.lon - a.lon) + (at.lat - a.lat) * (b.lat - a.lat)) / length;
      return Math.abs(bend(a, b, at)) / length < RIM && along >= -RIM && along <= length + RIM;
    }),
  );
