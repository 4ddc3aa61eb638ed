/** One docking station by its id: what GET /v1/nearby answers at the place where it is. */
import { observersOf } from "#app/audit.ts";
import { bodyOf, type RenderNearby } from "#app/nearby-body.ts";
import { askNearbyFor, type OnBehalf } from "#app/nearby-for.ts";
import type { Nearby, NearbyResult } from "#app/answer-types.ts";
import { LIMITS } from "#api/limits.ts";
import type { NearbyBodyValue } from "#api/nearby.ts";
import type { FoundItem } from "#world/found.ts";
import { pointOfRow } from "#world/station-index.ts";
import type { World } from "#world/world.ts";

type Station = NearbyBodyValue["results"]["stations"][number];

export type StationReading = Pick<NearbyBodyValue, "status" | "message" | "notices"> & {
  station: Omit<Station, "distance_meters">;
  /** Ids of the sources that observe it. */
  source_ids: readonly string[];
  /** null: it must not be kept, since a source failed. */
  max_age_s: number | null;
  now_ms: number;
};

/** Reads a station, waiting for late sources as GET /v1/nearby does; null: there is none. */
export type ReadStation = (id: string, who: OnBehalf) => Promise<StationReading | null>;

export type ReadStationDeps = {
  world: Pick<World, "findStation">;
  nearby: Nearby;
  renderNearby: RenderNearby;
};

export function createReadStation({ world, nearby, renderNearby }: ReadStationDeps): ReadStation {
  return async (id, who) => {
    const place = world.findStation(id);
    if (!place) return null;
    const question = {
      ...pointOfRow(place),
      radius: LIMITS.nearby.radius_min,
      include: ["stations"] as const,
      limit: 1,
    };
    const result = await askNearbyFor(nearby, question, { ...who, only: id });
    const [item] = result.found.items;
    return item ? toReading(result, item, renderNearby) : null;
  };
}

function toReading(
  result: NearbyResult,
  item: FoundItem,
  renderNearby: RenderNearby,
): StationReading {
  const alone = { ...result, found: { ...result.found, items: [item], total: 1 } };
  const { status, message, notices, results } = bodyOf(alone, renderNearby);
  const { distance_meters: _, ...station } = results.stations[0]!;
  return {
    status,
    ...(message === undefined ? {} : { message }),
    ...(notices === undefined ? {} : { notices }),
    station,
    source_ids: [...new Set(observersOf(item))],
    max_age_s: result.max_age_s,
    now_ms: result.now_ms,
  };
}
