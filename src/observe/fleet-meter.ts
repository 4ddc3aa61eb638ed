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

export function createFleetMeter({ cell, watch }: Pick<Metrics, "cell" | "watch">): FleetMeter {
  const gauge = (name: Parameters<typeof watch>[0]) => (read: () => number | boolean) =>
    watch(name, () => [{ labels: {}, value: Number(read()) }]);
  const use = (of: string) => cell("svc_shared_fallbacks_total", { use: of });
  const lease = (outcome: string) => cell("svc_feed_leases_total", { outcome });
  const snapshot = (outcome: string) => cell("svc_feed_snapshots_total", { outcome });
  const cache = (outcome: string) => cell("svc_cache_requests_total", { tier: "shared", outcome });
  return {
    watchShared: gauge("svc_shared_up"),
    watchStore: gauge("svc_store_up"),
    watchFailing: (stores) =>
      watch("svc_store_failing", () =>
        stores.flatMap(({ store, failing }) =>
          METRICS.svc_store_failing.labels.reason.map((reason) => ({
            labels: { store, reason },
            value: Number(failing?.reason === reason),
          })),
        ),
      ),
    fallbacks: {
      limits: use("limits"),
      cache: use("cache"),
      locks: use("locks"),
      feeds: use("feeds"),
    },
    leases: {
      won: lease("won"),
      held: lease("held"),
      lost: lease("lost"),
      unreachable: lease("unreachable"),
    },
    snapshots: {
      published: snapshot("published"),
      adopted: snapshot("adopted"),
      refused: snapshot("refused"),
    },
    cache: { hit: cache("hit"), miss: cache("miss"), unreachable: cache("unreachable") },
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
