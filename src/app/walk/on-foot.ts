/** The questions about ways on foot themselves, over one deployment's bases and what it holds. */
import type { Walks, WaysBetween } from "#ports/walks.ts";
import { createFindWay, type FindWay } from "./one-way.ts";
import { createFindReach, type FindReach, type ReachDeps } from "./reach.ts";

export type OnFoot = { findWay: FindWay; findReach: FindReach };

export function createOnFoot(deps: ReachDeps & { walks: Walks & WaysBetween }): OnFoot {
  return { findWay: createFindWay(deps), findReach: createFindReach(deps) };
}
