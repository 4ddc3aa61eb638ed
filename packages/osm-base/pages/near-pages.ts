/** Which pages a circle touches, across the antimeridian and at the poles, too. */
import { distance_m } from "#kit/geo.ts";
import { cellsAround } from "../base/cover-cells.ts";
import { FULL_BITS, toLat, toLon, toX, toY } from "../tiles/grid.ts";
import { boxOfCell, type PageCell } from "./page-cell.ts";
import type { PageTable } from "./page-table.ts";

type Circle = { lat: number; lon: number; radius_m: number };

const WORLD = 2 ** FULL_BITS;
/** What lies on an edge is in one of two cells by the last digit of its place. */
const SLACK_M = 1;

/** Numbers of the pages of a table that a circle touches, in ascending order. `cellOf`: of a number. */
export function numbersAround(
  table: PageTable,
  cellOf: (number: number) => PageCell,
  circle: Circle,
): number[] {
  const wide = { ...circle, radius_m: circle.radius_m + SLACK_M };
  const [south, west, north, east] = cellsAround(wide);
  const [top, bottom] = [toY(north * 1e7), toY(south * 1e7)];
  const numbers = new Set<number>();
  for (const [left, right] of spansOf(west, east))
    for (const number of table.touching({
      west: Math.max(0, toX(left * 1e7) - 1),
      east: Math.min(WORLD, toX(right * 1e7) + 1),
      north: Math.max(0, top - 1),
      south: Math.min(WORLD, bottom + 1),
    }))
      numbers.add(number);
  if (numbers.size <= 1) return [...numbers];
  return [...numbers]
    .filter((number) => distanceTo(cellOf(number), circle) <= wide.radius_m)
    .sort((a, b) => a - b);
}

/** Of longitudes that may go on beyond the antimeridian, the parts on this side of it. */
function spansOf(west: number, east: number): [west: number, east: number][] {
  if (east - west >= 360) return [[-180, 180]];
  if (west < -180)
    return [
      [west + 360, 180],
      [-180, east],
    ];
  if (east > 180)
    return [
      [west, 180],
      [-180, east - 360],
    ];
  return [[west, east]];
}

/** Metres from the centre to the nearest point of a cell; 0: it is in it. */
function distanceTo(cell: PageCell, { lat, lon }: Circle): number {
  const box = boxOfCell(cell);
  const [west, east] = [toLon(box.west), toLon(box.east)];
  // Beyond the edges of the map the outermost rows go on to the poles.
  const north = box.north === 0 ? 90 : toLat(box.north);
  const south = box.south === WORLD ? -90 : toLat(box.south);
  const clamped = (at: number): number => Math.max(south, Math.min(north, at));
  if (lon >= west && lon <= east) return distance_m(lat, lon, clamped(lat), lon);
  const toEdge = (edge: number): number =>
    distance_m(lat, lon, clamped(nearestOn(edge, lat, lon)), edge);
  return Math.min(toEdge(west), toEdge(east));
}

/** The latitude at which a meridian is nearest to a point. */
function nearestOn(meridian: number, lat: number, lon: number): number {
  const apart = ((meridian - lon) * Math.PI) / 180;
  const radians = (lat * Math.PI) / 180;
  if (Math.cos(apart) <= 0) return lat >= 0 ? 90 : -90;
  return (Math.atan2(Math.sin(radians), Math.cos(radians) * Math.cos(apart)) * 180) / Math.PI;
}
