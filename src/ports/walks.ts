/** Ways on foot by imported bases (packages/osm-base/walk), as use cases ask for them. */
import type { BaseStatementBody } from "#api/bases.ts";
import type { Location } from "#kit/geo.ts";
import type { LostBase } from "#osm/base/other-version.ts";
import type { Walker } from "#osm/walking.ts";

type Circle = Location & { radius_m: number };

/** Searches of ways, over the pages that were pinned for them. */
type WaysOnFoot = Pick<Walker, "walkSteps" | "walkTo" | "outlineSteps" | "drawWay" | "looked_m">;

export type WalkBase = {
  statement: BaseStatementBody;
  walker: WaysOnFoot;
  /** Whether the base ends nowhere within a distance: ways that lead out of it are not known. Absent: it does not. */
  coversCircle?: (circle: Circle) => boolean;
  /**
   * The base with the reason why streets next to a point could not be read; null: they were. Absent: all
   * were.
   */
  lostAt?: (point: Location) => LostBase | null;
};

/** Why no base answers at a point. */
export type NoWalkBase = "outside_bases" | "base_without_walking" | "base_unreadable";

/** The base whose streets answer, or why none does. Disposing lets its pages go. */
export type PinnedWalks<No extends string = NoWalkBase> = Disposable & {
  base: WalkBase | No;
  /** The base of which a page could not be read, and why: that of the start, or of another place. Absent: all were. */
  lost?: LostBase;
};

/** Ways from one point to another. */
export type WaysBetween = {
  /** At both points, with the streets around the first as far as a way may be long. */
  pinBetween(
    from: Location,
    to: Location,
    options: { most_m: number; signal?: AbortSignal },
  ): Promise<PinnedWalks<NoWalkBase | "different_bases">>;
};

export type Walks = {
  /** Of the point in its middle, with the streets in the circle: no way from it is longer than its radius. */
  pin(circle: Circle, signal?: AbortSignal): Promise<PinnedWalks>;
};
