/**
 * The boundaries of countries and regions of an extract, for the head of a base: which country a point
 * is in is known without a page. They are the areas that a geocoder has of them (geocoder/intake.ts).
 */
import type { BaseSection, OsmTags } from "../base/base-features.ts";
import { type Rings, packAreas } from "../geocoder/area-index.ts";
import { boundaryOf, codesOfArea, levelOfArea } from "../geocoder/boundary-codes.ts";
import { type OsmType, osmKey } from "../geocoder/osm-key.ts";
import type { AreaFact } from "../geocoder/locality.ts";

/** Names the section, and its columns in the head. */
export const BORDERS = "borders";
export type BordersMeta = { areas: readonly AreaFact[] };

type Border = { osm: number; fact: AreaFact; rings: Rings };

export function createBordersSection(): BaseSection {
  const borders: Border[] = [];
  const take = (type: OsmType, id: number, tags: OsmTags, rings: Rings, whole: boolean): void => {
    const level = levelOfArea(tags);
    const codes = codesOfArea(tags, level);
    const facts = boundaryOf({ ...codes, whole });
    if (codes.code === null && Object.keys(facts).length === 0) return;
    const fact = { doc: -1, level, code: codes.code, town: false, postcode: "", ...facts };
    borders.push({ osm: osmKey(type, id), fact, rings });
  };
  return {
    name: BORDERS,
    keys: { node: [], way: ["boundary"], relation: ["boundary"] },
    node: () => undefined,
    way: ({ id, tags, points, closed }) => {
      if (closed && points.length > 0) take("W", id, tags, [points], true);
    },
    relation: ({ id, tags, rings, whole, box }) => {
      if (box !== null)
        take(
          "R",
          id,
          tags,
          rings.map(({ points }) => points),
          whole,
        );
    },
    *finish() {
      borders.sort((a, b) => a.osm - b.osm);
      yield;
      const meta: BordersMeta = { areas: borders.map(({ fact }) => fact) };
      return { columns: packAreas(borders.map(({ rings }) => rings)), meta, counts: {} };
    },
  };
}
