/** Counts what concerns callers: decisions about rates and quotas, and events of usage. */
import type { Decision, Decisions, Policy } from "#http/verdict.ts";
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
  return { burst: of("burst"), quota: of("quota"), bad_keys: of("bad_keys") };
}

/** The same usage, its events counted, and how many of them the ledger does not have yet. */
export function countUsage<U extends Pick<Usage, "record"> & { depth(): number }>(
  usage: U,
  { cell, watch }: Pick<Metrics, "cell" | "watch">,
): U {
  const of = (state: string) => cell("svc_usage_events_total", { state });
  const [taken, durable, refused] = [of("taken"), of("durable"), of("refused")];
  watch("svc_usage_spool_depth", () => [{ labels: {}, value: usage.depth() }]);
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
