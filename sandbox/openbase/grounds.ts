// Ground of a city: the river, greens and the built-up area.
import { around, type Point } from "../geo.ts";
import { hash } from "../rng.ts";
import type { City } from "../world/model.ts";
import { drawGround } from "../world/plan.ts";
import { type Drawing, type Position, toPosition } from "./drawing.ts";
import { HALF_RIVER_M } from "../streets/river.ts";
import { roundRing, toPoint } from "./plane.ts";

const BUILT_M = 2_700;

export function drawGrounds(city: City, seed: number, drawing: Drawing): void {
  const built = roundRing(hash(seed, 0x6275), BUILT_M, 36);
  drawing.area(
    built.map((spot) => toPosition(toPoint(city, spot))),
    { landuse: "residential" },
  );
  for (const { geometry } of drawGround(city, seed)) {
    if (geometry.type === "Polygon")
      drawing.area(geometry.coordinates[0]!.slice(1).map(toWhole), { leisure: "park" });
    else drawRiver(geometry.coordinates.map(toDegrees), drawing);
  }
}

const toDegrees = ([lon, lat]: readonly [number, number]): Point => ({ lat, lon });
const toWhole = (at: readonly [number, number]): Position => toPosition(toDegrees(at));

function drawRiver(points: readonly Point[], drawing: Drawing): void {
  drawing.line(points, { waterway: "river" });
  const turnAt = (n: number): number => {
    const [from, to] = [points[Math.max(0, n - 1)]!, points[Math.min(points.length - 1, n + 1)]!];
    const east = (to.lon - from.lon) * Math.cos((from.lat * Math.PI) / 180);
    return Math.atan2(east, to.lat - from.lat) / (2 * Math.PI);
  };
  const bank = (quarter: number): Point[] =>
    points.map((at, n) => around(at, turnAt(n) + quarter, HALF_RIVER_M));
  drawing.area([...bank(0.25), ...bank(0.75).toReversed()].map(toPosition), {
    natural: "water",
    water: "river",
  });
}
