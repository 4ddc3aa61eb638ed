/**
 * Marks on files: what came of asking, and hence when to ask again. Due times carry ±10 % jitter,
 * so that a thousand systems do not fall into step.
 */
import type { Failure, FailureStatus } from "#core/outcome.ts";
import type { FeedFile, FileReport } from "#providers/provider.ts";
import {
  type Context,
  type SystemState,
  type Target,
  TARGETS,
  protocolOf,
} from "#upstream/feeds/state.ts";

const BACKOFF_MS = { first: 5_000, max: 300_000 } as const;
/** A question may retry this soon, however long the background waits. */
const DEMAND_RETRY_MS = 5_000;
/** Alerts are read at the pace of the street: a closed station matters now. */
const PACE: Partial<Record<FeedFile, FeedFile>> = { system_alerts: "station_status" };

export function jittered(ctx: Context, ms: number): number {
  return Math.round(ms * (0.9 + 0.2 * ctx.random()));
}

/** First, doubled, doubled again, up to max; jittered. */
export function backoff_ms(
  ctx: Context,
  failures: number,
  { first, max }: { first: number; max: number },
): number {
  return jittered(ctx, Math.min(first * 2 ** Math.min(failures - 1, 30), max));
}

/** A file was good at this time: read anew, or confirmed. */
export function markGood(ctx: Context, state: SystemState, file: FeedFile, at_ms: number): void {
  const mark = state.files[file];
  Object.assign(mark, { failures: 0, failure: null, gate_at_ms: 0 });
  const poll_s = protocolOf(ctx, state).nextPoll_s(PACE[file] ?? file, mark.ttl_s);
  mark.due_at_ms = at_ms + jittered(ctx, poll_s * 1000);
  state.last_success_at_ms = at_ms;
  state.errors.add(ctx.clock.now(), true);
}

export function markFailed(
  ctx: Context,
  state: SystemState,
  target: Target,
  failure: Failure,
): Failure {
  const mark = state.files[target];
  const now_ms = ctx.clock.now();
  mark.failures++;
  mark.failure = failure;
  const wait_ms = backoff_ms(ctx, mark.failures, BACKOFF_MS);
  mark.due_at_ms = Math.max(now_ms + wait_ms, failure.retry_at_ms ?? 0);
  mark.gate_at_ms = failure.retry_at_ms ?? now_ms + Math.min(wait_ms, DEMAND_RETRY_MS);
  state.errors.add(now_ms, false);
  return failure;
}

export function clearFailure(state: SystemState, target: Target): void {
  Object.assign(state.files[target], { failures: 0, failure: null, gate_at_ms: 0 });
}

/** What cannot be read is a failure like any other (architecture, Feeds). */
export function failureOf(report: FileReport | undefined): Failure | null {
  if (report?.ok) return null;
  return { status: "error", reason: report?.reason ?? "wrong_shape" };
}

/** R14, mobility.md 1.12 #21: who refuses us matters more than who is slow. */
const SEVERITY: Record<FailureStatus, number> = {
  unauthorized: 3,
  unavailable: 2,
  error: 1,
  timeout: 0,
};

/** The worst current failure among these, its reason told as `<file>:<token>`. */
export function worstFailure(
  state: SystemState,
  targets: readonly Target[] = TARGETS,
): Failure | null {
  let worst: Failure | null = null;
  for (const target of targets) {
    const failure = state.files[target].failure;
    if (!failure || (worst && SEVERITY[worst.status] >= SEVERITY[failure.status])) continue;
    worst = { ...failure, reason: `${target}:${failure.reason}` };
  }
  return worst;
}
