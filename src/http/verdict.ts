/** Verdicts of the gate: how they are counted, and refusals that operations document differently. */
import { type ErrorCode, errorRow } from "#contract/errors.ts";
import type { Operation } from "#contract/operation.ts";
import { statusOf } from "#contract/operations.ts";
import type { Problem } from "./errors.ts";

export type Decision = "admitted" | "refused" | "unenforced";
export type Policy = "burst" | "quota" | "bad_keys";
type Decided = Readonly<Record<Decision, { count: number }>>;
export type Decisions = Readonly<Record<Policy, Decided>>;

export function uncounted(): Decisions {
  const zero = (): { count: number } => ({ count: 0 });
  const none = (): Decided => ({ admitted: zero(), refused: zero(), unenforced: zero() });
  return { burst: none(), quota: none(), bad_keys: none() };
}

/** Counts a verdict; true: the caller may pass. */
export function passes(decided: Decided, admitted: boolean, enforced: boolean): boolean {
  const decision = admitted ? "admitted" : enforced ? "refused" : "unenforced";
  decided[decision].count++;
  return decision !== "refused";
}

export const BUSY = "the service is busy; try again shortly";

export function refuseUnreached(operation: Operation): Problem {
  const code = "store_unavailable";
  return { ...toDocumented(operation, code), message: errorRow(code).example };
}

/** 503 where the operation documents it, else its 429 (decisions, Errors). */
export function toDocumented(
  operation: Operation,
  code: "overloaded" | "store_unavailable",
): { code: ErrorCode } {
  return { code: statusOf(operation, code) === undefined ? "overloaded" : code };
}
