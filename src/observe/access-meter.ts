/** Counts what concerns callers: decisions about rates and quotas, and events of usage. */
import type { Decisions, Policy } from "#http/limit-verdict.ts";
import { byLabel } from "#http/metric-family.ts";
import type { Metrics } from "#http/metrics.ts";
import type { Usage } from "#ports.ts";

export function countDecisions({ cells }: Pick<Metrics, "cells">): Decisions {
  const of = (policy: Policy) => cells("svc_ratelimit_total", "decision", DECISIONS, { policy });
  return {
    burst: of("burst"),
    quota: of("quota"),
    bad_keys: of("bad_keys"),
    lost: cells("svc_store_refused_total", "store", ["keys", "units", "journal"]),
  };
}

const DECISIONS = ["admitted", "refused", "unenforced"] as const;

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
  { cells, watch }: Pick<Metrics, "cells" | "watch">,
  wall: () => number,
): U {
  const states = ["taken", "durable", "refused"] as const;
  const { taken, durable, refused } = cells("svc_usage_events_total", "state", states);
  watch("svc_usage_spool_depth", () => usage.depth());
  watch("svc_usage_oldest_seconds", () => {
    const since_ms = usage.oldestAt_ms();
    return since_ms === null ? 0 : Math.max(0, wall() - since_ms) / 1000;
  });
  watch("svc_usage_spool_bytes", () => byLabel("state", usage.room()));
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
