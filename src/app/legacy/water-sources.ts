/** Sources of drinking water and toilets for the legacy route: the city's sets, and the open map. */
import type { WaterSource } from "#app/legacy/water-search.ts";
import type { Finder } from "#app/places/place-finder.ts";
import { registryFinder } from "#app/places/place-finders.ts";
import { tileAt } from "#kit/tiles.ts";
import { isInParis } from "#providers/paris_opendata/paris-area.ts";
import type { Location } from "#kit/geo.ts";
import type { Tiles } from "#world/places/place-tiles.ts";
import type { OpenRegister } from "#app/places/registers.ts";

export type OpenWater = {
  sets: readonly WaterSource[];
  map: WaterSource | null;
  isInParis: typeof isInParis;
};

/** `map`: null where there is none. */
export function openWater(
  registers: readonly OpenRegister[],
  map: Finder | null,
  { covers, now, tiles }: { covers: (at: Location) => boolean; now: () => number; tiles: Tiles },
): OpenWater {
  return {
    isInParis,
    sets: registers.map(({ id, kind, set, runtime, fresh_ms }) => ({
      // As the city names it.
      dataset: id.slice(id.indexOf(".") + 1),
      finder: registryFinder({ key: id, kind, set, health: () => runtime.health(), fresh_ms }),
      readAt: () => set()?.fetched_at_ms ?? null,
    })),
    map: map && {
      dataset: map.key,
      finder: map,
      readAt: ({ kind, lat, lon }) =>
        covers({ lat, lon }) ? now() : (tiles.get(kind, tileAt(lat, lon))?.fetched_at_ms ?? null),
    },
  };
}
