/**
 * Operations that depend on one source: geocoding and weather. A failure is 502, 503 or 504
 * (decisions, Errors), unless an old answer may stand in.
 */
import { LIMITS } from "#contract/limits.ts";
import type { Failure } from "#core/outcome.ts";
import type { Clock } from "#ports.ts";
import type { Ask, Reply } from "#upstream/lookup/ask.ts";
import { createPatience } from "#upstream/lookup/patience.ts";

type Code = "provider_bad_response" | "provider_unavailable" | "provider_timeout";
export type Failed = { kind: "failed"; code: Code; retry_after_s: number | null };
export type Told<V> = { kind: "ok"; value: V; cache: "hit" | "miss"; max_age_s: number };

/** Answers this much before the deadline, so that the reply leaves in time. */
const MARGIN_MS = 50;

/** `ask`: left out where no source is configured. */
export async function askOne<Q, V>(
  ask: Ask<Q, V> | undefined,
  query: Q,
  { clock, deadline_ms, signal }: { clock: Clock; deadline_ms: number; signal: AbortSignal },
): Promise<Told<V> | Failed> {
  if (!ask) return { kind: "failed", code: "provider_unavailable", retry_after_s: null };
  const patience = createPatience(clock, { until_ms: deadline_ms - MARGIN_MS, signal });
  const reply = await ask(query, { patience, freshness: null });
  patience.end();
  const held = reply.status === "ok" ? reply.held : reply.rescue;
  if (!held) return toFailed(reply as Failure, clock.now());
  const cache = reply.status === "ok" ? reply.cache : "hit";
  return { kind: "ok", value: held.value, cache, max_age_s: ageLeft_s(reply, clock.now()) };
}

function ageLeft_s(reply: Reply<unknown>, now_ms: number): number {
  if (reply.status !== "ok") return 0;
  const left_s = Math.floor((reply.held.good_until_ms - now_ms) / 1000);
  return Math.max(0, Math.min(left_s, LIMITS.cache_max_age_s));
}

/** Reasons why a source that is there takes no requests from us now: 503, the others are 502. */
const TAKES_NONE =
  /^(http_429|quota|blocked|circuit_open|cooling_down|busy|spend_cap|not_configured|not_loaded)$/;
const MIN_RETRY_S = 1;
const MAX_RETRY_S = 60;

/** What the caller is told of it. */
export function toFailed({ status, reason, retry_at_ms }: Failure, now_ms: number): Failed {
  if (status === "timeout")
    return { kind: "failed", code: "provider_timeout", retry_after_s: null };
  const code =
    status === "unavailable" && TAKES_NONE.test(reason)
      ? "provider_unavailable"
      : "provider_bad_response";
  const wait_s = retry_at_ms === undefined ? MIN_RETRY_S : Math.ceil((retry_at_ms - now_ms) / 1000);
  const retry_after_s = Math.min(MAX_RETRY_S, Math.max(MIN_RETRY_S, wait_s));
  return { kind: "failed", code, retry_after_s };
}
