/** Ways on foot to what an answer has already: the ends of a plan, or what a stored search holds. */
import { LIMITS } from "#api/limits.ts";
import type { NoWalkReason, WalkBody } from "#api/walk.ts";
import type { Location } from "#kit/geo.ts";
import { createTurn, runSteps } from "#kit/run/turn.ts";
import type { Walks } from "#ports/walks.ts";
import { pinWalks, type Walked, walkSteps, type WalkWish } from "./walking.ts";

/**
 * Ways in the order of their targets, found in turns. What has no location is on no street, and what
 * comes after the bound of candidates is not looked at.
 */
export async function walkInTurns(
  walks: Walks,
  start: Location,
  targets: readonly (Location | undefined)[],
  wish: WalkWish,
): Promise<Walked> {
  const candidates = targets.slice(0, LIMITS.walk.candidates_max);
  const located = candidates.filter((target) => target !== undefined);
  using pinned = await pinWalks(walks, start, located, wish);
  const steps = walkSteps(pinned, start, located, wish);
  const { ways: found, ...walked } = await runSteps(steps, createTurn({}));
  let next = 0;
  const ways = targets.map((target, i): WalkBody | NoWalkReason => {
    if (i >= candidates.length) return "not_looked";
    return target === undefined ? "target_off_network" : found[next++]!;
  });
  return { ways, ...walked };
}
