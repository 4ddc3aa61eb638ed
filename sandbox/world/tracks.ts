// Where the tracks of a line lie: through its stops in their order, in curves between them.
import { distance, offset, type Point } from "../geo.ts";
import { unit } from "../rng.ts";
import type { Line, TransitStation } from "./transit-model.ts";

/** Points from one stop to the next. */
const STEPS = 7;
/** Metres that a track leaves the way between two stops, and its share of that way. */
const SWAY_M = 70;
const SWAY = 0.09;

export function layTrack({ key, outbound }: Line, stations: readonly TransitStation[]): Point[] {
  const stops = outbound.flatMap(({ station }) => stations[station] ?? []);
  const [first] = stops;
  const last = stops.at(-1);
  if (!first || !last) return [];
  const ways = stops.slice(1).flatMap((to, n) => {
    const from = stops[n] as Point;
    const [before, after] = [stops[n - 1] ?? from, stops[n + 2] ?? to];
    const sway_m = (unit(key, 50, n) - 0.5) * 2 * Math.min(SWAY_M, distance(from, to) * SWAY);
    return Array.from({ length: STEPS }, (_, step) =>
      aside(
        curve([before, from, to, after], step / STEPS),
        { from, to },
        sway_m * Math.sin((step / STEPS) * Math.PI) ** 2,
      ),
    );
  });
  return [...ways, { lat: last.lat, lon: last.lon }];
}

/** A point of a Catmull-Rom curve between the second and the third. */
function curve(points: readonly [Point, Point, Point, Point], t: number): Point {
  const [a, b, c, d] = points;
  const along = (of: (point: Point) => number): number => {
    const [p, q, r, s] = [of(a), of(b), of(c), of(d)];
    return q + 0.5 * t * (r - p + t * (2 * p - 5 * q + 4 * r - s + t * (3 * (q - r) + s - p)));
  };
  return { lat: along(({ lat }) => lat), lon: b.lon + along(({ lon }) => wrap(lon - b.lon)) };
}

/** Moved to the right of the way from one stop to the next. */
function aside(at: Point, { from, to }: { from: Point; to: Point }, right_m: number): Point {
  const north = to.lat - from.lat;
  const east = wrap(to.lon - from.lon) * Math.cos((from.lat * Math.PI) / 180);
  const length = Math.hypot(north, east) || 1;
  return offset(at, (right_m * north) / length, (-right_m * east) / length);
}

/** Across the antimeridian, too. */
const wrap = (lon: number): number => (lon > 180 ? lon - 360 : lon < -180 ? lon + 360 : lon);
