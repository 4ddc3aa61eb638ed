/** Ways on foot by imported bases (packages/osm-base/walk), as use cases ask for them. */
import type { BaseStatementBody } from "#api/bases.ts";
import type { Location } from "#kit/geo.ts";
import type { Walker } from "#osm/walking.ts";

export type WalkBase = {
  statement: BaseStatementBody;
  walker: Walker;
  /** Whether the base ends nowhere within a distance: ways that lead out of it are not known. Absent: it does not. */
  coversCircle?: (circle: Location & { radius_m: number }) => boolean;
};

/** Why no base answers for a way between two points. */
type NoWayBase = "outside_bases" | "base_without_walking" | "different_bases";

/** Ways from one point to another. */
export type WaysBetween = {
  /** The base whose streets answer at both points, or why none does. */
  between(from: Location, to: Location): WalkBase | NoWayBase;
};

export type Walks = {
  /** The base whose streets answer at a point, or why none does. */
  at(point: Location): WalkBase | "outside_bases" | "base_without_walking";
};
