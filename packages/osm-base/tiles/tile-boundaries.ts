/** Borders of countries and of regions, by the ways that they run along. */
import type { OsmTags, RelationFeature } from "../base/base-features.ts";
import { getKind, type Kind } from "./tile-kinds.ts";
import { createWayNumbers } from "./way-numbers.ts";

const COUNTRY = 2;
const REGION = 4;

export type Boundaries = {
  /** Notes the ways of an administrative boundary. */
  add(feature: RelationFeature): void;
  /** null: the way is no border, or one at sea. */
  findKind(way: number, tags: OsmTags): Kind | null;
};

export function createBoundaries(): Boundaries {
  const levels = createWayNumbers(Math.min);
  const country = getKind("boundary", "country");
  const region = getKind("boundary", "region");
  return {
    add({ tags, members }) {
      const level = levelOf(tags);
      if (level === null) return;
      for (const { type, id, role } of members)
        if (type === "way" && role !== "admin_centre") levels.set(id, level);
    },
    findKind(way, tags) {
      const level = Math.min(levels.get(way) ?? Infinity, levelOf(tags) ?? Infinity);
      if (level === Infinity || tags.get("natural") === "coastline") return null;
      if (tags.get("maritime") === "yes") return null;
      return level === COUNTRY ? country : region;
    },
  };
}

/** Of a country or a region; null: it is no boundary of either. */
export function levelOf(tags: OsmTags): number | null {
  if (tags.get("boundary") !== "administrative") return null;
  const level = Number(tags.get("admin_level") ?? Number.NaN);
  return level === COUNTRY || level === REGION ? level : null;
}
