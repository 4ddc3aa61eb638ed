/**
 * Metrics of the stores and of a fleet: whether they take writes, what was decided without them, and how the
 * replicas share the reading of feeds. The code that opens a store feeds them; without a fleet, the
 * gauges are absent and the counters stay at zero.
 */
import type { Cell } from "#http/metric-family.ts";
import { METRICS } from "#http/metric-table.ts";
import type { Metrics } from "#http/metrics.ts";

export type FleetMeter = {
  /** Sets how to find whether the shared store takes writes. */
  watchShared(isUp: () => boolean): void;
  /** Sets how to find whether the store of accounts and usage takes writes. */
  watchStore(isUp: () => boolean): void;
  /** Sets the stores, and how to find why each fails; null: it does not. */
  watchFailing(stores: readonly Watched[]): void;
  /** Decided alone, since the shared store did not answer; count with `count++`. */
  fallbacks: Readonly<Record<"limits" | "cache" | "locks" | "feeds", Cell>>;
  leases: Readonly<Record<"won" | "held" | "lost" | "unreachable", Cell>>;
  snapshots: Readonly<Record<"published" | "adopted" | "refused", Cell>>;
  /** Questions to the shared cache. */
  cache: Readonly<Record<"hit" | "miss" | "unreachable", Cell>>;
};

type Watched = { store: string; failing: { reason: string } | null };

export function createFleetMeter({ cells, watch }: Pick<Metrics, "cells" | "watch">): FleetMeter {
  const outcomes = ["hit", "miss", "unreachable"] as const;
  return {
    watchShared: (isUp) => watch("svc_shared_up", () => Number(isUp())),
    watchStore: (isUp) => watch("svc_store_up", () => Number(isUp())),
    watchFailing: (stores) =>
      watch("svc_store_failing", () =>
        stores.flatMap(({ store, failing }) =>
          METRICS.svc_store_failing.labels.reason.map((reason) => ({
            labels: { store, reason },
            value: Number(failing?.reason === reason),
          })),
        ),
      ),
    fallbacks: cells("svc_shared_fallbacks_total", "use", ["limits", "cache", "locks", "feeds"]),
    leases: cells("svc_feed_leases_total", "outcome", ["won", "held", "lost", "unreachable"]),
    snapshots: cells("svc_feed_snapshots_total", "outcome", ["published", "adopted", "refused"]),
    cache: cells("svc_cache_requests_total", "outcome", outcomes, { tier: "shared" }),
  };
}

type Health = Watched & { isUp(): boolean };

/** A meter that watches the stores of a deployment, and the one that replicas share; null: there is none. */
export function openFleetMeter({
  metrics,
  storage,
  shared,
}: {
  metrics: Metrics;
  storage: { health: readonly Health[] };
  shared: { health: Health } | null;
}): FleetMeter {
  const fleet = createFleetMeter(metrics);
  if (shared) fleet.watchShared(() => shared.health.isUp());
  fleet.watchStore(() => storage.health.every((each) => each.isUp()));
  fleet.watchFailing(shared ? [...storage.health, shared.health] : storage.health);
  return fleet;
}
