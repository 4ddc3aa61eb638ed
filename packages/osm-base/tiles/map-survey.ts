/** Finds out which zooms show each feature of an extract, and what its pages need to know of all of it. */
import type { RelationFeature } from "../base/base-features.ts";
import { PAGE_LEVELS } from "../pages/page-cell.ts";
import { FULL_BITS, tileBox, toGrid, toX, toY } from "./grid.ts";
import type { MapFacts } from "./map-facts.ts";
import { type MapFeature, zoomOfNode, zoomOfRelation, zoomOfWay } from "./map-needs.ts";
import { SeaSurvey } from "./sea-survey.ts";
import { Boundaries } from "./tile-boundaries.ts";
import { findKind } from "./tile-kinds.ts";
import { looksOf } from "./way-looks.ts";
import { createWayNumbers } from "./way-numbers.ts";

/** Takes every feature that has one of the map's keys, all relations before the first way. */
export class MapSurvey {
  readonly #sea = new SeaSurvey();
  readonly #boundaries = new Boundaries();
  readonly #outlines = createWayNumbers((_, next) => next);

  /** The lowest zoom whose tiles may show the feature; null: no map has it. */
  look(feature: MapFeature): number | null {
    if (feature.type === "relation") {
      this.#boundaries.add(feature);
      this.#noteOutlines(feature);
      return zoomOfRelation(feature);
    }
    if (feature.type === "node") {
      const zoom = zoomOfNode(feature);
      if (zoom !== null && feature.tags.has("place"))
        this.#sea.mark(toX(feature.lon7), toY(feature.lat7));
      return zoom;
    }
    const { points } = feature;
    const looks = looksOf(feature, this.#boundaries);
    if (points.length < 4) return null;
    const isOutline = looks.area !== null && this.#outlines.get(feature.id) === looks.area.number;
    if (looks.isPlace) this.#sea.mark(toX(points[1]!), toY(points[0]!));
    if (looks.isCoast) this.#sea.coast(toGrid(points));
    return zoomOfWay(feature, isOutline ? { ...looks, area: null } : looks);
  }

  /**
   * Of a relation with a hole that may have a page within it: that page has not the relation, and must
   * not have the way around it either.
   */
  #noteOutlines({ tags, rings, members }: RelationFeature): void {
    const kind = findKind("area", tags);
    if (kind === null || !rings.some((ring) => ring.inner && isLarge(ring.points))) return;
    for (const { type, id, role } of members)
      if (type === "way" && role !== "inner") this.#outlines.set(id, kind.number);
  }

  finish(): MapFacts {
    return { sea: this.#sea.finish(), borders: this.#boundaries.toFacts() };
  }
}

const LEAST_CELL = 2 ** (FULL_BITS - PAGE_LEVELS.ground.zoom);

/** Whether a cell of a page has room in a ring. */
function isLarge(points: Int32Array): boolean {
  const { minX, minY, maxX, maxY } = tileBox(toGrid(points));
  return maxX - minX >= LEAST_CELL && maxY - minY >= LEAST_CELL;
}
