/** What is held around a point of one family of /v1/reach, before anything is known of ways there. */
import { LIMITS } from "#api/limits.ts";
import type { ReachFamily } from "#api/reach.ts";
import type { CoverageInput } from "#core/coverage.ts";
import type { Notice } from "#core/notices.ts";
import type { Location } from "#kit/geo.ts";
import type { Circle } from "#world/system-entry.ts";

/** More of a family are not looked at. */
export const MOST_CANDIDATES = LIMITS.walk.candidates_max;

export type Candidate = {
  location: Location;
  /** Stated, by beeline. */
  distance_meters: number;
  /** Made for the nearest on foot alone. */
  describe(): { id: string; name: string | null };
};

export type Candidates = {
  /** The nearest by beeline. */
  items: readonly Candidate[];
  /** Up to where all are listed, metres; null: all are. */
  within_m: number | null;
  /** Whether a way of streets ends before the thing itself: of steps behind that nothing is known. */
  hasInside?: boolean;
};

/** What coverage has to know of those that were looked up. */
export type Gaps = Partial<
  Pick<
    CoverageInput,
    "requested" | "unserved" | "uncovered" | "unheld" | "unstored" | "unsurveyed" | "unread"
  >
> & { notices?: readonly Notice[] };

/** By family; null: nothing of it is held here. */
type HeldFamilies = {
  families: ReadonlyMap<ReachFamily, Candidates | null>;
  gaps: Gaps;
};

/** Looks up those of the families that it knows; the others are another's. */
export type FindHeldFamilies = (
  families: readonly ReachFamily[],
  circle: Circle,
  query: { now_ms: number; signal: AbortSignal },
) => Promise<HeldFamilies>;
