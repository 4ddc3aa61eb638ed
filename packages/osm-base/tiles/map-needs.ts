/** Which pages need a feature for their maps: those of the levels that show it, as far as it reaches. */
import type { NodeFeature, RelationFeature, WayFeature } from "../base/base-features.ts";
import { type PageCell, type PageLevel, PAGE_LEVELS } from "../pages/page-cell.ts";
import { FULL_BITS, toGrid, toRing } from "./grid.ts";
import { findArea, findKind, getKind, type Kind } from "./tile-kinds.ts";
import { levelOf } from "./tile-boundaries.ts";
import { toLabel } from "./tile-labels.ts";
import { doubleArea } from "./tile-rings.ts";
import { zoomOfArea, zoomOfAreaLabel, zoomOfLine, zoomOfPoint } from "./zooms.ts";

export type MapFeature = NodeFeature | WayFeature | RelationFeature;

/** Level of the administrative boundary that a way is a member of, 2 or 4; undefined: of none. */
export type BorderOf = (way: number) => number | undefined;

const OCEAN = getKind("water", "ocean");
const COUNTRY = getKind("boundary", "country");
const REGION = getKind("boundary", "region");

/**
 * The lowest zoom whose tiles may show a feature; a level needs it if that is no greater than its `to`.
 * null: no map has it. Without `borderOf` any way of a boundary may be one of a country.
 */
export function lowestZoomOf(feature: MapFeature, borderOf?: BorderOf): number | null {
  const zooms = listZooms(feature, borderOf);
  return zooms.length === 0 ? null : Math.min(...zooms);
}

function listZooms(feature: MapFeature, borderOf?: BorderOf): number[] {
  const { tags } = feature;
  if (feature.type === "node") {
    const kind = findKind("point", tags);
    return kind === null || toLabel(tags) === "" ? [] : [zoomOfPoint(kind, tags)];
  }
  if (feature.type === "relation") {
    const kind = findKind("area", tags);
    const level = levelOf(tags);
    const sizes = feature.rings.flatMap(({ points, inner }) => (inner ? [] : [sizeOf(points)]));
    return [
      ...(level === null ? [] : [zoomOfLevel(level)]),
      ...(kind === null || sizes.length === 0 ? [] : listOfArea(kind, Math.max(...sizes))),
    ];
  }
  const zooms: number[] = [];
  if (tags.get("natural") === "coastline") zooms.push(OCEAN.zoom);
  const member = borderOf === undefined && tags.has("boundary") ? 2 : borderOf?.(feature.id);
  const level = Math.min(member ?? Infinity, levelOf(tags) ?? Infinity);
  if (level < Infinity) zooms.push(zoomOfLevel(level));
  const area = feature.closed ? findArea(tags) : null;
  if (area !== null) zooms.push(...listOfArea(area, sizeOf(feature.points)));
  const line = area === null ? findKind("line", tags) : null;
  if (line !== null) zooms.push(zoomOfLine(line, tags));
  return zooms;
}

function zoomOfLevel(level: number): number {
  return level === 2 ? COUNTRY.zoom : REGION.zoom;
}

/** Holes make an area smaller, and shown from greater zooms only. */
function listOfArea(kind: Kind, size: number): number[] {
  const label = kind.label === null ? [] : [zoomOfAreaLabel(size)];
  return [zoomOfArea(kind, size), ...label];
}

function sizeOf(points: Int32Array): number {
  return Math.abs(doubleArea(toRing(toGrid(points))));
}

/** Zoom of the squares of which the sea is made. */
export const SEA_ZOOM = 10;

/**
 * Zoom of the squares within which lines are joined, by the group of zooms: a line is joined to those
 * that begin in the same square, however the base is cut into pages. No cell is smaller than eight.
 */
export const JOIN_ZOOMS = [8, 11, 14] as const;

/** A margin is this share of a tile. */
const MARGIN = 1 / 64;

/** How far beyond its cell a page draws, in units of the grid (FULL_BITS). */
export function marginOf(level: PageLevel, { z }: PageCell): number {
  return sizeAt(Math.max(z, PAGE_LEVELS[level].map.from)) * MARGIN;
}

/**
 * How far beyond its cell a page takes a feature, in units of the grid (FULL_BITS): it needs those
 * whose box touches its cell widened by as much. Lines reach further than they are drawn, since they
 * are joined to others that begin near them; coastlines by a square of the sea.
 */
export function mapReachOf(level: PageLevel, cell: PageCell, feature: MapFeature): number {
  const margin = marginOf(level, cell);
  if (feature.type !== "way") return margin;
  if (feature.tags.get("natural") === "coastline") return margin + sizeAt(SEA_ZOOM);
  return margin + 2 * sizeAt(JOIN_ZOOM_OF[level]);
}

const JOIN_ZOOM_OF = { globe: 8, world: 8, region: 11, ground: 14 } as const;

function sizeAt(z: number): number {
  return 2 ** (FULL_BITS - z);
}
