/** Which groups of zooms a map has, up to which zoom, and where: all of them everywhere, or those of a page. */
import { boxOfCell, PAGE_LEVELS } from "../pages/page-cell.ts";
import { EVERYWHERE, FULL_BITS, groupOf, GROUPS, type TileBox } from "./grid.ts";
import type { MapPage } from "./map-facts.ts";
import { marginOf } from "./map-needs.ts";
import { isAtSea } from "./sea-facts.ts";
import { getKind } from "./tile-kinds.ts";

export type MapScope = {
  group: number;
  /** The last zoom at which something of it is shown. */
  max: number;
  bits: number;
  /** On the grid of the group. */
  box: TileBox;
};

const OCEAN_ZOOM = getKind("water", "ocean").zoom;

export function toScopes(page: MapPage | null): MapScope[] {
  return GROUPS.flatMap(({ max, bits }, group) => {
    if (page === null || isAll(page)) return [{ group, max, bits, box: EVERYWHERE }];
    const { from, to } = PAGE_LEVELS[page.level].map;
    if (group < groupOf(from) || group > groupOf(to)) return [];
    return [{ group, max: Math.min(max, to), bits, box: boxOfPage(page, bits) }];
  });
}

/** A base of one page has all zooms in it. */
function isAll({ level, cell }: Pick<MapPage, "level" | "cell">): boolean {
  return level === "ground" && cell.z === 0;
}

/** What the tiles of a page show, with their margins, on a grid of 2 ** bits units. */
function boxOfPage({ level, cell }: Pick<MapPage, "level" | "cell">, bits: number): TileBox {
  const { west, north, east, south } = boxOfCell(cell);
  const margin = marginOf(level, cell);
  const unit = 2 ** (FULL_BITS - bits);
  return {
    minX: (west - margin) / unit,
    minY: (north - margin) / unit,
    maxX: (east + margin) / unit,
    maxY: (south + margin) / unit,
  };
}

/** Where the sea is made: everywhere, or on the tiles of a page. */
export function seaBoxOf(page: MapPage | null): TileBox {
  return page === null || isAll(page) ? EVERYWHERE : boxOfPage(page, FULL_BITS);
}

/** Whether the map of a page has something, though no feature is near it: the sea. */
export function hasSea({ level, cell, facts: { sea } }: MapPage): boolean {
  return (
    sea !== null &&
    PAGE_LEVELS[level].map.to >= OCEAN_ZOOM &&
    isAtSea(sea, boxOfPage({ level, cell }, FULL_BITS))
  );
}
