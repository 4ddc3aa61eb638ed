/**
 * One dock under two ids in one file: publishers that change their ids list the old row next to the
 * new one, which names it (`legacy_id`; decisions, Vehicles and docks).
 */
import type { StationInfo } from "../entities.ts";
import { distance_m } from "#kit/geo.ts";
import { fold } from "#kit/names/fold.ts";
import type { TrailRecorder } from "#kit/trail.ts";
import type { GbfsReason } from "./gbfs-reasons.ts";

const SAME_PLACE_M = 10;

/** Leaves out the row whose id another row has as its `legacy_id`, where name, place and size agree. */
export function withoutTwins(stations: StationInfo[], trail: TrailRecorder): StationInfo[] {
  const byId = new Map(stations.map((station) => [station.id, station]));
  const gone = new Set<StationInfo>();
  for (const station of stations) {
    const old = station.legacy_id === null ? undefined : byId.get(station.legacy_id);
    if (!old || old === station || gone.has(station) || !areOne(station, old)) continue;
    gone.add(old);
    trail.drop("station_twin" satisfies GbfsReason, old.id);
  }
  return gone.size === 0 ? stations : stations.filter((station) => !gone.has(station));
}

function areOne(a: StationInfo, b: StationInfo): boolean {
  const isOneSize = a.capacity === null || b.capacity === null || a.capacity === b.capacity;
  const isOnePlace = distance_m(a.lat, a.lon, b.lat, b.lon) <= SAME_PLACE_M;
  return isOneSize && isOnePlace && fold(a.name) === fold(b.name);
}
