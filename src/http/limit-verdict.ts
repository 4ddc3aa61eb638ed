/** Verdicts of the gate: how they are counted, and refusals since a store is lost. */
import { errorRow } from "#api/errors.ts";
import type { Problem } from "./error-replies.ts";

type LimitDecision = "admitted" | "refused" | "unenforced";
export type Policy = "burst" | "quota" | "bad_keys";
type Decided = Readonly<Record<LimitDecision, { count: number }>>;
/** What could not be found out or written down: who a key is, what is left of its units, or the usage. */
export type Lost = "keys" | "units" | "journal";
export type Decisions = Readonly<Record<Policy, Decided>> & {
  /** Requests refused since a store was lost. */
  lost: Readonly<Record<Lost, { count: number }>>;
};

export function uncounted(): Decisions {
  const zero = (): { count: number } => ({ count: 0 });
  const none = (): Decided => ({ admitted: zero(), refused: zero(), unenforced: zero() });
  const lost = { keys: zero(), units: zero(), journal: zero() };
  return { burst: none(), quota: none(), bad_keys: none(), lost };
}

/** Counts a verdict; true: the caller may pass. */
export function passes(decided: Decided, admitted: boolean, enforced: boolean): boolean {
  const decision = admitted ? "admitted" : enforced ? "refused" : "unenforced";
  decided[decision].count++;
  return decision !== "refused";
}

export const BUSY = "the service is busy; try again shortly";

const LOST_MESSAGES: Readonly<Record<Lost, string>> = {
  keys: errorRow("store_unavailable").example,
  units: "what is left of the units is not known at the moment; try again",
  journal: "the usage of this answer cannot be written down; try again",
};

/**
 * Refuses a request since a store is lost, and counts it: 503 on every operation, also where none is
 * documented, as with 500 (decisions, A lost store).
 */
export function refuseLost({ lost }: Pick<Decisions, "lost">, what: Lost): Problem {
  lost[what].count++;
  return { code: "store_unavailable", message: LOST_MESSAGES[what] };
}
