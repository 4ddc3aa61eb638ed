/** Finds out which zooms show each feature of an extract, and what its pages need to know of all of it. */
import { toGrid, toX, toY } from "./grid.ts";
import type { MapFacts } from "./map-facts.ts";
import { type MapFeature, zoomOfNode, zoomOfRelation, zoomOfWay } from "./map-needs.ts";
import { SeaSurvey } from "./sea-survey.ts";
import { Boundaries } from "./tile-boundaries.ts";
import { looksOf } from "./way-looks.ts";

/** Takes every feature that has one of the map's keys, all relations before the first way. */
export class MapSurvey {
  readonly #sea = new SeaSurvey();
  readonly #boundaries = new Boundaries();

  /** The lowest zoom whose tiles may show the feature; null: no map has it. */
  look(feature: MapFeature): number | null {
    if (feature.type === "relation") {
      this.#boundaries.add(feature);
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
    if (looks.isPlace) this.#sea.mark(toX(points[1]!), toY(points[0]!));
    if (looks.isCoast) this.#sea.coast(toGrid(points));
    return zoomOfWay(feature, looks);
  }

  finish(): MapFacts {
    return { sea: this.#sea.finish(), borders: this.#boundaries.toFacts() };
  }
}
