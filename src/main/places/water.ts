/** Who knows drinking water and toilets for the legacy route: the city's sets, and the open map. */
import type { WaterSource } from "#app/legacy/water.ts";
import { registryFinder } from "#app/places/finders.ts";
import type { Finder } from "#app/places/finder.ts";
import type { Place } from "#core/places/place.ts";
import { tileAt } from "#core/places/tiles.ts";
import { isInParis } from "#providers/paris_opendata/area.ts";
import provider from "#providers/paris_opendata/index.ts";
import { fountains, toilets } from "#providers/paris_opendata/registries.ts";
import type { RegistryHealth, RegistryRuntime } from "#upstream/registries.ts";
import type { Tiles } from "#world/places/tiles.ts";
import type { Listed } from "./health.ts";
import type { Places } from "./parts.ts";
import { DAY_MS, openRegistry, type RegistryDeps } from "./registries.ts";
import { toBase } from "./settings.ts";

export type OpenWater = {
  sets: readonly WaterSource[];
  map: WaterSource | null;
  isInParis: typeof isInParis;
  /** For `/v1/sources`; nothing where it is switched off. */
  listed: readonly Listed[];
  start(): Promise<void>;
  close(): void;
};

/** Both are read beside the services, which they are no part of. `map`: null where there is none. */
export function openWater(
  { paris_opendata: stated }: Places,
  map: Finder | null,
  deps: RegistryDeps & { tiles: Tiles },
): OpenWater {
  const { enabled, url, timeout_ms } = stated;
  const settings = { url: toBase(url ?? ""), timeout_ms };
  const how = { settings, stated, covers: () => true, renew_ms: DAY_MS };
  const opened =
    enabled && url !== null
      ? [fountains, toilets].map((each) => ({
          dataset: each.id.slice(provider.id.length + 1),
          ...openRegistry(each, provider, how, deps),
        }))
      : [];
  const sets = opened.map(({ dataset, id, kind, set, runtime, fresh_ms }) => ({
    dataset,
    finder: registryFinder({ key: id, kind, set, health: runtime.health, fresh_ms }),
    readAt: () => set()?.fetched_at_ms ?? null,
  }));
  const runtime = together(opened.map((each) => each.runtime));
  return {
    ...{ sets, isInParis },
    map: map && { dataset: map.key, finder: map, readAt: (place) => readAt(place, deps.tiles) },
    listed: enabled ? [toListed(stated, url !== null, runtime)] : [],
    start: runtime.start,
    close: runtime.close,
  };
}

function readAt({ kind, lat, lon }: Place, tiles: Tiles): number | null {
  return tiles.get(kind, tileAt(lat, lon))?.fetched_at_ms ?? null;
}

function toListed(terms: Listed["terms"], configured: boolean, registry: RegistryRuntime): Listed {
  const { id, name, operations } = provider;
  return { id, name, operations, provider, terms, configured, registry };
}

/** Two sets of one source: as well as the worse of them, and as old as the older. */
function together(runtimes: readonly RegistryRuntime[]): RegistryRuntime {
  return {
    start: async () => void (await Promise.all(runtimes.map((each) => each.start()))),
    close: () => runtimes.forEach((each) => each.close()),
    health: () => {
      const each = runtimes.map(({ health }) => health());
      const { status, reason } = each.find((one) => one.status !== "ok") ?? each[0] ?? ABSENT;
      const last = knownOf(each, "last_success_at_ms");
      const counts = knownOf(each, "count");
      return {
        ...{ status, reason },
        last_success_at_ms: last && Math.min(...last),
        count: counts && counts.reduce((sum, count) => sum + count, 0),
      };
    },
  };
}

const ABSENT: Pick<RegistryHealth, "status" | "reason"> = {
  status: "unavailable",
  reason: "not_configured",
};

/** null: of one of them at least it is unknown. */
function knownOf(
  each: readonly RegistryHealth[],
  name: "last_success_at_ms" | "count",
): number[] | null {
  const known = each.map((health) => health[name]).filter((value) => value !== null);
  return known.length > 0 && known.length === each.length ? known : null;
}
