/**
 * The area of a virtual station (GBFS 2.1 to 3.1, `station_area`): a multipolygon that may replace
 * coordinates. What is shown is a point in it.
 */
import type { Location } from "#kit/geo.ts";
import { type Row, toList, toRow } from "#kit/coerce.ts";
import {
  countCorners,
  listPolygons,
  type Polygon,
  type RingPosition,
  toPolygon,
} from "./gbfs-rings.ts";

/** Corners of one area that are read; larger areas are drawn, and their corners lie close together. */
const MOST_CORNERS = 2_000;

/** Reports whether the row has an area that it could be drawn by. */
export function hasArea(row: Row): boolean {
  return polygonsIn(row).length > 0;
}

/** A point inside the largest polygon of the area; null: it has none that can be read. */
export function pointInArea(row: Row): Location | null {
  let best: { rings: Polygon; size: number } | null = null;
  let left = MOST_CORNERS;
  for (const wire of polygonsIn(row)) {
    left -= countCorners(wire);
    if (left < 0) break;
    const rings = toPolygon(wire);
    const size = Math.abs(sizeOf(rings?.[0] ?? []));
    if (rings && size > (best?.size ?? 0)) best = { rings, size };
  }
  return best && innerPoint(best.rings);
}

function polygonsIn(row: Row): unknown[] {
  const area = toRow(row["station_area"]);
  const coordinates = toList(area?.["coordinates"]);
  return coordinates.length > 0 ? listPolygons(area?.["type"], coordinates) : [];
}

/** Twice the area in square degrees, signed. */
function sizeOf(ring: readonly RingPosition[]): number {
  let sum = 0;
  for (const [i, [lon, lat]] of ring.entries()) {
    const [next_lon, next_lat] = ring[(i + 1) % ring.length]!;
    sum += lon * next_lat - next_lon * lat;
  }
  return sum;
}

/** The middle of the widest stretch inside, on the parallel in the middle of the outline. */
function innerPoint(rings: Polygon): Location | null {
  const lats = rings[0]!.map(([, lat]) => lat);
  // A little off the middle, so that it meets no corner of a regular outline.
  const lat = Math.min(...lats) + (Math.max(...lats) - Math.min(...lats)) * 0.500_013;
  const crossings = rings.flatMap((ring) => crossingsOf(ring, lat)).sort((a, b) => a - b);
  let widest: [from: number, to: number] | null = null;
  for (let i = 0; i + 1 < crossings.length; i += 2) {
    const [from, to] = [crossings[i]!, crossings[i + 1]!];
    if (widest === null || to - from > widest[1] - widest[0]) widest = [from, to];
  }
  return widest && { lat, lon: (widest[0] + widest[1]) / 2 };
}

function crossingsOf(ring: readonly RingPosition[], at: number): number[] {
  return ring.flatMap(([lon, lat], i) => {
    const [next_lon, next_lat] = ring[(i + 1) % ring.length]!;
    const crosses = lat > at !== next_lat > at;
    return crosses ? [lon + ((at - lat) / (next_lat - lat)) * (next_lon - lon)] : [];
  });
}
