/**
 * Stations that answers have named, by their public ids: what is asked per question has no list in
 * which an id could be found again. A restart, and 10,000 others, forget one.
 */
import { LRUCache } from "lru-cache";
import { transitId } from "#transit/schedule/schedule-results.ts";
import type { TransitStation } from "#transit/schedule/station.ts";

export type StationMemory = {
  /** `key`: the source that described them. */
  remember(key: string, stations: readonly TransitStation[]): void;
  /** null: none of this source is remembered under this id. */
  find(key: string, id: string): TransitStation | null;
};

const MOST_STATIONS = 10_000;

export function createStationMemory(most: number = MOST_STATIONS): StationMemory {
  const stations = new LRUCache<string, { key: string; station: TransitStation }>({ max: most });
  return {
    remember(key, match) {
      for (const station of match)
        stations.set(transitId(station.source), { key, station: withoutLists(station) });
    },
    find(key, id) {
      const match = stations.get(id);
      return match?.key === key ? match.station : null;
    },
  };
}

/** Its lines may be hundreds, and each departure names its own. */
function withoutLists(station: TransitStation): TransitStation {
  return { ...station, operators: [], routes: [] };
}
