/**
 * Operations that depend on one source: geocoding and weather. A failure is 502, 503 or 504
 * (decisions, Errors), unless an old answer may replace it.
 */
import { REPLY_MARGIN_MS } from "#kit/time.ts";
import { LIMITS } from "#api/limits.ts";
import type { FailureWord } from "#api/sources.ts";
import {
  adviseOn,
  ASK_AGAIN,
  explainFailure,
  isLeftAlone,
  OPERATOR_ALONE,
  sayRefusal,
} from "#core/failure-words.ts";
import type { Failure } from "#kit/outcome.ts";
import type { Clock } from "#ports.ts";
import type { Ask, LookupReply } from "#upstream/lookup/ask-source.ts";
import { heldOf } from "./lookup-outcome.ts";
import { createDeadline } from "#upstream/deadline.ts";

type Code = "provider_bad_response" | "provider_unavailable" | "provider_timeout";
export type Failed = {
  kind: "failed";
  code: Code;
  /** Names the source and the cause, and says what to do. */
  message: string;
  /** null: asking again changes nothing. */
  retry_after_s: number | null;
};
export type SourceReply<B = unknown> = { kind: "ok"; body: B; max_age_s: number } | Failed;
export type SourceAnswer<V> = {
  kind: "ok";
  value: V;
  cache: "hit" | "miss";
  max_age_s: number;
  /** What one should know beyond the value; absent: nothing. */
  notices?: readonly string[];
  /** Whether it answers a part of the question only. */
  isPartial?: boolean;
};

type Circumstances = {
  clock: Clock;
  deadline_ms: number;
  signal: AbortSignal;
  keyed: boolean | undefined;
  /** Of the source, for messages. */
  name: string;
};

const NOT_CONFIGURED: Failure = { status: "unavailable", reason: "not_configured" };

/** Asks the one source; `ask`: left out where none is configured. */
export async function askOne<Q, V>(
  ask: Ask<Q, V> | undefined,
  query: Q,
  { clock, deadline_ms, signal, keyed = false, name }: Circumstances,
): Promise<SourceAnswer<V> | Failed> {
  if (!ask) return toFailed(NOT_CONFIGURED, clock.now(), name);
  using deadline = createDeadline(clock, deadline_ms - REPLY_MARGIN_MS, signal);
  const reply = await ask(query, { signal: deadline.signal, keyed, freshness: null });
  const stored = heldOf(reply);
  if (!stored) return toFailed(reply as Failure, clock.now(), name);
  const cache = reply.status === "ok" ? reply.cache : "hit";
  const max_age_s = ageLeft_s(reply, clock.now());
  const { value, notices = [], partial: isPartial = false } = stored;
  return { kind: "ok", value, cache, max_age_s, notices, isPartial };
}

function ageLeft_s(reply: LookupReply<unknown>, now_ms: number): number {
  if (reply.status !== "ok") return 0;
  const left_s = Math.floor((reply.stored.good_until_ms - now_ms) / 1000);
  return Math.max(0, Math.min(left_s, LIMITS.cache_max_age_s));
}

/** By the word for the failure (decisions, Errors): what the caller can do about it differs. */
const CODES: Readonly<Record<FailureWord, Code>> = {
  "refused our key": "provider_bad_response",
  "answers with errors": "provider_bad_response",
  unreadable: "provider_bad_response",
  // A gateway's 504 is a 5xx like the others, unless it has been found to be a timeout.
  "too slow": "provider_bad_response",
  unreachable: "provider_unavailable",
  "over its allowance": "provider_unavailable",
  "not configured": "provider_unavailable",
  "does not cover this point": "provider_unavailable",
  "of another version": "provider_unavailable",
  "has ended": "provider_unavailable",
  "has not begun": "provider_unavailable",
};
const MIN_RETRY_S = 1;
const MAX_RETRY_S = 60;

function codeOf(failure: Pick<Failure, "status" | "reason">): Code {
  if (failure.status === "timeout") return "provider_timeout";
  // The word is that of the failure which opened it; nothing was asked.
  if (isLeftAlone(failure.reason)) return "provider_unavailable";
  return CODES[explainFailure(failure).word];
}

/** Returns the failure as the caller sees it; `asked_name`: of the source that was asked. */
export function toFailed(failure: Failure, now_ms: number, asked_name: string): Failed {
  const { retry_at_ms, source: name = asked_name } = failure;
  const code = codeOf(failure);
  const advice = adviseOn(failure);
  const message = sayRefusal(name, failure);
  if (code === "provider_timeout" || advice === OPERATOR_ALONE)
    return { kind: "failed", code, message, retry_after_s: null };
  const usual_s = advice === ASK_AGAIN ? MIN_RETRY_S : MAX_RETRY_S;
  const wait_s = retry_at_ms === undefined ? usual_s : Math.ceil((retry_at_ms - now_ms) / 1000);
  const retry_after_s = Math.min(MAX_RETRY_S, Math.max(MIN_RETRY_S, wait_s));
  return { kind: "failed", code, message, retry_after_s };
}
