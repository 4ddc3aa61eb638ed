/** What came of the calls to one source, as a question reports it (app/search). */
import type { CachedValue, LookupReply } from "#upstream/lookup/ask-source.ts";
import type { SourceFinding } from "./search-reply.ts";

type Outcome = Pick<
  SourceFinding,
  "status" | "reason" | "held_at_ms" | "good_until_ms" | "raw" | "calls" | "cache"
>;

const OK = { status: "ok", reason: null } as const;

/** Sums the calls up; `before`: what came of something else, whose failure is the first. */
export function toOutcome(
  replies: readonly LookupReply<unknown>[],
  before: Pick<SourceFinding, "status" | "reason"> | null = null,
): Outcome {
  const stored = replies.flatMap((reply) => heldOf(reply) ?? []);
  const [failed] = [before, ...replies].flatMap((each) =>
    each === null || each.status === "ok" ? [] : [{ status: each.status, reason: each.reason }],
  );
  const isHeld = failed !== undefined && stored.length > 0 && stored.length === replies.length;
  return {
    ...(failed ?? OK),
    held_at_ms: isHeld ? Math.min(...stored.map(({ fetched_at_ms }) => fetched_at_ms)) : null,
    good_until_ms: failed ? null : Math.min(...stored.map(({ good_until_ms }) => good_until_ms)),
    raw: stored.reduce((sum, { raw }) => sum + raw, 0),
    calls: replies.filter((reply) => reply.status !== "ok" || reply.cache === "miss").length,
    cache: cacheOf(replies),
  };
}

/** What was answered, or what is held from before; null: neither. */
export function heldOf<V>(reply: LookupReply<V>): CachedValue<V> | null {
  return reply.status === "ok" ? reply.stored : reply.rescue;
}

function cacheOf(replies: readonly LookupReply<unknown>[]): Outcome["cache"] {
  const hits = replies.filter((reply) => reply.status === "ok" && reply.cache === "hit").length;
  if (hits === 0) return "miss";
  return hits === replies.length ? "hit" : "partial";
}
