/**
 * Outcome of asking a source (architecture, Feeds). A failure is a value with a status of §2.7 and
 * never an empty list.
 */
export type FailureStatus = "timeout" | "error" | "unauthorized" | "unavailable";
export type SourceStatus = "ok" | FailureStatus;

export type Failure = {
  status: FailureStatus;
  /** A short machine token of ours (`http_500`, `body_too_large`, …): never an upstream's text. */
  reason: string;
  /** When the source asked us to come back (Retry-After), epoch ms. */
  retry_at_ms?: number;
  /** Which source it was, as people know it; absent: the one that was asked. */
  source?: string;
};

/** What a source failed with when code of ours threw over its answer: the stack is in the log. */
export const DEFECT: Failure = { status: "error", reason: "defect" };

export type Success<T> = {
  status: "ok";
  value: T;
  /** When the answer was received, epoch ms. */
  fetched_at_ms: number;
  /** Where it came from: the network, or a cache that was still good. */
  cache: "hit" | "miss" | "revalidated";
};

export type Outcome<T> = Success<T> | Failure;

export function isOk<T>(outcome: Outcome<T>): outcome is Success<T> {
  return outcome.status === "ok";
}
