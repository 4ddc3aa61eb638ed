// Areas around a city in metres east and north of its middle.
import { offset, type Point } from "../geo.ts";
import { unit } from "../rng.ts";

export type Spot = readonly [east_m: number, north_m: number];
export type Ring = readonly Spot[];

const M_PER_DEGREE = 111_195;

export const toSpot = (middle: Point, at: Point): Spot => [
  (((((at.lon - middle.lon + 540) % 360) + 360) % 360) - 180) * M_PER_DEGREE * cosine(middle),
  (at.lat - middle.lat) * M_PER_DEGREE,
];

export const toPoint = (middle: Point, [east_m, north_m]: Spot): Point =>
  offset(middle, east_m, north_m);

const cosine = ({ lat }: Point): number => Math.cos((lat * Math.PI) / 180);

/** A rough circle. */
export const roundRing = (key: number, radius_m: number, corners: number): Ring =>
  Array.from({ length: corners }, (_, n): Spot => {
    const angle = (n / corners) * 2 * Math.PI;
    const reach_m = radius_m * (0.96 + 0.04 * unit(key, n));
    return [Math.sin(angle) * reach_m, Math.cos(angle) * reach_m];
  });

/** What of the ring is nearer to `own` than to any of the others. */
export const nearestPart = (ring: Ring, spot: Spot, others: readonly Spot[]): Ring =>
  others.reduce((left, other) => {
    const [east, north] = [other[0] - spot[0], other[1] - spot[1]];
    const middle = (east * (spot[0] + other[0]) + north * (spot[1] + other[1])) / 2;
    return cut(left, [east, north], middle);
  }, ring);

/** The parts of the ring on the two sides of the antimeridian, a metre from it. */
export function sides(ring: Ring, middle: Point): Ring[] {
  const to_m = (180 - Math.abs(middle.lon)) * M_PER_DEGREE * cosine(middle);
  const east_m = middle.lon < 0 ? -to_m : to_m;
  return [cut(ring, [1, 0], east_m - 1), cut(ring, [-1, 0], -(east_m + 1))].filter(
    (part) => part.length > 2,
  );
}

/** The part for which `direction · spot ≤ most`. */
function cut(ring: Ring, [a, b]: Spot, most: number): Ring {
  const over = (spot: Spot): number => a * spot[0] + b * spot[1] - most;
  return ring.flatMap((from, n) => {
    const to = ring[(n + 1) % ring.length]!;
    const [before, after] = [over(from), over(to)];
    const remaining = before <= 0 ? [from] : [];
    if (before <= 0 === after <= 0) return remaining;
    const share = before / (before - after);
    const crossing: Spot = [
      from[0] + (to[0] - from[0]) * share,
      from[1] + (to[1] - from[1]) * share,
    ];
    return [...remaining, crossing];
  });
}
