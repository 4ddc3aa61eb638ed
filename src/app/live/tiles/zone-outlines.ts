/**
 * Outlines of geofencing zones within a tile, with a margin around it so that the edge of the tile is not
 * drawn as an edge of the zone. What is projected of a pack is kept as long as the pack.
 */
import { clipRing } from "#osm/tiles/clip.ts";
import { doubleArea, turned } from "#osm/tiles/tile-rings.ts";
import type { ShapePart } from "#osm/tiles/tile-shape.ts";
import type { Zones } from "#stations/shard/shard-zones.ts";
import { EXTENT, southOf, type TilePlace } from "./tile-place.ts";

/** Units of a tile around it in which an outline goes on. */
export const ZONE_MARGIN = EXTENT / 64;

/** Units around the world: a unit of a tile of zoom 18. */
const WORLD_BITS = 30;
const WORLD = 2 ** WORLD_BITS;
/** Latitudes at which the map ends, a little beyond its edge. */
const MOST_LAT = 85.06;
/** Longitudes may be written beyond the antimeridian; further ones than this are no places. */
const MOST_LON = 360;
/** Corners that are projected or looked at without a pause. */
const STEP_CORNERS = 20_000;

/** Of each corner. */
type Projected = { x: Int32Array; y: Int32Array };

export class ZoneOutlines {
  readonly #projected = new WeakMap<Zones, Projected>();

  /** The zones of a pack that have an area in the tile, with their rings, in steps. */
  *inTile(zones: Zones, place: TilePlace): Generator<void, ZoneShape[]> {
    const near = zonesNear(zones, place);
    if (near.length === 0) return [];
    let projected = this.#projected.get(zones);
    if (!projected) {
      projected = yield* project(zones);
      this.#projected.set(zones, projected);
    }
    const shapes: ZoneShape[] = [];
    let looked = 0;
    for (const { zone, turns } of near) {
      const parts = turns.flatMap((turn) => partsOf(zones, zone, projected, { place, turn }));
      if (parts.length > 0) shapes.push({ zone, parts });
      looked += cornersOf(zones, zone);
      if (looked < STEP_CORNERS) continue;
      looked = 0;
      yield;
    }
    return shapes;
  }
}

/** A zone of a pack, by its number there, and what of it is in the tile. */
export type ZoneShape = { zone: number; parts: ShapePart[] };

type NearZone = { zone: number; turns: number[] };

/** By their boxes. `turns`: by how many times around the world it is to be moved to be in the tile. */
function zonesNear({ count, boxes }: Zones, { z, x, y }: TilePlace): NearZone[] {
  const tiles = 2 ** z;
  const by = ZONE_MARGIN / EXTENT;
  const near: NearZone[] = [];
  for (let zone = 0; zone < count; zone++) {
    const south = southOf(clampLat(boxes[4 * zone]!)) * tiles;
    const north = southOf(clampLat(boxes[4 * zone + 2]!)) * tiles;
    if (north > y + 1 + by || south < y - by) continue;
    const west = toWorld(boxes[4 * zone + 1]!) * tiles;
    const east = toWorld(boxes[4 * zone + 3]!) * tiles;
    const turns = TURNS.filter(
      (turn) => west + turn * tiles <= x + 1 + by && east + turn * tiles >= x - by,
    );
    if (turns.length > 0) near.push({ zone, turns });
  }
  return near;
}

const TURNS = [0, 1, -1];

/** Without the turn to one side of the antimeridian, which outlines may cross. */
function toWorld(lon: number): number {
  return (Math.max(-MOST_LON, Math.min(MOST_LON, lon)) + 180) / 360;
}

function clampLat(lat: number): number {
  return Math.max(-MOST_LAT, Math.min(MOST_LAT, lat));
}

function cornersOf({ rings_at, corners_at }: Zones, zone: number): number {
  return corners_at[rings_at[zone + 1]!]! - corners_at[rings_at[zone]!]!;
}

function* project({ lat, lon }: Zones): Generator<void, Projected> {
  const projected = { x: new Int32Array(lat.length), y: new Int32Array(lat.length) };
  for (let i = 0; i < lat.length; i++) {
    if (i > 0 && i % STEP_CORNERS === 0) yield;
    projected.x[i] = Math.round(toWorld(lon[i]!) * WORLD);
    projected.y[i] = Math.round(southOf(clampLat(lat[i]!)) * WORLD);
  }
  return projected;
}

type Window = { place: TilePlace; turn: number };

/** Its polygons in the tile: of each the outer ring, then the holes. */
function partsOf(zones: Zones, zone: number, projected: Projected, window: Window): ShapePart[] {
  const { rings_at, corners_at, polygon } = zones;
  const parts: ShapePart[] = [];
  let last = -1;
  let isDrawn = false;
  let area = 0;
  let from = 0;
  const endPolygon = (): void => {
    // A hole as large as what is left of the area around it leaves nothing of it.
    if (area <= 0) parts.length = from;
    from = parts.length;
    area = 0;
  };
  for (let ring = rings_at[zone]!; ring < rings_at[zone + 1]!; ring++) {
    const isOuter = polygon[ring] !== last;
    last = polygon[ring]!;
    if (isOuter) endPolygon();
    else if (!isDrawn) continue;
    const corners = [corners_at[ring]!, corners_at[ring + 1]!] as const;
    const points = ringIn(projected, corners, window);
    const size = Math.abs(doubleArea(points));
    const isThere = points.length >= 6 && size > 0;
    if (isOuter) isDrawn = isThere;
    if (!isThere) continue;
    area += isOuter ? size : -size;
    parts.push({ points: turned(points, isOuter), inner: !isOuter });
  }
  endPolygon();
  return parts;
}

const BOX = {
  minX: -ZONE_MARGIN,
  minY: -ZONE_MARGIN,
  maxX: EXTENT + ZONE_MARGIN,
  maxY: EXTENT + ZONE_MARGIN,
};

/** A ring in units of the tile, without its last point, cut at the margin. */
function ringIn(
  { x, y }: Projected,
  [from, to]: readonly [number, number],
  { place, turn }: Window,
): number[] {
  const unit = 2 ** (WORLD_BITS - place.z) / EXTENT;
  const left = place.x * EXTENT - (turn * WORLD) / unit;
  const top = place.y * EXTENT;
  const points: number[] = [];
  // Of corners that follow one another on one outer side of the box only the first and last matter.
  let sides = 0;
  for (let i = from; i < to - 1; i++) {
    const px = Math.round(x[i]! / unit - left);
    const py = Math.round(y[i]! / unit - top);
    const own = sidesOf(px, py);
    const { length } = points;
    if (length >= 4 && (own & sides) !== 0) {
      points[length - 2] = px;
      points[length - 1] = py;
    } else if (length < 2 || points[length - 2] !== px || points[length - 1] !== py)
      points.push(px, py);
    // Of the last three points, all on this side.
    sides = own & sidesBefore(points);
  }
  const { length } = points;
  if (length > 2 && points[0] === points[length - 2] && points[1] === points[length - 1])
    points.length -= 2;
  return clipRing(points, BOX);
}

function sidesBefore(points: readonly number[]): number {
  const { length } = points;
  return length < 4 ? 0 : sidesOf(points[length - 4]!, points[length - 3]!);
}

/** One bit for each side of the box beyond which a point is. */
function sidesOf(x: number, y: number): number {
  return (
    (x < BOX.minX ? 1 : 0) |
    (x > BOX.maxX ? 2 : 0) |
    (y < BOX.minY ? 4 : 0) |
    (y > BOX.maxY ? 8 : 0)
  );
}
