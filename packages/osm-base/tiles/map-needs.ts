/** Which pages need a feature for their maps: those of the levels that show it, as far as it reaches. */
import type { NodeFeature, RelationFeature, WayFeature } from "../base/base-features.ts";
import { type PageCell, type PageLevel, PAGE_LEVELS } from "../pages/page-cell.ts";
import { FULL_BITS, groupOf, GROUPS, toGrid, toRing } from "./grid.ts";
import { joinReach } from "./join-squares.ts";
import { SQUARE_SIZE } from "./sea-facts.ts";
import { findKind, getKind, type Kind } from "./tile-kinds.ts";
import { toLabel } from "./tile-labels.ts";
import { doubleArea } from "./tile-rings.ts";
import type { WayLooks } from "./way-looks.ts";
import { zoomOfArea, zoomOfAreaLabel, zoomOfLine, zoomOfPoint } from "./zooms.ts";

export type MapFeature = NodeFeature | WayFeature | RelationFeature;

const OCEAN = getKind("water", "ocean");

/** The lowest zoom whose tiles may show a node; null: no map has it. */
export function zoomOfNode({ tags }: NodeFeature): number | null {
  const kind = findKind("point", tags);
  return kind === null || toLabel(tags) === "" ? null : zoomOfPoint(kind, tags);
}

/** The same of the area of a relation; a boundary is drawn along its ways. */
export function zoomOfRelation({ tags, rings }: RelationFeature): number | null {
  const kind = findKind("area", tags);
  if (kind === null) return null;
  const sizes = rings.flatMap(({ points, inner }) => (inner ? [] : [sizeOf(points)]));
  return sizes.length === 0 ? null : lowestOfArea(kind, Math.max(...sizes));
}

/** The same of a way that is drawn as these. */
export function zoomOfWay({ tags, points }: WayFeature, looks: WayLooks): number | null {
  const { isCoast, border, area, line } = looks;
  let zoom = isCoast ? OCEAN.zoom : Infinity;
  if (border !== null) zoom = Math.min(zoom, border.zoom);
  if (area !== null)
    zoom = Math.min(zoom, isNear(area) ? area.zoom : lowestOfArea(area, sizeOf(points)));
  if (line !== null) zoom = Math.min(zoom, zoomOfLine(line, tags));
  return zoom === Infinity ? null : zoom;
}

/** Near maps alone show it, so that its size decides nothing: most areas are buildings. */
function isNear({ zoom, label }: Kind): boolean {
  return zoom >= PAGE_LEVELS.ground.map.from && label === null;
}

/** Holes make an area smaller, and shown from greater zooms only. */
function lowestOfArea(kind: Kind, size: number): number {
  const zoom = zoomOfArea(kind, size);
  return kind.label === null ? zoom : Math.min(zoom, zoomOfAreaLabel(size));
}

function sizeOf(points: Int32Array): number {
  return Math.abs(doubleArea(toRing(toGrid(points))));
}

/** A margin is this share of a tile. */
const MARGIN = 1 / 64;
/** Points are rounded to the grid of a group. */
const ROUNDED = 2 ** (FULL_BITS - GROUPS[0]!.bits);

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
  const margin = marginOf(level, cell) + ROUNDED;
  if (feature.type !== "way") return margin;
  if (feature.tags.get("natural") === "coastline") return margin + SQUARE_SIZE;
  return margin + joinReach(groupOf(PAGE_LEVELS[level].map.from));
}

function sizeAt(z: number): number {
  return 2 ** (FULL_BITS - z);
}
