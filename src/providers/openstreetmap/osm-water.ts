/** Drinking points and fountains (places.md 3; decisions, Urban services). */
import type { Tags } from "./element.ts";

export type Potability = "yes" | "no" | "unknown";

export function isFountain(tags: Tags): boolean {
  return tags.get("amenity") === "fountain";
}

/**
 * Returns what the tag says. Without one a drinking point is what its name says, and a fountain is
 * not known to be potable; other values (`untreated`, `conditional`) are neither yes nor no.
 */
export function potabilityOf(tags: Tags): Potability {
  const tagged = tags.get("drinking_water")?.toLowerCase();
  if (tagged === "yes" || tagged === "no") return tagged;
  if (tagged !== undefined) return "unknown";
  const refills = tags.get("drinking_water:refill")?.toLowerCase() === "yes";
  return isFountain(tags) && !refills && tags.get("fountain") !== "bottle_refill"
    ? "unknown"
    : "yes";
}

/** What the water comes from; a fountain stays one, whatever else it offers. */
export function waterKindOf(tags: Tags): string {
  if (isFountain(tags)) return "fountain";
  if (tags.get("natural") === "spring") return "spring";
  if (tags.get("man_made") === "water_tap") return "tap";
  if (tags.get("amenity") === "water_point") return "water_point";
  return tags.get("fountain") === "bottle_refill" ? "bottle_refill" : "drinking_point";
}
