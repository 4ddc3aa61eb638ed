/**
 * Resolution of an answer's entities (§2.9): `merged` where observations of one station were put
 * together, `possible_match` where one may be another's, `unresolved` where nothing else was found.
 */
export type ResolutionStatus = "unresolved" | "merged" | "possible_match";

/** Entities by status (`debug.resolution`). */
export type Resolution = Record<ResolutionStatus, number>;

/** Counts entities by status; `statuses`: of the entities that are more than one plain observation. */
export function countResolved(entities: number, statuses: Iterable<ResolutionStatus>): Resolution {
  const counts: Resolution = { unresolved: entities, merged: 0, possible_match: 0 };
  for (const status of statuses) {
    counts.unresolved--;
    counts[status]++;
  }
  return counts;
}

/** Returns the status of a station by the number of its observations, and of others that may be its. */
export function resolutionStatus(members: number, near: number): ResolutionStatus {
  return members > 1 ? "merged" : near > 0 ? "possible_match" : "unresolved";
}
