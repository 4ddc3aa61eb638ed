/** The maps of a made extract's pages, by the slowest way of finding what each needs. */
import { createMapSection } from "../../tiles/tiles-section.ts";
import {
  boxOfCell,
  levelOfZoom,
  type PageCell,
  PAGE_LEVELS,
  type PageLevel,
} from "../../pages/page-cell.ts";
import { isTouching, type TileBox, tileBox, toGrid, toX, toY } from "../../tiles/grid.ts";
import type { MapFacts } from "../../tiles/map-facts.ts";
import { mapReachOf } from "../../tiles/map-needs.ts";
import { MapSurvey } from "../../tiles/map-survey.ts";
import type { BaseMap } from "../../tiles/open-tiles.ts";
import {
  type Feature,
  finishMap,
  inOrder,
  isWanted,
} from "../../../../test/support/map-features.ts";

export type PagedMap = {
  tile(z: number, x: number, y: number): Uint8Array | null;
  pages: readonly { level: PageLevel; cell: PageCell; map: BaseMap; features: number }[];
};

/** `cells`: of each level, none of which overlap. */
export function pagedMapOf(
  features: readonly Feature[],
  cells: Readonly<Record<PageLevel, readonly PageCell[]>>,
): PagedMap {
  const survey = new MapSurvey();
  const wanted = inOrder(features).filter((each) => isWanted(each));
  const looked = wanted.map((feature) => ({
    feature,
    zoom: survey.look(feature),
    box: boxOf(feature),
  }));
  // As it is handed to a thread.
  const facts = structuredClone(survey.finish());
  const pages = (Object.keys(PAGE_LEVELS) as PageLevel[]).flatMap((level) =>
    cells[level].map((cell) => {
      const own = looked
        .filter(({ zoom }) => zoom !== null && zoom <= PAGE_LEVELS[level].map.to)
        .filter(({ feature, box }) =>
          isTouching(box, widen(cell, mapReachOf(level, cell, feature))),
        )
        .map(({ feature }) => feature);
      return { level, cell, map: toPage(own, level, cell, facts), features: own.length };
    }),
  );
  return {
    pages,
    tile(z, x, y) {
      const level = levelOfZoom(z);
      const page = pages.find((each) => each.level === level && holds(each.cell, { z, x, y }));
      return page?.map.tile(z, x, y) ?? null;
    },
  };
}

function toPage(
  features: readonly Feature[],
  level: PageLevel,
  cell: PageCell,
  facts: MapFacts,
): BaseMap {
  const section = createMapSection({ level, cell, facts });
  for (const each of features)
    if (each.type === "node") section.node(each);
    else if (each.type === "way") section.way(each);
    else section.relation(each);
  return finishMap(section);
}

function holds(cell: PageCell, tile: PageCell): boolean {
  const size = 2 ** (tile.z - cell.z);
  return size >= 1 && Math.floor(tile.x / size) === cell.x && Math.floor(tile.y / size) === cell.y;
}

function widen(cell: PageCell, by: number): TileBox {
  const { west, north, east, south } = boxOfCell(cell);
  return { minX: west - by, minY: north - by, maxX: east + by, maxY: south + by };
}

function boxOf(feature: Feature): TileBox {
  if (feature.type === "node") return tileBox([toX(feature.lon7), toY(feature.lat7)]);
  if (feature.type === "way") return tileBox(toGrid(feature.points));
  return tileBox(feature.rings.flatMap(({ points }) => toGrid(points)));
}
