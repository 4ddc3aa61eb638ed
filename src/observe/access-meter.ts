/** Counts what concerns callers: decisions about rates and quotas, and events of usage. */
import type { Decision, Decisions, Lost, Policy } from "#http/verdict.ts";
import type { Metrics } from "#http/metrics.ts";
import type { Usage } from "#ports.ts";

export function countDecisions({ cell }: Pick<Metrics, "cell">): Decisions {
  const of = (policy: Policy) => {
    const each = (decision: Decision) => cell("svc_ratelimit_total", { policy, decision });
    return {
      admitted: each("admitted"),
      refused: each("refused"),
      unenforced: each("unenforced"),
    };
  };
  const lost = (store: Lost) => cell("svc_store_refused_total", { store });
  return {
    burst: of("burst"),
    quota: of("quota"),
    bad_keys: of("bad_keys"),
    lost: { keys: lost("keys"), units: lost("units"), journal: lost("journal") },
  };
}

/** A usage whose events are moved to a ledger. */
type Moved = Pick<Usage, "record"> & {
  depth(): number;
  oldestAt_ms(): number | null;
  room(): { used: number; free: number };
};

/**
 * The same usage, its events counted; how many of them the ledger does not have yet, since when, and
 * how many bytes of the journal they take. `wall`: the system's clock.
 */
export function countUsage<U extends Moved>(
  usage: U,
  { cell, watch }: Pick<Metrics, "cell" | "watch">,
  wall: () => number,
): U {
  const of = (state: string) => cell("svc_usage_events_total", { state });
  const [taken, durable, refused] = [of("taken"), of("durable"), of("refused")];
  watch("svc_usage_spool_depth", () => [{ labels: {}, value: usage.depth() }]);
  watch("svc_usage_oldest_seconds", () => {
    const since_ms = usage.oldestAt_ms();
    const value = since_ms === null ? 0 : Math.max(0, wall() - since_ms) / 1000;
    return [{ labels: {}, value }];
  });
  watch("svc_usage_spool_bytes", () => {
    const { used, free } = usage.room();
    return [
      { labels: { state: "used" }, value: used },
      { labels: { state: "free" }, value: free },
    ];
  });
  return {
    ...usage,
    record(events) {
      taken.count += events.length;
      const recorded = usage.record(events);
      (recorded ? durable : refused).count += events.length;
      return recorded;
    },
  };
}
