/**
 * Precision of a candidate's point (§2.2 match_quality). The geocoders of open maps do not say
 * it in these words: the answer follows from the kind of object (places.md 2.5).
 */
import type { CandidateType, MatchQuality } from "#osm/geocoder/candidate.ts";

/** Kind of an object of the open map. */
export type OsmObjectType = "N" | "W" | "R";

export type CandidateFacts = {
  type: CandidateType;
  osm_type: OsmObjectType | null;
  building: boolean;
  /** It has a house number. */
  numbered: boolean;
  /** Reckoned from the numbers of its neighbours. */
  interpolated: boolean;
};

const AREAS: readonly CandidateType[] = ["locality", "neighborhood", "city", "region", "country"];

/** Returns the quality of a point; null: nothing follows. */
export function qualityOf(point: CandidateFacts): MatchQuality | null {
  const { type, osm_type, building, numbered, interpolated } = point;
  if (interpolated) return "range_interpolated";
  if (AREAS.includes(type)) return "approximate";
  if (type === "street") return "geometric_center";
  if (building || (type === "address" && numbered)) return "rooftop";
  if (osm_type === "W" || osm_type === "R") return "geometric_center";
  // A node is where a mapper put it: of a thing with a name that is a point.
  return osm_type === "N" && type !== "unknown" && type !== "address" ? "rooftop" : null;
}

/** A house number on a way that has no outline is one of a row of numbers along that way. */
export function isInterpolated(
  { key, value }: { key: string | null; value: string | null },
  { osm_type, outlined }: { osm_type: OsmObjectType | null; outlined: boolean },
): boolean {
  if (osm_type !== "W" || outlined || key !== "place" || value === null) return false;
  return value === "house" || value === "houses" || value === "house_number";
}
