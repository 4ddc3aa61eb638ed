/** Counts of the sources that are asked per request, as series of /metrics. */
import type { Metrics } from "#http/metrics.ts";
import type { CacheTallies, LookupMeter } from "#upstream/lookup/lookup-caller.ts";
import type { BreakerState } from "#upstream/lookup/breaker.ts";

const STATES: Readonly<Record<BreakerState, number>> = { closed: 0, probing: 1, open: 2 };

export function createLookupMeter({
  cell,
  cells,
  watch,
}: Pick<Metrics, "cell" | "cells" | "watch">): LookupMeter {
  const breakers = new Map<string, (() => BreakerState)[]>();
  const waiters = { count: 0 };
  watch("svc_singleflight_waiters", () => waiters.count);
  watch("svc_provider_breaker_state", () =>
    Array.from(breakers, ([provider, states]) => ({
      labels: { provider },
      value: Math.max(...states.map((state) => STATES[state()])),
    })),
  );
  const cache = (tier: string): CacheTallies => {
    const outcomes = ["hit", "stale", "partial", "miss"] as const;
    return cells("svc_cache_requests_total", "outcome", outcomes, { tier });
  };
  return {
    waiters,
    lookups: cache("lookup"),
    tiles: cache("tiles"),
    source(provider, breaker) {
      breakers.set(provider, [...(breakers.get(provider) ?? []), breaker]);
      return {
        retries: cell("svc_provider_retries_total", { provider }),
        spent: cell("svc_provider_spend_units_total", { provider }),
      };
    },
  };
}
