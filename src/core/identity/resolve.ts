/**
 * Resolution counts of an answer (§2.9 `debug.resolution`). While no two sources observe the same
 * station, each observation is an entity of its own, so the step that merges them merges nothing;
 * it stands in the list of steps because counts, pages and units are taken after it (§4.9).
 */
export type ResolutionStatus = "unresolved" | "merged" | "possible_match";
export type Resolution = Record<ResolutionStatus, number>;

export function countResolved(observations: number): Resolution {
  return { unresolved: observations, merged: 0, possible_match: 0 };
}
